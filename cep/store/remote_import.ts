import type {
  Connection,
  Statement,
  TableNames,
  Value,
  WritableConnection,
} from "../release/connection.ts";
import { attempt } from "../release/connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { readPartially } from "../release/partial_release.ts";
import { releaseName } from "../release/release.ts";
import {
  type Present,
  ReleaseStaging,
  type StagingTarget,
  UNREADABLE,
} from "../release/release_staging.ts";
import { newReleaseId } from "../release/release_writer.ts";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import {
  allocatePrivate,
  type Literal,
  type RowBytes,
  valuesOf,
} from "../release/row_batch.ts";
import { SCHEMA_VERSION } from "../release/schema.ts";
import { reasonOf } from "../util/reason_of.ts";
import { ImportLease } from "./import_lease.ts";
import { presentOf, warnOfHistory } from "./release_store.ts";
import { RemoteServer, type RemoteStatement } from "./remote_server.ts";
import {
  BULK,
  locate,
  type OpenRemoteStoreOptions,
  RemoteStore,
  type RemoteStoreOptions,
} from "./remote_store.ts";
import {
  connectTables,
  POINTER,
  type Pointer,
  StatementQueue,
} from "./remote_tables.ts";
import { type Staging, type Store, UnreachableError } from "./store.ts";

/** CEPs that a query of the check counts, of the 100 million possible ones. */
const COUNTED_AT_ONCE = 10_000_000;

/** Patience of imports. */
interface ImportOptions {
  /**
   * Milliseconds for which an import repeats a request while the server is
   * away, up to a day.
   *
   * @default {60000}
   */
  readonly importRetryMs?: number;
  /**
   * Seconds after which another import may begin if an import does not renew
   * its lease, from 1 to a day.
   *
   * @default {30}
   */
  readonly leaseSeconds?: number;
}

/** Options of {@linkcode openWritableRemoteStore}. */
export interface OpenWritableRemoteStoreOptions
  extends OpenRemoteStoreOptions, ImportOptions {}

/** Store on a libSQL server that also imports. */
class WritableRemoteStore extends RemoteStore {
  readonly #leaseSeconds: number;
  readonly #importer: RemoteServer;

  constructor(
    { importRetryMs = 60_000, leaseSeconds = 30, ...options }:
      & RemoteStoreOptions
      & ImportOptions,
  ) {
    super(options);
    requireRange("importRetryMs", importRetryMs, [0, DAY_MS]);
    requireRange("leaseSeconds", leaseSeconds, [1, DAY_MS / 1000]);
    const { connect, name, authToken: token } = options;
    const timeoutMs = BULK * this.timeoutMs;
    this.#leaseSeconds = leaseSeconds;
    // It stays open: an import may be published after `close`.
    this.#importer = new RemoteServer({
      client: connect(timeoutMs),
      name,
      token,
      timeoutMs,
      retries: Infinity,
      retryMs: importRetryMs,
      onWait: (error) =>
        this.logger.warn("The import waits for the database server", {
          error: error.message,
          seconds: importRetryMs / 1000,
        }),
    });
  }

  override async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      const id = newReleaseId();
      const suffix = releaseName({ id });
      const lease = await ImportLease.take({
        server: this.#importer,
        suffix,
        holder,
        leaseSeconds: this.#leaseSeconds,
      });
      try {
        const present = await this.#readPresent(lease.pointer);
        const tables = connectTables(this.#importer, suffix);
        return await ReleaseStaging.begin(
          new RemoteWriting(tables, lease),
          present,
          this.#toTarget(suffix, lease),
          id,
        );
      } catch (error) {
        await lease.discard().catch(() => {});
        throw error;
      }
    });
  }

  #toTarget(suffix: string, lease: ImportLease): StagingTarget {
    return {
      countedAtOnce: COUNTED_AT_ONCE,
      reopen: () => Promise.resolve(connectTables(this.#importer, suffix)),
      publish: async () => {
        await lease.publish();
        await this.lookAgain(false);
      },
      discard: () => lease.discard(),
    };
  }

  /** Opens the release that the next one replaces. */
  async #readPresent(
    pointer: Pointer | undefined,
  ): Promise<Present | undefined> {
    if (pointer === undefined) return undefined;
    const tables = connectTables(
      this.#importer,
      pointer.suffix,
      new StatementQueue(this.#importer),
    );
    try {
      if (pointer.schemaVersion !== SCHEMA_VERSION) {
        return await readPartially(tables, warnOfHistory(this.logger));
      }
      return await presentOf(await OpenRelease.open(tables));
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      this.logger.warn(
        "Cannot read the current release, the import is not compared with it",
        { error: reasonOf(error) },
      );
      return UNREADABLE;
    }
  }
}

