/**
 * Release that is open for reading.
 *
 * @module
 */
import { type Address, parseCep } from "../address.ts";
import type { CensusRow } from "../census.ts";
import { parseCensusRow, readCensus, selectCensusRow } from "./census_rows.ts";
import { lastChange, listChanges, StoredChanges } from "./cep_history.ts";
import { codePrefix } from "../search/code_prefix.ts";
import { type FoundRecord, Searcher } from "../search/search.ts";
import type { Connection, Statement, Value } from "./connection.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { readHistory } from "./history_rows.ts";
import { findOtherName } from "./other_names.ts";
import { readPlaces } from "./place_queries.ts";
import { StoredRows } from "./present_rows.ts";
import { KdTree } from "../near/kd_tree.ts";
import { SearchIndex } from "../search/search_index.ts";
import { plainMemory, sharedMemory } from "../memory.ts";
import {
  type EndSignal,
  loadParts,
  type PartData,
  PARTS_TABLES,
  type PartsTable,
} from "./release_parts.ts";
import { ReleasePoints } from "./release_points.ts";
import type { Literal } from "./row_buffer.ts";
import { selectRecord, selectRecords } from "./schema.ts";
import type { SharedParts } from "./shared_parts.ts";
import { Snapshot } from "./snapshot.ts";
import {
  firstCode,
  type FoundCodes,
  isWordPosition,
  pageOfCodes,
  searchWords,
  toText,
} from "./search_release.ts";
import type {
  AddressPage,
  AddressQuery,
  Census,
  CepChange,
  CepHistory,
  Listing,
  NearestPage,
  NearestQuery,
  Release,
  Rendered,
  SearchPage,
  SearchQuery,
  SearchResult,
} from "./store.ts";

/** Records per query of a scan. */
const SCANNED_AT_ONCE = 1000;

