/**
 * What the driver lacks: values, transactions, errors of ours.
 *
 * @module
 */
import type { Database, Statement } from "libsql";
import { DatabaseError } from "./store.ts";

/** What a column holds. */
export type Value = string | number | null;

/** The first column of the first row. */
export function one<T>(statement: Statement, values: Value[] = []): T {
  const [value] = statement.raw().get(values) as [T];
  return value;
}

/** Makes changes that happen all or not at all. */
export function transact(database: Database, change: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    change();
    database.exec("COMMIT");
  } catch (error) {
    // Where SQLite has rolled back by itself, as on a full disk, this is void.
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Runs an action whose failure is one of writing. */
export function write<T>(action: () => T): Promise<T> {
  return attempt("Cannot write the database", action);
}

/** Runs an action at once; its failure becomes a rejection. */
// deno-lint-ignore require-await
export async function attempt<T>(what: string, action: () => T): Promise<T> {
  try {
    return action();
  } catch (cause) {
    throw failure(what, cause);
  }
}

/** A failure of the driver as one of ours. */
export function failure(what: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError(`${what}: ${reason}`, { cause });
}
