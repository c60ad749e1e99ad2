/**
 * The lock that lets one import at a time into a database.
 *
 * @module
 */
import type { Database } from "libsql";
import { DatabaseError } from "./store.ts";

/**
 * Takes the lock. It is a write transaction on a file of its own, so that the
 * operating system gives it back however the process ends.
 *
 * @param database A connection to the lock's file, which this call closes.
 * @param holder Written into the file for whoever comes second.
 * @returns What gives the lock back.
 * @throws {DatabaseError} Naming the holder, if there is one.
 */
export function takeLock(database: Database, holder: string): () => void {
  try {
    begin(database);
    database.exec("CREATE TABLE IF NOT EXISTS holder (name TEXT)");
    database.exec("DELETE FROM holder");
    database.prepare("INSERT INTO holder VALUES (?)").run([holder]);
    // Committed, the name can be read by others while the lock is held.
    database.exec("COMMIT");
    begin(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return () => {
    // Closing alone leaves the transaction to the garbage collector.
    database.exec("ROLLBACK");
    database.close();
  };
}

function begin(database: Database): void {
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (cause) {
    if ((cause as { code?: string }).code !== "SQLITE_BUSY") throw cause;
    const found = database.prepare("SELECT name FROM holder").get([]) as
      | { name: string }
      | undefined;
    throw anotherImport(found?.name ?? "unknown", cause);
  }
}

/** What whoever comes second is told. */
export function anotherImport(holder: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    `Cannot import: another import is running (${holder})`,
    { cause },
  );
}
