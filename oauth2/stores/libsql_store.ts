import type { TokenStore } from "../manager/store.ts";
import { knownNames } from "../core/names.ts";
import { invalid } from "../core/type_error.ts";
import { checkMethods, checkOptions } from "./store_options.ts";

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
  /**
   * Seconds after the last change at which a value is deleted, by the clock of
   * the database. A table without expiries gets a column for them.
   *
   * @default {never}
   */
  ttl?: number | undefined;
}

const OPTIONS = knownNames<LibsqlStoreOptions>({ table: true, ttl: true });
/** Time of the database in seconds since 1970. */
const NOW = "CAST(strftime('%s', 'now') AS INTEGER)";
/** Milliseconds between two deletions of values that are too old. */
const SWEEP_INTERVAL = 3_600_000;

interface Result {
  readonly row: unknown;
  readonly changes: number;
}

/**
 * Store in a database of libSQL or SQLite, e.g.
 * `new LibsqlStore(createClient({ url: "file:tokens.db", timeout: 5000 }))`. The
 * timeout is for a file that several processes share: without it, a call fails
 * while another process writes.
 */
export class LibsqlStore implements TokenStore {
  readonly #database: LibsqlClient | SqliteDatabase;
  readonly #table: string;
  readonly #ttl: number | undefined;
  #created: Promise<unknown> | undefined;
  #sweepAt = 0;

  /**
   * Creates a store in a database that the caller opens and closes.
   *
   * @throws {TypeError} If an option is unknown, the name of the table is not a
   * word, or ttl is not a whole number, 1 or more.
   */
  constructor(
    database: LibsqlClient | SqliteDatabase,
    options: LibsqlStoreOptions = {},
  ) {
    checkOptions(options, OPTIONS);
    checkMethods(database, "execute", "prepare");
    const { table = "oauth2_tokens", ttl } = options;
    if (!/^[a-z_]\w{0,62}$/i.test(table)) {
      throw invalid(`Cannot use table "${table}": it must be a word`);
    }
    this.#database = database;
    this.#table = table;
    this.#ttl = ttl;
  }

  /** Returns the value of a key. */
  async get(key: string): Promise<string | undefined> {
    const { row } = await this.#run(
      `SELECT value FROM ${this.#table} WHERE name = ? ${this.#andValid}`,
      [key],
      "get",
    );
    const value = (row as { value?: unknown } | undefined)?.value;
    return typeof value === "string" ? value : undefined;
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    await this.#sweep();
    await (value === undefined
      ? this.#run(`DELETE FROM ${this.#table} WHERE name = ?`, [key])
      : this.#run(`${this.#insert} DO UPDATE SET ${this.#excluded}`, [
        key,
        value,
      ]));
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
    await this.#sweep();
    const isSame = `name = ? AND value = ? ${this.#andValid}`;
    const { changes } = await (expected === undefined
      ? this.#run(
        this.#ttl === undefined
          ? `${this.#insert} DO NOTHING`
          // Replaces a value that is too old.
          : `${this.#insert} DO UPDATE SET ${this.#excluded}
          WHERE ${this.#table}.expires_at <= ${NOW}`,
        [key, value!],
      )
      : value === undefined
      ? this.#run(`DELETE FROM ${this.#table} WHERE ${isSame}`, [key, expected])
      : this.#run(
        `UPDATE ${this.#table} SET value = ?${
          this.#ttl === undefined ? "" : `, expires_at = ${this.#expiry}`
        } WHERE ${isSame}`,
        [value, key, expected],
      ));
    return changes === 1;
  }

  /** Condition of a value that is not too old; a value may have no expiry. */
  get #andValid(): string {
    return this.#ttl === undefined
      ? ""
      : `AND COALESCE(expires_at > ${NOW}, 1)`;
  }

  get #expiry(): string {
    return `${NOW} + ${this.#ttl}`;
  }

  get #insert(): string {
    return this.#ttl === undefined
      ? `INSERT INTO ${this.#table} (name, value) VALUES (?, ?)
      ON CONFLICT (name)`
      : `INSERT INTO ${this.#table} (name, value, expires_at)
      VALUES (?, ?, ${this.#expiry}) ON CONFLICT (name)`;
  }

  get #excluded(): string {
    return this.#ttl === undefined
      ? "value = excluded.value"
      : "value = excluded.value, expires_at = excluded.expires_at";
  }

  /** Deletes values that are too old, from time to time. */
  async #sweep(): Promise<void> {
    const now = Date.now();
    if (this.#ttl === undefined || now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_INTERVAL;
    await this.#run(
      `DELETE FROM ${this.#table} WHERE expires_at <= ${NOW}`,
      [],
    );
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
      const table = this.#table;
      await this.#execute(
        `CREATE TABLE IF NOT EXISTS ${table}
        (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
        [],
        "run",
      );
      if (this.#ttl !== undefined) await this.#addExpiry();
    } catch (error) {
      // The next call tries again.
      this.#created = undefined;
      throw error;
    }
  }

  /** Adds the column of expiries, unless the table has it. */
  async #addExpiry(): Promise<void> {
    try {
      await this.#execute(
        `ALTER TABLE ${this.#table} ADD COLUMN expires_at INTEGER`,
        [],
        "run",
      );
    } catch (error) {
      if (!/duplicate column/i.test(String(error))) throw error;
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
