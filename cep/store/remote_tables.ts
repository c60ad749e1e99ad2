/**
 * Databases on a libSQL server: each release has tables of its own, and the table
 * `carteiro_release` names the current one and the import in progress.
 */
import type {
  Connection,
  Row,
  TableNames,
  Value,
} from "../release/connection.ts";
import { SCHEMA_VERSION } from "../release/schema.ts";
import {
  type RemoteServer,
  type RemoteStatement,
  StatementError,
} from "./remote_server.ts";
import { DatabaseError, OutdatedError } from "./store.ts";

/** Name of the table, which has one row. */
export const POINTER = "carteiro_release";

/** Statements that create the table and its row. */
export const CREATE_POINTER: readonly RemoteStatement[] = [
  {
    sql: `CREATE TABLE IF NOT EXISTS ${POINTER} (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      schema_version INTEGER NOT NULL,
      suffix TEXT,
      importing TEXT,
      holder TEXT,
      lease_until REAL NOT NULL DEFAULT 0,
      step INTEGER NOT NULL DEFAULT 0,
      written INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
  },
  {
    sql: `INSERT OR IGNORE INTO ${POINTER} (id, schema_version)
      VALUES (1, ${SCHEMA_VERSION})`,
  },
];

/** Pointer to the current release. */
export interface Pointer {
  /** Suffix of the names of its tables: eight hexadecimal digits. */
  readonly suffix: string;
  /** Version of its tables. */
  readonly schemaVersion: number;
}

/** Query for the pointer. */
const SELECT_POINTER = `SELECT suffix, schema_version FROM ${POINTER}`;

/**
 * Reads the pointer, also while the server is away.
 *
 * @returns `undefined` before the first import.
 * @throws {DatabaseError} If the database belongs to another program, or if it
 * cannot be read.
 */
export async function readPointer(
  server: RemoteServer,
): Promise<Pointer | undefined> {
  let rows;
  try {
    rows = await server.probe(SELECT_POINTER);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    if (!error.isTableMissing) throw foreignDatabase();
    await refuseForeign(server);
    return undefined;
  }
  const [suffix, schemaVersion] = rows[0] ?? [];
  if (suffix === undefined || suffix === null) return undefined;
  return toPointer(suffix, schemaVersion);
}

/**
 * Checks the columns of a pointer.
 *
 * @throws {DatabaseError} If another program wrote them.
 */
export function toPointer(suffix: unknown, schemaVersion: unknown): Pointer {
  const isPointer = typeof suffix === "string" &&
    /^[0-9a-f]{8}$/.test(suffix) && typeof schemaVersion === "number";
  if (!isPointer) throw foreignDatabase();
  return { suffix, schemaVersion };
}

/**
 * Refuses a database that has tables but not those of this program.
 *
 * @throws {DatabaseError} If it belongs to another program.
 */
async function refuseForeign(server: RemoteServer): Promise<void> {
  const names = await listTables((sql) => server.query(sql));
  if (names.length > 0 && !names.includes(POINTER)) throw foreignDatabase();
}

/** Returns the names of all tables, except those of the server. */
export async function listTables(
  query: (sql: string) => Promise<Value[][]>,
): Promise<string[]> {
  const rows = await query(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  return rows.map(([name]) => `${name}`)
    .filter((name) => !/^(?:sqlite|libsql)_/.test(name));
}

function foreignDatabase(): DatabaseError {
  return new DatabaseError(
    "Cannot use the database: it is not a database of this program; set " +
      "DB_URL to another one",
  );
}

/**
 * Refuses tables of another version.
 *
 * @throws {DatabaseError} If this program cannot read them.
 */
export function refuseVersion({ schemaVersion }: Pointer): void {
  if (schemaVersion < SCHEMA_VERSION) {
    throw new OutdatedError(
      "Cannot use the database: it was written by an older version of this " +
        "program; rewrite it with MODE=upgrade, or import again with MODE=seed",
    );
  }
  if (schemaVersion > SCHEMA_VERSION) {
    throw new DatabaseError(
      "Cannot use the database: it was written by a newer version of this " +
        "program; install that version, or set DB_URL to another database",
    );
  }
}

/** Returns the names of the tables of a release. */
function tablesOf(suffix: string): TableNames {
  return (name) => `${name}_${suffix}`;
}

/**
 * Connects to the tables of a release.
 *
 * @param queue Queue of queries for one row; without it, each is a request.
 */
export function connectTables(
  server: RemoteServer,
  suffix: string,
  queue?: StatementQueue,
): Connection {
  return {
    table: tablesOf(suffix),
    prepare: (sql) =>
      Promise.resolve({
        get: (values = []) =>
          queue === undefined
            ? server.query(sql, values).then(([row]) => row)
            : queue.get(sql, values),
        all: (values = []) => server.query(sql, values),
      }),
    close() {},
  };
}

/** Maximum number of statements in a request. */
const STATEMENTS = 250;

/** Maximum number of requests at a time. */
const REQUESTS = 4;

/** Server that runs statements together. */
export interface StatementServer {
  /** Runs a statement, and returns its rows. */
  query(sql: string, values: readonly Value[]): Promise<Value[][]>;
  /** Runs statements in one request, and returns the rows of each. */
  read(statements: readonly RemoteStatement[]): Promise<Value[][][]>;
  /** Returns the error of a statement that would not be sent now. */
  refusal?(): Error | undefined;
}

interface Waiting {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers statements of one row each: those of one task, and those that arrive
 * while a request is in flight.
 */
export class StatementQueue {
  readonly #server: StatementServer;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(server: StatementServer) {
    this.#server = server;
  }

  /** Runs a statement, and returns its first row. */
  get(sql: string, values: readonly Value[]): Promise<Row> {
    const refusal = this.#server.refusal?.();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sql, values, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const isFull = this.#waiting.length >= STATEMENTS;
    const maySend = this.#inFlight === 0 || isFull && this.#inFlight < REQUESTS;
    if (!maySend || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  async #send(): Promise<void> {
    const sent = this.#waiting.splice(0, STATEMENTS);
    this.#inFlight++;
    this.#schedule();
    try {
      const results = await this.#run(sent);
      sent.forEach(({ resolve }, i) => resolve(results[i]?.[0]));
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#inFlight--;
    this.#schedule();
  }

  async #run(sent: readonly Waiting[]): Promise<Value[][][]> {
    const [first] = sent;
    return first !== undefined && sent.length === 1
      ? [await this.#server.query(first.sql, first.values)]
      : await this.#server.read(sent);
  }
}
