/**
 * Release that is open for reading.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { type Address, parseCep } from "../address.ts";
import { lastChange, listChanges, StoredChanges } from "./cep_history.ts";
import { codePrefix } from "../search/code_prefix.ts";
import { Searcher } from "../search/search.ts";
import { readSearchIndex } from "../search/search_index.ts";
import type { Connection, Row, Statement, Value } from "./connection.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { readPlaces } from "./place_queries.ts";
import { StoredRows } from "./present_rows.ts";
import type { Literal } from "./row_buffer.ts";
import { readRows } from "./row_pages.ts";
import { selectRecord, selectRecords } from "./schema.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import {
  firstCode,
  type FoundCodes,
  isWordPosition,
  pageOfCodes,
  searchWords,
} from "./search_release.ts";
import type {
  CepChange,
  CepHistory,
  Listing,
  Release,
  Rendered,
  SearchPage,
  SearchQuery,
} from "./store.ts";

/** Records per query of a scan. */
const SCANNED_AT_ONCE = 1000;

const LAST_CEP = 99_999_999;

/** Part of an `AbortSignal` that ends the loading of a release. */
export type EndSignal = Pick<AbortSignal, "throwIfAborted">;

/** Open release, which never changes. */
export class OpenRelease {
  /** Id, version, time and totals of the release. */
  readonly facts: Release;
  readonly #connection: Connection;
  readonly #selectRecord: Statement;
  /** Rows of the DNE. */
  readonly rows: StoredRows;
  #snapshot: Snapshot | undefined;
  #gazetteer: Promise<Gazetteer> | undefined;
  #changes: StoredChanges | undefined;
  #searcher: Searcher | undefined;
  /** Searches in progress. */
  #searches = 0;
  #isRetired = false;

  private constructor(
    facts: Release,
    connection: Connection,
    selectRecord: Statement,
  ) {
    this.facts = facts;
    this.#connection = connection;
    this.#selectRecord = selectRecord;
    this.rows = new StoredRows(connection);
  }

  /** True if records are read from a snapshot in memory. */
  get isInMemory(): boolean {
    return this.#snapshot !== undefined;
  }

  /** Opens the release of a database. */
  static async open(connection: Connection): Promise<OpenRelease> {
    const select = await connection.prepare(
      `SELECT id, dne_version, seeded_at, total_ceps, total_by_state,
       total_by_file, optional_files FROM ${connection.table("release")}`,
    );
    const row = await select.get() as
      | [number, string, string, number, string, string, string]
      | undefined;
    if (row === undefined) throw new Error("it contains no release");
    const [id, dneVersion, seededAt, totalCeps, byState, byFile, optional] =
      row;
    return new OpenRelease(
      {
        id,
        dneVersion,
        seededAt,
        totalCeps,
        totalByState: JSON.parse(byState),
        totalByFile: JSON.parse(byFile),
        optionalFiles: JSON.parse(optional),
      },
      connection,
      await connection.prepare(selectRecord(connection.table)),
    );
  }

  /**
   * Loads the snapshot, to serve records from it.
   *
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSnapshot(signal?: EndSignal): Promise<void> {
    const { header, parts } = await this.#readParts("snapshot", signal);
    this.#snapshot = await readSnapshot(JSON.parse(header), parts);
    // Free the pages of the parts, which are not needed again.
    await this.#connection.shrink?.();
  }

  /**
   * Loads the search index.
   *
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSearch(signal?: EndSignal): Promise<void> {
    const { header, parts } = await this.#readParts("busca", signal);
    const index = await readSearchIndex(JSON.parse(header), parts);
    this.#searcher = new Searcher(index);
    await this.#connection.shrink?.();
  }

  /**
   * Checks that the snapshot and the search index can be loaded.
   *
   * @param signal Ends the check between two parts.
   * @throws {Error} If one is damaged or of another version.
   */
  async checkParts(signal?: EndSignal): Promise<void> {
    for (const name of ["snapshot", "busca"] as const) {
      const { header, parts } = await this.#readParts(name, signal);
      const read = name === "snapshot" ? readSnapshot : readSearchIndex;
      await read(JSON.parse(header), parts);
    }
    await this.#connection.shrink?.();
  }

