/**
 * Connections to libSQL, with slow statements in another thread and failures
 * thrown as {@linkcode DatabaseError}.
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
  /** Runs statements, in another thread. */
  exec(sql: string): Promise<void>;
  /** Prepares a statement whose rows are arrays. */
  prepare(sql: string): Promise<Statement>;
  /**
   * Closes the connection. The file stays open until its statements are
   * garbage-collected.
   */
  close(): void;
}

/** A prepared statement. */
export interface Statement {
  /**
   * Returns the first row, synchronously: for queries that take microseconds.
   */
  get(values?: readonly Value[]): Value[] | undefined;
  /** Returns all rows. The first one is computed in another thread. */
  all(values?: readonly Value[]): Promise<Value[][]>;
}

/** Subset of the driver's interface. */
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

/** Opens or creates a database; `:memory:` for one without a file. */
export async function connect(path: string): Promise<Connection> {
  // Imported here: importing it loads native code and reads the environment.
  const { default: Database } = await import("libsql/promise").catch(
    (cause) => {
      throw failure(
        "Cannot load libsql (it must be installed on this system, with its " +
          "optional dependencies)",
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

/** Opens a file that never changes, without locks or a journal. */
export function connectImmutable(path: string): Promise<Connection> {
  return connect(`${pathToFileURL(path).href}?mode=ro&immutable=1`);
}

/** Returns the first column of the first row. */
export async function one<T extends Value>(
  connection: Connection,
  sql: string,
): Promise<T> {
  const [row] = await (await connection.prepare(sql)).all();
  return row?.[0] as T;
}

/** Runs an action, and wraps its failure in a {@linkcode DatabaseError}. */
export async function attempt<T>(
  message: string,
  action: () => T | Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw failure(message, cause);
  }
}

/** Wraps an error of the driver or the file system. */
export function failure(message: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  return new DatabaseError(`${message}: ${reasonOf(cause)}`, { cause });
}
