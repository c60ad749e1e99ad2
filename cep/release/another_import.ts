import { DatabaseError } from "./errors.ts";

/** Creates the error; the message names the holder of the lock. */
export function anotherImport(holder: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `Cannot import: another import is running (${holder})`,
    { cause },
  );
}
