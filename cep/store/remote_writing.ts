import type {
  Connection,
  Statement,
  TableNames,
  Value,
  WritableConnection,
} from "../release/connection.ts";
import type { ImportLease } from "./import_lease.ts";
import { POINTER } from "./remote_pointer.ts";
import type { RemoteStatement } from "./remote_server.ts";
import {
  allocatePrivate,
  type Literal,
  type RowBytes,
  valuesOf,
} from "../release/row_batch.ts";

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
export class RemoteWriting implements WritableConnection {
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
