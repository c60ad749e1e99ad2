/**
 * Store in a database of libSQL or SQLite.
 *
 * @module
 */
import type { TokenStore } from "../manager/store.ts";
import { invalid } from "../type_error.ts";

/** Members of a client of `@libsql/client` that the store needs. */
export interface LibsqlClient {
  /** Executes a statement. */
  execute(statement: { sql: string; args: string[] }): Promise<{
    rows: ArrayLike<{ readonly [column: string]: unknown }>;
    rowsAffected: number;
  }>;
}

/**
 * Members of a database of `libsql`, `libsql/promise`, `better-sqlite3` or
 * `node:sqlite` that the store needs.
 */
export interface SqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement | Promise<SqliteStatement>;
}

/** Prepared statement; its results may be promises. */
export interface SqliteStatement {
  /** Returns the first row. */
  get(...args: string[]): unknown;
  /** Returns the number of `changes`. */
  run(...args: string[]): unknown;
}

/** Options of a {@linkcode LibsqlStore}. */
export interface LibsqlStoreOptions {
  /**
   * Name of the table, which the store creates.
   *
   * @default {"oauth2_tokens"}
   */
  table?: string | undefined;
}

/** Result of a statement. */
interface Result {
  readonly row: unknown;
  readonly changes: number;
}

/**
 * Store in a database of libSQL or SQLite, e.g.
 * `new LibsqlStore(createClient({ url: "file:tokens.db" }))`.
 */
export class LibsqlStore implements TokenStore {
  readonly #database: LibsqlClient | SqliteDatabase;
  readonly #table: string;
  #created: Promise<unknown> | undefined;

  /**
   * Creates a store in a database that the caller opens and closes.
   *
   * @throws {TypeError} If the name of the table is not a word.
   */
  constructor(
    database: LibsqlClient | SqliteDatabase,
    { table = "oauth2_tokens" }: LibsqlStoreOptions = {},
  ) {
    if (!/^[a-z_]\w{0,62}$/i.test(table)) {
      throw invalid(`Cannot use table "${table}": it must be a word`);
    }
    this.#database = database;
    this.#table = table;
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    const { row } = await this.#run(
      `SELECT value FROM ${this.#table} WHERE name = ?`,
      [key],
      "get",
    );
    const value = (row as { value?: unknown } | undefined)?.value;
    return typeof value === "string" ? value : undefined;
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    await (value === undefined
      ? this.#run(`DELETE FROM ${this.#table} WHERE name = ?`, [key])
      : this.#run(
        `INSERT INTO ${this.#table} (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        [key, value],
      ));
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    if (expected === undefined && value === undefined) {
      return await this.get(key) === undefined;
    }
    const { changes } = await (expected === undefined
      ? this.#run(
        `INSERT INTO ${this.#table} (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO NOTHING`,
        [key, value!],
      )
      : value === undefined
      ? this.#run(
        `DELETE FROM ${this.#table} WHERE name = ? AND value = ?`,
        [key, expected],
      )
      : this.#run(
        `UPDATE ${this.#table} SET value = ? WHERE name = ? AND value = ?`,
        [value, key, expected],
      ));
    return changes === 1;
  }

  /** Runs a statement, after the table exists. */
  async #run(
    sql: string,
    args: string[],
    method: "get" | "run" = "run",
  ): Promise<Result> {
    await (this.#created ??= this.#create());
    return await this.#execute(sql, args, method);
  }

  async #create(): Promise<void> {
    try {
      await this.#execute(
        `CREATE TABLE IF NOT EXISTS ${this.#table}
        (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
        [],
        "run",
      );
    } catch (error) {
      // The next call tries again.
      this.#created = undefined;
      throw error;
    }
  }

  async #execute(
    sql: string,
    args: string[],
    method: "get" | "run",
  ): Promise<Result> {
    const database = this.#database;
    if ("execute" in database) {
      const { rows, rowsAffected } = await database.execute({ sql, args });
      return { row: rows[0], changes: rowsAffected };
    }
    const statement = await database.prepare(sql);
    const result = await statement[method](...args);
    const { changes = 0 } = Object(result);
    return { row: result, changes: Number(changes) };
  }
}
