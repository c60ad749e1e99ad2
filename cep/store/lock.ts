/**
 * The lock that lets one import at a time into a directory.
 *
 * @module
 */
import { connect, type Connection, one } from "./driver.ts";
import { DatabaseError } from "./store.ts";

/**
 * Takes the lock: a write transaction on a file of its own, which the operating
 * system ends with the process.
 *
 * @param path The lock's file.
 * @param holder Name of the import, which is kept in the file.
 * @returns A function that releases the lock.
 * @throws {DatabaseError} Naming the holder, if there is one.
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
    // Committed, the name can be read while the lock is held.
    await connection.exec("COMMIT");
    await begin(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return async () => {
    // Closing alone leaves the transaction to the garbage collector.
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

/** The name in the file, unless the holder has not come to writing it. */
async function readHolder(connection: Connection): Promise<string> {
  try {
    return await one(connection, "SELECT name FROM holder") ?? "unknown";
  } catch {
    return "unknown";
  }
}

/** The error of an import that finds another one running. */
export function anotherImport(holder: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `Cannot import: another import is running (${holder})`,
    { cause },
  );
}
