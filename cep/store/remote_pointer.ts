/**
 * Table `carteiro_release` of a libSQL server: its current release, and the
 * lease of the running import.
 */
import type { Value } from "../release/connection.ts";
import type { RemoteServer, RemoteStatement } from "./remote_server.ts";
import { StatementError } from "./remote_error.ts";
import { SCHEMA_VERSION } from "../release/schema.ts";
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
