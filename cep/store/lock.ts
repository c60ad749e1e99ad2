/**
 * Lock that allows one import at a time in a folder.
 *
 * @module
 */
import { connect, type Connection, one } from "./driver.ts";
import { DatabaseError } from "./store.ts";

/**
 * Takes the lock: a write transaction on a separate file, which ends with the
 * process at the latest.
 *
 * @param path File of the lock.
 * @param holder Name of the import, written to the file.
 * @returns A function that releases the lock.
 * @throws {DatabaseError} If another import holds the lock; the message names
 * it.
 */
export async function takeLock(
  path: string,
  holder: string,
): Promise<() => Promise<void>> {
  const connection = await connect(path);
  try {
    await connection.exec("PRAGMA journal_mode = MEMORY");
    await begin(connection);
    await connection.exec("CREATE TABLE IF NOT EXISTS holder (name TEXT)");
    await connection.exec("DELETE FROM holder");
    await (await connection.prepare("INSERT INTO holder VALUES (?)"))
      .all([holder]);
    // Committed, so that others can read the name while the lock is held.
    await connection.exec("COMMIT");
    await begin(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return async () => {
    // Closing alone would leave the transaction to the garbage collector.
    await connection.exec("ROLLBACK");
    connection.close();
  };
}

async function begin(connection: Connection): Promise<void> {
  try {
    await connection.exec("BEGIN IMMEDIATE");
  } catch (cause) {
    if ((cause as { code?: string }).code !== "SQLITE_BUSY") throw cause;
    throw anotherImport(await readHolder(connection), cause);
  }
}

/** Reads the name in the file, which may not be written yet. */
async function readHolder(connection: Connection): Promise<string> {
  try {
    return await one(connection, "SELECT name FROM holder") ?? "unknown";
  } catch {
    return "unknown";
  }
}

/** Error of an import while another one is running. */
export function anotherImport(holder: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `Cannot import: another import is running (${holder})`,
    { cause },
  );
}