const LAST_CEP = 99_999_999;

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
  #selectCensus: Statement | undefined;
  readonly #points: ReleasePoints;
  #searcher: Searcher | undefined;
  /** Searches in progress. */
  #searches = 0;
  #isRetired = false;
  #sharedParts: SharedParts | undefined;

  private constructor(
    facts: Release,
    connection: Connection,
    selectRecord: Statement,
  ) {
    this.facts = facts;
    this.#connection = connection;
    this.#selectRecord = selectRecord;
    this.rows = new StoredRows(connection);
    this.#points = new ReleasePoints(async () =>
      new KdTree(await this.#load("pontos"))
    );
  }

  /** True if records are read from a snapshot in memory. */
  get isInMemory(): boolean {
    return this.#snapshot !== undefined;
  }

  /** Opens the release of a database. */
  static async open(connection: Connection): Promise<OpenRelease> {
    const select = await connection.prepare(
      `SELECT id, dne_version, seeded_at, total_ceps, total_by_state,
       total_by_file, optional_files, sources, total_censo FROM ${
        connection.table("release")
      }`,
    );
    const row = await select.get() as
      | [number, string, string, number, ...json: string[], number]
      | undefined;
    if (row === undefined) throw new Error("it contains no release");
    const [id, dneVersion, seededAt, totalCeps, ...others] = row;
    const [byState, byFile, optional, sources, totalCensus] = others as [
      ...[string, string, string, string],
      number,
    ];
    const facts: Release = {
      id,
      dneVersion,
      seededAt,
      totalCeps,
      totalByState: JSON.parse(byState),
      totalByFile: JSON.parse(byFile),
      optionalFiles: JSON.parse(optional),
      sources: JSON.parse(sources),
      totalCensus,
    };
    const sql = selectRecord(connection.table, isCounted(facts));
    return new OpenRelease(facts, connection, await connection.prepare(sql));
  }

  /** Shares the parts that are loaded from now on with other threads. */
  shareParts(parts: SharedParts): void {
    this.#sharedParts = parts;
  }

  #load<T extends PartsTable>(
    name: T,
    signal?: EndSignal,
  ): Promise<PartData[T]> {
    const connection = this.#connection;
    if (this.#sharedParts === undefined) {
      return loadParts(connection, name, { allocate: plainMemory, signal });
    }
    return this.#sharedParts.take(
      this.facts.id,
      name,
      () => loadParts(connection, name, { allocate: sharedMemory, signal }),
    );
  }

  /**
   * Loads the snapshot, to serve records from it.
   *
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSnapshot(signal?: EndSignal): Promise<void> {
    this.#snapshot = new Snapshot(await this.#load("snapshot", signal));
  }

  /**
   * Loads the search index.
   *
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSearch(signal?: EndSignal): Promise<void> {
    const arrays = await this.#load("busca", signal);
    this.#searcher = new Searcher(new SearchIndex(arrays));
  }

  /** True if the points were read, and are damaged or missing. */
  get hasDamagedPoints(): boolean {
    return this.#points.isDamaged;
  }

  /**
   * Checks that the snapshot, the search index and the points can be loaded.
   *
   * @param signal Ends the check between two parts.
   * @throws {Error} If one is damaged or of another version.
   */
  async checkParts(signal?: EndSignal): Promise<void> {
    for (const name of PARTS_TABLES) {
      await loadParts(this.#connection, name, { signal });
    }
  }

  /** Finds the records nearest to a place. */
  async nearest(query: NearestQuery): Promise<NearestPage> {
    const points = await this.#points.nearest(query);
    const data = await Promise.all(points.map(async ({ cep, distance }) => {
      const digits = `${cep}`.padStart(8, "0");
      const { json } = (await this.findJson(digits))!;
      return { cep: digits, json, distance };
    }));
    return { release: this.facts, data };
  }

  /** Searches for records. */
  search(query: SearchQuery): Promise<SearchPage> {
    return this.#whileOpen((searcher) => this.#search(searcher, query));
  }

  /** Finds the records of an address. */
  findAddress(query: AddressQuery): Promise<AddressPage> {
    return this.#whileOpen(async (searcher) => {
      const { best, others, ...found } = searcher.findAddress(query);
      const result = best && await this.#resultOf(
        toText(searcher.cepOf(best.record)),
        searcher,
        best,
      );
      return {
        ...found,
        release: this.facts,
        best: result && { ...result, agreements: best.agreements },
        others: others.map((record) => toText(searcher.cepOf(record))),
      };
    });
  }

  /** Keeps the search index until a search is done. */
  async #whileOpen<T>(search: (searcher: Searcher) => Promise<T>): Promise<T> {
    if (this.#searcher === undefined) {
      throw new Error("it was opened without the search index");
    }
    this.#searches++;
    try {
      return await search(this.#searcher);
    } finally {
      this.#searches--;
      if (this.#isRetired) this.#freeSearcher();
    }
  }

  async #resultOf(
    cep: string,
    searcher: Searcher,
    found?: FoundRecord,
  ): Promise<SearchResult> {
    const { json } = (await this.findJson(cep))!;
    if (found === undefined) return { cep, json };
    const { record, otherName } = found;
    const seen = searcher.seen(record);
    const foundName = otherName &&
      await findOtherName(this.#connection, cep, otherName);
    return {
      cep,
      json,
      ...(seen && { seen }),
      ...(foundName && { foundName }),
    };
  }

  async #search(searcher: Searcher, query: SearchQuery): Promise<SearchPage> {
    const prefix = isWordPosition(query.after) || query.streets
      ? undefined
      : codePrefix(query);
    let found = prefix && await this.#searchCodes(prefix, query);
    // A short number may also be the name of a street.
    if (!found || found.ceps.length === 0 && query.after === undefined) {
      found = searchWords(searcher, query);
    }
    const { records, total, next } = found;
    const data = await Promise.all(
      found.ceps.map((cep, i) => this.#resultOf(cep, searcher, records?.[i])),
    );
    return { release: this.facts, total, data, next };
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
      selectRecords(this.#connection.table, isCounted(this.facts)),
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
      selectRecords(this.#connection.table, isCounted(this.facts)),
    );
    let low = 0;
    while (true) {
      const rows = await select.all([low, LAST_CEP, SCANNED_AT_ONCE]);
      if (rows.length === 0) return;
      yield rows.map(([, json]) => json as string);
      low = rows.at(-1)![0] as number + 1;
    }
  }

  /** Iterates over the rows of the CNEFE, in batches and in order of CEP. */
  censusRows(): AsyncGenerator<CensusRow[]> {
    return readCensus(this.#connection);
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

  /** Finds the addresses of a CEP of eight digits in the CNEFE. */
  async census(cep: string): Promise<Census> {
    const select = this.#selectCensus ??= await this.#connection.prepare(
      selectCensusRow(this.#connection.table),
    );
    const [json] = await select.get([Number(cep)]) ?? [];
    return {
      release: this.facts,
      row: typeof json === "string" ? parseCensusRow(json) : undefined,
    };
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
  historyRows(): Promise<Literal[][]> {
    return readHistory(this.#connection);
  }

  /**
   * Frees the snapshot, the search index and the points, which another release
   * replaces.
   * Calls in progress are completed: records are then read by queries.
   */
  retire(): void {
    this.#snapshot?.free();
    this.#snapshot = undefined;
    this.#points.retire();
    this.#isRetired = true;
    this.#freeSearcher();
  }

  /** Frees the search index if no search reads it. */
  #freeSearcher(): void {
    if (this.#searches > 0) return;
    this.#searcher?.free();
    this.#searcher = undefined;
    this.#dropParts();
  }

  #dropParts(): void {
    if (this.#sharedParts === undefined) return;
    this.#sharedParts.drop(this.facts.id);
    this.#sharedParts = undefined;
  }

  close(): void {
    this.#dropParts();
    this.#connection.close();
  }
}

/** True if records have the fields of the CNEFE. */
function isCounted({ sources }: Release): boolean {
  return sources.includes("cnefe");
}

function toRecord([, json]: Value[]): Address {
  return JSON.parse(json as string);
}
