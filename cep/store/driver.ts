/**
 * The driver: connections to libSQL whose slow statements run in a thread of
 * their own, and errors of ours.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { reasonOf } from "../reason_of.ts";
import { DatabaseError } from "./store.ts";

/** Value of a column. */
export type Value = string | number | null | Uint8Array;

/** A connection. */
export interface Connection {
  /** Runs statements without values in another thread. */
  exec(sql: string): Promise<void>;
  /** Prepares a statement whose rows are arrays. */
  prepare(sql: string): Promise<Statement>;
  /**
   * Closes the connection. The file stays open as long as statements of it are
   * not garbage-collected.
   */
  close(): void;
}

/** A prepared statement. */
export interface Statement {
  /** The first row, at once: for queries that take microseconds. */
  get(values?: readonly Value[]): Value[] | undefined;
  /** All rows. The statement runs to its first row in another thread. */
  all(values?: readonly Value[]): Promise<Value[][]>;
}

/** The driver's own names for the same. */
interface Driver {
  new (path: string, options: { timeout: number }): {
    exec(sql: string): Promise<unknown>;
    prepare(sql: string): Promise<DriverStatement>;
    close(): void;
  };
}

interface DriverStatement {
  readonly reader: boolean;
  raw(): void;
  get(values: readonly Value[]): Value[] | undefined;
  all(values: readonly Value[]): Promise<Value[][]>;
}

/** Milliseconds to wait for the lock of another process. */
const BUSY_MS = 200;

/** Opens a database, or makes an empty one; `:memory:` for one without a file. */
export async function connect(path: string): Promise<Connection> {
  // libsql loads native code and reads the environment when it is imported.
  const { default: Database } = await import("libsql/promise").catch(
    (cause) => {
      throw failure(
        "Cannot load libsql (installed without optional dependencies, or for " +
          "another system?)",
        cause,
      );
    },
  );
  const database = new (Database as unknown as Driver)(path, {
    timeout: BUSY_MS,
  });
  return {
    async exec(sql) {
      await database.exec(sql);
    },
    async prepare(sql) {
      const statement = await database.prepare(sql);
      if (statement.reader) statement.raw();
      return {
        get: (values = []) => statement.get(values),
        all: (values = []) => statement.all(values),
      };
    },
    close: () => database.close(),
  };
}

/**
 * Opens a file that nobody changes: without locks, and without looking for a
 * journal.
 */
export function connectImmutable(path: string): Promise<Connection> {
  return connect(`${pathToFileURL(path).href}?mode=ro&immutable=1`);
}

/** The first column of the first row. */
export async function one<T extends Value>(
  connection: Connection,
  sql: string,
): Promise<T> {
  const [row] = await (await connection.prepare(sql)).all();
  return row?.[0] as T;
}

/** Runs an action whose failure is one of the database. */
export async function attempt<T>(
  what: string,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw failure(what, cause);
  }
}

/** A failure of the driver or the file system as one of ours. */
export function failure(what: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  return new DatabaseError(`${what}: ${reasonOf(cause)}`, { cause });
}