  /** Reads the header and the parts of the snapshot or the search index. */
  async #readParts(
    name: "snapshot" | "busca",
    signal?: EndSignal,
  ): Promise<{ header: string; parts: AsyncGenerator<Uint8Array> }> {
    const connection = this.#connection.bulk ?? this.#connection;
    const { table } = connection;
    const select = await connection.prepare(
      `SELECT ${name}, (SELECT count(*) FROM ${table(name)})
       FROM ${table("release")}`,
    );
    const [header, count] = await select.get() as [string, number];
    const selectPart = await connection.prepare(
      `SELECT bytes FROM ${table(name)} WHERE part = ?`,
    );
    return { header, parts: readParts(selectPart, count, signal) };
  }

  /** Searches for records. */
  async search(query: SearchQuery): Promise<SearchPage> {
    this.#searches++;
    try {
      return await this.#search(query);
    } finally {
      this.#searches--;
      if (this.#isRetired) this.#freeSearcher();
    }
  }

  async #search(query: SearchQuery): Promise<SearchPage> {
    const searcher = this.#searcher;
    if (searcher === undefined) {
      throw new Error("it was opened without the search index");
    }
    const prefix = isWordPosition(query.after) ? undefined : codePrefix(query);
    let found = prefix && await this.#searchCodes(prefix, query);
    // A short number may also be the name of a street.
    if (!found || found.ceps.length === 0 && query.after === undefined) {
      found = searchWords(searcher, query);
    }
    const data = await Promise.all(
      found.ceps.map(async (cep) => ({
        cep,
        json: (await this.findJson(cep))!.json,
      })),
    );
    return { ...found, release: this.facts, data };
  }

  /** Finds the CEPs that begin with some digits, in order. */
  async #searchCodes(
    prefix: string,
    { limit, after, uf, city, neighbourhood }: SearchQuery,
  ): Promise<FoundCodes> {
    const low = firstCode(prefix, after);
    const high = Number(prefix.padEnd(8, "9"));
    const within = this.#searcher!.findWithin({ uf, city, neighbourhood });
    if (within !== undefined) {
      const ceps = this.#searcher!.listCodes(within, low, high, limit + 1);
      return pageOfCodes(ceps, limit, null);
    }
    const select = await this.#connection.prepare(
      `SELECT cep FROM ${this.#connection.table("cep")}
       WHERE cep BETWEEN ? AND ? ORDER BY cep LIMIT ?`,
    );
    const rows = await select.all([low, high, limit + 1]);
    const total = await this.#countBetween(
      Number(prefix.padEnd(8, "0")),
      high,
    );
    return pageOfCodes(rows.map(([cep]) => cep as number), limit, total);
  }

  /**
   * Finds the record of eight digits as JSON: synchronously from a snapshot or
   * a local connection.
   */
  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined> {
    if (this.#snapshot !== undefined) {
      return this.#render(this.#snapshot.find(cep), true);
    }
    const row = this.#selectRecord.get([Number(cep)]);
    return row instanceof Promise
      ? row.then((row) => this.#render(row?.[0], false))
      : this.#render(row?.[0], false);
  }

  #render(json: Value | undefined, fromMemory: boolean): Rendered | undefined {
    return typeof json === "string"
      ? { json, release: this.facts, fromMemory }
      : undefined;
  }

  /** Finds the record of a CEP in one of its written forms. */
  async find(text: string): Promise<Address | undefined> {
    const cep = parseCep(text);
    const found = cep === undefined ? undefined : await this.findJson(cep);
    return found && JSON.parse(found.json);
  }

  /** Returns the first records of a prefix. */
  async list(prefix: string, limit: number): Promise<Listing> {
    const low = Number(prefix.padEnd(8, "0"));
    const high = Number(prefix.padEnd(8, "9"));
    const total = await this.#countBetween(low, high);
    const select = await this.#connection.prepare(
      selectRecords(this.#connection.table),
    );
    const rows = await select.all([low, high, limit]);
    return { total, data: rows.map(toRecord) };
  }

  async #countBetween(low: number, high: number): Promise<number> {
    const { table } = this.#connection;
    // Counts a range of less than a thousand CEPs; adds up totals for others.
    const [sql, unit] = high - low < 999
      ? [`SELECT count(*) FROM ${table("cep")} WHERE cep BETWEEN ? AND ?`, 1]
      : [
        `SELECT ifnull(sum(total), 0) FROM ${table("setor")}
         WHERE setor BETWEEN ? AND ?`,
        1000,
      ] as const;
    const count = await this.#connection.prepare(sql);
    const row = await count.get([
      Math.floor(low / unit),
      Math.floor(high / unit),
    ]);
    return row?.[0] as number;
  }

  /** Iterates over all records as JSON texts, in order of CEP. */
  async *dump(): AsyncGenerator<string[]> {
    const select = await this.#connection.prepare(
      selectRecords(this.#connection.table),
    );
    let low = 0;
    while (true) {
      const rows = await select.all([low, LAST_CEP, SCANNED_AT_ONCE]);
      if (rows.length === 0) return;
      yield rows.map(([, json]) => json as string);
      low = rows.at(-1)![0] as number + 1;
    }
  }

  /** Returns the places, which the first call reads. */
  gazetteer(): Promise<Gazetteer> {
    this.#gazetteer ??= readPlaces(this.#connection, this.facts)
      .catch((error) => {
        this.#gazetteer = undefined;
        throw error;
      });
    return this.#gazetteer;
  }

  /** Finds the changes of a CEP of eight digits. */
  async history(cep: string): Promise<CepHistory> {
    const changes = await this.#openChanges();
    return {
      release: this.facts,
      isCurrent: await changes.isCurrent(cep),
      changes: await listChanges(cep, changes),
      last: await lastChange(cep, changes),
    };
  }

  /** Finds the last change of a CEP of eight digits. */
  async lastChange(cep: string): Promise<CepChange | undefined> {
    return await lastChange(cep, await this.#openChanges());
  }

  async #openChanges(): Promise<StoredChanges> {
    return this.#changes ??= await StoredChanges.prepare(this.#connection);
  }

  /**
   * Returns the rows of the table `historico`.
   *
   * @throws {Error} If one is damaged: the next release could not store it.
   */
  async historyRows(): Promise<Literal[][]> {
    const rows = await readRows<Literal[]>(this.#connection, {
      table: "historico",
      columns: "id, cep, cep_novo, dne_version, seeded_at",
      key: ["id"],
    });
    if (!rows.every(isChange)) throw new Error("a row is damaged");
    return rows;
  }

  /**
   * Frees the snapshot and the search index, which another release replaces.
   * Calls in progress are completed: records are then read by queries.
   */
  retire(): void {
    this.#snapshot?.free();
    this.#snapshot = undefined;
    this.#isRetired = true;
    this.#freeSearcher();
  }

  /** Frees the search index if no search reads it. */
  #freeSearcher(): void {
    if (this.#searches > 0) return;
    this.#searcher?.free();
    this.#searcher = undefined;
  }

  close(): void {
    this.#connection.close();
  }
}