/**
 * Opens a database on a libSQL server, to read it and to import into it.
 *
 * @throws {TypeError} If the URL is not allowed.
 * @throws {RangeError} If a number is out of its range.
 */
export async function openWritableRemoteStore(
  options: OpenWritableRemoteStoreOptions,
): Promise<Store> {
  const address = await locate(options);
  const store = new WritableRemoteStore({ ...options, ...address });
  await store.start();
  return store;
}

/**
 * Maximum length of a batch of several statements, in characters of its
 * request.
 */
const BATCH_LENGTH = 1 << 20;

/** Characters of a byte in base64. */
const BASE64 = 4 / 3;

/**
 * Bytes of a statement that `sqld` keeps for its statistics. It logs a panic if
 * they end within a letter.
 */
const KEPT_BYTES = 512;

/**
 * Connection that a release is written through. A batch is written while the
 * next one is filled.
 */
class RemoteWriting implements WritableConnection {
  readonly table: TableNames;
  readonly #connection: Connection;
  readonly #lease: ImportLease;
  #pending: RemoteStatement[] = [];
  #length = 0;
  #sending: Promise<void> = Promise.resolve();
  /** Number of rows written, `undefined` if the answer was lost. */
  #written: number | undefined = 0;

  /**
   * @param connection Connection to the tables of the release.
   */
  constructor(connection: Connection, lease: ImportLease) {
    this.table = connection.table;
    this.#connection = connection;
    this.#lease = lease;
  }

  async begin(tables: readonly string[]): Promise<void> {
    await this.#lease.write(tables.map((sql) => ({ sql })));
  }

  readonly allocate = allocatePrivate;

  /** Inserts rows as literals: a server gets all values as JSON otherwise. */
  async insert(into: string, rows: RowBytes): Promise<void> {
    const values = valuesOf(rows).map(toLiteral);
    const texts = Array.from(
      { length: values.length / rows.columns },
      (_, i) => values.slice(i * rows.columns, (i + 1) * rows.columns).join(),
    );
    await this.write(`${into} VALUES (${texts.join("),(")})`);
  }

  async write(sql: string, values: readonly Value[] = []): Promise<void> {
    let length = sql.length;
    const kept = values.map((value) => {
      if (!(value instanceof Uint8Array)) return value;
      length += value.length * BASE64;
      return value.slice(); // The writer reuses its memory.
    });
    if (this.#length + length > BATCH_LENGTH) await this.#send();
    this.#length += length;
    this.#pending.push({ sql: withWideHead(sql), values: kept }, COUNT_CHANGES);
  }

  /** Begins to send the batch when the previous one is written. */
  async #send(): Promise<void> {
    await this.#sending;
    if (this.#pending.length === 0) return;
    const batch = [...this.#pending, SELECT_WRITTEN];
    this.#pending = [];
    this.#length = 0;
    this.#sending = this.#lease.write(batch).then((result) => {
      this.#written = result?.rows[0]?.[0] as number | undefined;
    });
    // A failure is thrown by the next call.
    this.#sending.catch(() => {});
  }

  async #flush(): Promise<void> {
    await this.#send();
    await this.#sending;
  }

  async countWritten(): Promise<number> {
    await this.#flush();
    if (this.#written === undefined) {
      const select = await this.#connection.prepare(SELECT_WRITTEN.sql);
      const [row = []] = await select.all();
      this.#written = row[0] as number;
    }
    return this.#written;
  }

  async prepare(sql: string): Promise<Statement> {
    await this.#flush();
    return await this.#connection.prepare(sql);
  }

  async commit(): Promise<void> {
    await this.#flush();
  }

  close(): void {}
}

function toLiteral(value: Literal): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return value === null ? "NULL" : `${value}`;
}

/** Moves the values of a statement beyond the {@linkcode KEPT_BYTES}. */
function withWideHead(sql: string): string {
  const head = sql.indexOf(" VALUES (");
  if (head === -1) return sql;
  return sql.slice(0, head).padEnd(KEPT_BYTES) + sql.slice(head);
}

/** Adds the rows of the last statement to those written. */
const COUNT_CHANGES: RemoteStatement = {
  sql: `UPDATE ${POINTER} SET written = written + changes()`,
};

const SELECT_WRITTEN: RemoteStatement = {
  sql: `SELECT written FROM ${POINTER}`,
};
