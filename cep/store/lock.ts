import { Buffer } from "node:buffer";
import { readFile, rename, rm } from "node:fs/promises";
import { anotherImport } from "../release/errors.ts";
import { type LocalConnection, one } from "../release/connection.ts";
import { connect } from "../release/local_connection.ts";
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
  try {
    return await lock(path, holder);
  } catch (error) {
    if (!DAMAGED.has((error as { code?: string }).code ?? "")) throw error;
    if (!await removeTorn(path)) throw error;
    return await lock(path, holder);
  }
}

/** Error codes of a file that is not a whole database. */
const DAMAGED = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT"]);

/**
 * Removes a file that a crash of the machine has torn: its beginning is that of
 * a database, or zeros.
 *
 * @returns False if it is a file of another program, or another import has
 * replaced it meanwhile.
 */
async function removeTorn(path: string): Promise<boolean> {
  const torn = await readFile(path);
  const start = torn.subarray(0, MAGIC.length);
  const isOurs = MAGIC.subarray(0, start.length).equals(start) ||
    torn.every((byte) => byte === 0);
  if (!isOurs) return false;
  const aside = `${path}-${crypto.randomUUID()}`;
  await rename(path, aside);
  if (!torn.equals(await readFile(aside))) {
    await rename(aside, path);
    return false;
  }
  await rm(aside);
  return true;
}

const MAGIC = Buffer.from("SQLite format 3\0");

async function lock(
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

async function begin(connection: LocalConnection): Promise<void> {
  try {
    await connection.exec("BEGIN IMMEDIATE");
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    throw anotherImport(await readHolder(connection), cause);
  }
}

/** Reads the name in the file, which may not be written yet. */
async function readHolder(connection: LocalConnection): Promise<string> {
  try {
    return await one(connection, "SELECT name FROM holder") ?? "unknown";
  } catch {
    return "unknown";
  }
}

/** Returns true for the error of an import while another process imports. */
export function isAnotherImport(error: unknown): boolean {
  return error instanceof DatabaseError && isBusy(error.cause);
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === "SQLITE_BUSY";
}