/** True for a row of the table `historico`. */
function isChange(row: readonly (Value | undefined)[]): boolean {
  const [id, cep, successor, version, time] = row;
  return isCode(id, Number.MAX_SAFE_INTEGER) && isCode(cep) &&
    (successor === null || isCode(successor)) &&
    typeof version === "string" && typeof time === "string";
}

function isCode(value: Value | undefined, max = LAST_CEP): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 &&
    value <= max;
}

function toRecord([, json]: Value[]): Address {
  return JSON.parse(json as string);
}

/** Parts that are requested before they are needed, from a server. */
const PARTS_AHEAD = 3;

async function* readParts(
  select: Statement,
  count: number,
  signal?: EndSignal,
): AsyncGenerator<Uint8Array> {
  const requested: (Row | Promise<Row>)[] = [];
  let isRemote = false;
  for (let part = 1; part <= count; part++) {
    const last = isRemote ? Math.min(part + PARTS_AHEAD, count) : part;
    for (let i = part + requested.length; i <= last; i++) {
      requested.push(request(select, i));
    }
    const row = requested.shift();
    isRemote = row instanceof Promise;
    const [bytes] = await row ?? [];
    signal?.throwIfAborted();
    if (!(bytes instanceof Uint8Array)) {
      throw new Error(`part ${part} is missing`);
    }
    yield bytes;
    await setImmediate(); // Requests are answered in between.
  }
}

function request(select: Statement, part: number): Row | Promise<Row> {
  const row = select.get([part]);
  // A failure of an earlier part leaves it behind.
  if (row instanceof Promise) row.catch(() => {});
  return row;
}
