/**
 * Connections to libSQL, local or remote. Failures are thrown as
 * {@linkcode DatabaseError}.
 */
import { reasonOf } from "../util/reason_of.ts";
import type { Allocate, RowBytes } from "./row_batch.ts";
import { DatabaseError } from "./errors.ts";

/** Value of a column. */
export type Value = string | number | null | Uint8Array;

/** First row of a result, if there is one. */
export type Row = Value[] | undefined;

/** Name of a table or index in the database, from its name in the schema. */
export type TableNames = (name: string) => string;

/** A connection, through which a release is read. */
export interface Connection {
  /** Returns the name of a table or index of the release. */
  readonly table: TableNames;
  /** Prepares a statement whose rows are arrays. */
  prepare(sql: string): Promise<Statement>;
  /**
   * Connection for rows of a megabyte, which may take longer.
   *
   * @default the connection itself
   */
  readonly bulk?: Connection;
  /** Frees memory that earlier queries used. */
  shrink?(): Promise<void>;
  /** Checks the pages of the database, and describes the first damage. */
  findDamage?(): Promise<string | undefined>;
  close(): void;
}

/** A prepared statement. */
export interface Statement {
  /**
   * Returns the first row: synchronously on a local connection, together with
   * other calls on a remote one.
   */
  get(values?: readonly Value[]): Row | Promise<Row>;
  /** Returns all rows. */
  all(values?: readonly Value[]): Promise<Value[][]>;
}

/** A connection, through which a release is written. */
export interface WritableConnection extends Connection {
  /**
   * Creates tables and indexes, and begins to write.
   *
   * @param tables Statements that create them, each ending in `;`.
   */
  begin(tables: readonly string[]): Promise<void>;
  /** Allocates memory for {@linkcode insert}. */
  readonly allocate: Allocate;
  /**
   * Inserts rows, perhaps after the promise is resolved. A failure is thrown by
   * a later call. The bytes are read until the promise is resolved.
   *
   * @param into Statement up to the values, e.g. `INSERT INTO cep`.
   */
  insert(into: string, rows: RowBytes): Promise<void>;
  /**
   * Runs a statement, perhaps after the promise is resolved. A failure is thrown
   * by a later call.
   */
  write(sql: string, values?: readonly Value[]): Promise<void>;
  /** Returns the number of rows written so far. */
  countWritten(): Promise<number>;
  /** Completes the writing. */
  commit(): Promise<void>;
  /** Closes the connection, perhaps after the end of its thread. */
  close(): void | Promise<void>;
}

/** A connection to a file or to a database in memory. */
export interface LocalConnection extends WritableConnection {
  /** Runs statements, in another thread. */
  exec(sql: string): Promise<void>;
  /** Prepares a statement whose rows are arrays. */
  prepare(sql: string): Promise<LocalStatement>;
  /**
   * Closes the connection. The file stays open until its statements are
   * garbage-collected, or their thread has ended.
   */
  close(): void | Promise<void>;
}

/** A prepared statement of a local connection. */
export interface LocalStatement extends Statement {
  /**
   * Returns the first row, synchronously: for queries that take microseconds.
   */
  get(values?: readonly Value[]): Row;
  /** Returns all rows. The first one is computed in another thread. */
  all(values?: readonly Value[]): Promise<Value[][]>;
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

/** Rows per query: a server refuses results of several megabytes. */
const ROWS = 5000;

/** Rows to read. */
interface PageQuery {
  /** Name of the table in the schema. */
  readonly table: string;
  /** Expressions of each row, without blobs, over the row `page`. */
  readonly columns: string;
  /**
   * Columns by which the rows are sorted and told apart. Their numbers are not
   * negative.
   */
  readonly key: readonly string[];
}

/** Reads rows in pages, in the order of their key. */
export async function* readPages<T extends readonly unknown[]>(
  connection: Connection,
  { table, columns, key }: PageQuery,
): AsyncGenerator<T[]> {
  const names = key.join(", ");
  // One text per query: the driver takes four times as long for arrays.
  const select = await connection.prepare(
    `SELECT json_group_array(json_array(${names}, ${columns})) FROM
     (SELECT * FROM ${connection.table(table)}
      WHERE (${names}) > (${key.map(() => "?").join(", ")})
      ORDER BY ${names} LIMIT ${ROWS}) AS page`,
  );
  let last: readonly Value[] = key.map(() => -1);
  while (true) {
    const [[text] = []] = await select.all(last);
    const rows: Value[][] = JSON.parse(text as string);
    if (rows.length === 0) return;
    last = rows.at(-1)!.slice(0, key.length);
    yield rows.map((row) => row.slice(key.length)) as unknown as T[];
    if (rows.length < ROWS) return;
  }
}

/** Reads all rows, in the order of their key. */
export async function readRows<T extends readonly Value[]>(
  connection: Connection,
  query: PageQuery,
): Promise<T[]> {
  return (await Array.fromAsync(readPages<T>(connection, query))).flat();
}
