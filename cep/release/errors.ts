/** Failure of the database. The error of the driver is the `cause`. */
export class DatabaseError extends Error {
  /** Always `DatabaseError`. */
  override readonly name = "DatabaseError";
}

/**
 * Failure to reach the database. A later call may succeed, and data in memory
 * stay in use.
 */
export class UnreachableError extends DatabaseError {}

/**
 * Release of an older version of this program. `MODE=upgrade` rewrites it, and
 * an import replaces it.
 */
export class OutdatedError extends DatabaseError {}

/** Refusal of a search, because too many others wait. */
export class BusyError extends DatabaseError {}

/** Creates the error; the message names the holder of the lock. */
export function anotherImport(holder: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `Cannot import: another import is running (${holder})`,
    { cause },
  );
}
