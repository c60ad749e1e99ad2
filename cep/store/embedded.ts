/**
 * A store in a file beside the process.
 *
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers";
import type { Database, Statement } from "libsql";
import type { Address, Origin } from "../address.ts";
import { attempt, failure, one, transact, write } from "./driver.ts";
import { anotherImport, takeLock } from "./lock.ts";
import { RELEASE_TABLE, SCHEMA_VERSION, TABLES } from "./schema.ts";
import { EmbeddedStaging } from "./staging.ts";
import type {
  DatabaseError,
  Listing,
  Release,
  Staging,
  Store,
} from "./store.ts";

/** Options of {@linkcode openStore}. */
export interface OpenStoreOptions {
  /**
   * Directory of the database files, made if it does not exist, or `:memory:`
   * for a database that ends with the process.
   *
   * @default {"./data"}
   */
  readonly path?: string;
  /**
   * The time in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/** How long another process' import may go unnoticed, in milliseconds. */
const RELEASE_CHECK_MS = 250;

/** How long to wait for another connection's transaction, in milliseconds. */
const BUSY_MS = 2000;

/** How long a second import waits before it gives up, in milliseconds. */
const LOCK_MS = 200;

/**
 * Opens the embedded database, an empty one if there is none.
 *
 * @throws {DatabaseError} If the file is not a database, belongs to another
 * version of this program, or cannot be opened.
 *
 * @example
 * ```ts
 * import { openStore } from "@carteiro/cep/store";
 *
 * const store = await openStore({ path: ":memory:" });
 * console.assert(await store.release() === undefined);
 * await store.close();
 * ```
 */
export async function openStore(
  { path = "./data", now = Date.now }: OpenStoreOptions = {},
): Promise<Store> {
  // libsql loads native code and reads the environment when it is imported.
  const { default: Database } = await import("libsql").catch((cause) => {
    throw failure(
      "Cannot load libsql (installed without optional dependencies, or for " +
        "another system?)",
      cause,
    );
  });
  const inMemory = path === ":memory:";
  const file = inMemory ? path : join(path, "cep.db");
  const lockFile = inMemory ? path : join(path, "seed.lock");
  try {
    if (!inMemory) await mkdir(path, { recursive: true });
    const database = new Database(file, { timeout: BUSY_MS });
    prepare(database);
    const openLock = () => new Database(lockFile, { timeout: LOCK_MS });
    return new EmbeddedStore(database, openLock, now);
  } catch (cause) {
    throw failure(`Cannot open database "${file}"`, cause);
  }
}

function prepare(database: Database): void {
  try {
    prepareSchema(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareSchema(database: Database): void {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -32768;
  `);
  const version = one<number>(database.prepare("PRAGMA user_version"));
  if (version === SCHEMA_VERSION) return;
  if (version !== 0) {
    throw new Error(
      `its schema is version ${version}, this program knows ${SCHEMA_VERSION}`,
    );
  }
  transact(database, () => {
    for (const [name, columns] of Object.entries(TABLES)) {
      database.exec(`CREATE TABLE IF NOT EXISTS ${name} ${columns}`);
    }
    database.exec(RELEASE_TABLE);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

// Each method is asynchronous because a store may be remote; the driver of this
// one is not, so that what happens inside a method happens at once.
class EmbeddedStore implements Store {
  readonly #database: Database;
  readonly #openLock: () => Database;
  readonly #now: () => number;
  readonly #find: Statement;
  readonly #list: Statement;
  readonly #dataVersion: Statement;
  #pending: PendingLookup[] = [];
  /** Who is importing through this store. */
  #holder: string | undefined;
  #closed = false;
  #release: Release | undefined;
  #knownVersion: number | undefined;
  #checkedAt = -Infinity;

  constructor(database: Database, openLock: () => Database, now: () => number) {
    this.#database = database;
    this.#openLock = openLock;
    this.#now = now;
    this.#find = database.prepare(
      `SELECT json_group_array(json_array(cep, ${ADDRESS_COLUMNS}))
       FROM json_each(?) AS code JOIN cep ON cep.cep = code.value`,
    );
    this.#list = database.prepare(
      `SELECT cep, ${ADDRESS_COLUMNS} FROM cep
       WHERE cep BETWEEN ? AND ? ORDER BY cep LIMIT ?`,
    ).raw();
    this.#dataVersion = database.prepare("PRAGMA data_version");
  }

  release(): Promise<Release | undefined> {
    const now = this.#now();
    if (now - this.#checkedAt < RELEASE_CHECK_MS) {
      return Promise.resolve(this.#release);
    }
    return this.#read(() => {
      // Changes whenever another connection has committed.
      const version = one<number>(this.#dataVersion);
      if (version !== this.#knownVersion) this.#release = this.#readRelease();
      this.#knownVersion = version;
      this.#checkedAt = now;
      return this.#release;
    });
  }

  #readRelease(): Release | undefined {
    const found = this.#database.prepare(
      `SELECT id, dne_version, seeded_at, total_ceps FROM release
       ORDER BY number DESC LIMIT 1`,
    ).raw().get([]) as [number, string, string, number] | undefined;
    if (found === undefined) return undefined;
    const [id, dneVersion, seededAt, totalCeps] = found;
    const byState = this.#database.prepare(
      "SELECT uf, sum(total) FROM cep_total GROUP BY uf ORDER BY uf",
    ).raw().all([]) as [string, number][];
    const totalByState = Object.fromEntries(byState);
    return { id, dneVersion, seededAt, totalCeps, totalByState };
  }

  /**
   * Lookups of one turn of the event loop share a query: most of what a query
   * costs is taking and giving back the read lock.
   */
  find(cep: string): Promise<Address | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<
      Address | undefined
    >();
    this.#pending.push({ code: Number(cep), resolve, reject });
    if (this.#pending.length === 1) setImmediate(() => this.#answerPending());
    return promise;
  }

  #answerPending(): void {
    const pending = this.#pending;
    this.#pending = [];
    try {
      this.#requireOpen();
      const codes = JSON.stringify(pending.map(({ code }) => code));
      const rows: AddressRow[] = JSON.parse(one(this.#find, [codes]));
      const found = new Map(rows.map((row) => [row[0], row]));
      for (const { code, resolve } of pending) {
        const row = found.get(code);
        resolve(row && toAddress(row));
      }
    } catch (cause) {
      const error = failure("Cannot read the database", cause);
      for (const { reject } of pending) reject(error);
    }
  }

  list(prefix: string, limit: number): Promise<Listing> {
    const first = Number(prefix.padEnd(8, "0"));
    const last = Number(prefix.padEnd(8, "9"));
    return this.#read(() => {
      const rows = this.#list.all([first, last, limit]) as AddressRow[];
      return {
        total: this.#countBetween(first, last),
        data: rows.map(toAddress),
      };
    });
  }

  #countBetween(first: number, last: number): number {
    // A range of less than a thousand codes is counted, others are summed up.
    const [sql, unit] = last - first < 999
      ? ["SELECT count(*) FROM cep WHERE cep BETWEEN ? AND ?", 1]
      : [
        `SELECT coalesce(sum(total), 0) FROM cep_total
         WHERE setor BETWEEN ? AND ?`,
        1000,
      ] as const;
    return one(this.#database.prepare(sql), [
      Math.floor(first / unit),
      Math.floor(last / unit),
    ]);
  }

  stage(holder: string): Promise<Staging> {
    return write(() => {
      this.#requireOpen();
      // A database in memory has a lock of its own for every connection.
      if (this.#holder !== undefined) throw anotherImport(this.#holder);
      const unlock = takeLock(this.#openLock(), holder);
      this.#holder = holder;
      const finish = () => {
        this.#holder = undefined;
        this.#knownVersion = undefined;
        this.#checkedAt = -Infinity;
        unlock();
      };
      try {
        return new EmbeddedStaging(this.#database, finish);
      } catch (error) {
        finish();
        throw error;
      }
    });
  }

  #read<T>(action: () => T): Promise<T> {
    return attempt("Cannot read the database", () => {
      this.#requireOpen();
      return action();
    });
  }

  /** The driver's statements outlive their database. */
  #requireOpen(): void {
    if (this.#closed) throw new Error("it is closed");
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#database.close();
    return Promise.resolve();
  }
}

interface PendingLookup {
  readonly code: number;
  resolve(address: Address | undefined): void;
  reject(error: DatabaseError): void;
}

const ADDRESS_COLUMNS = "logradouro, complemento, bairro, distrito, cidade, " +
  "uf, codigo_ibge, tipo_logradouro, tipo_origem, nome, nome_origem";

/** The code and then the columns above. */
// deno-fmt-ignore
type AddressRow = [
  number, string, string, string, string, string, string, string, string,
  Origin, string, string,
];

/** The fields in the order in which the answer has them. */
function toAddress(row: AddressRow): Address {
  return {
    cep: String(row[0]).padStart(8, "0"),
    logradouro: row[1],
    complemento: row[2],
    bairro: row[3],
    distrito: row[4],
    cidade: row[5],
    uf: row[6],
    codigo_ibge: row[7],
    tipo_logradouro: row[8],
    tipo_origem: row[9],
    nome: row[10],
    nome_origem: row[11],
  };
}
