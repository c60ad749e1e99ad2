import { type Address, parseCep } from "../record/address.ts";
import type { CensusRow } from "../record/census.ts";
import { parseCensusRow, readCensus, selectCensusRow } from "./census_rows.ts";
import {
  lastChange,
  listChanges,
  readHistory,
  StoredChanges,
} from "./cep_history.ts";
import {
  codePrefix,
  SearchBusyError,
  type Searches,
  type SearchPlace,
} from "../search/search_calls.ts";
import {
  attempt,
  type Connection,
  failure,
  type Statement,
  type Value,
} from "./connection.ts";
import { type Gazetteer, readPlaces } from "./gazetteer.ts";
import {
  findOtherName,
  firstCode,
  type FoundCodes,
  isWordPosition,
  pageOfCodes,
  searchWords,
  toText,
} from "./search_release.ts";
import { StoredRows } from "./present_rows.ts";
import { KdTree } from "./points/kd_tree.ts";
import { sharedMemory } from "../util/memory.ts";
import {
  type EndSignal,
  type LoadOptions,
  loadParts,
  type PartData,
  PARTS_TABLES,
  type PartsTable,
  type SharedParts,
} from "./release_parts.ts";
import { ReleasePoints, requireNearestQuery } from "./release_points.ts";
import type { Literal } from "./row_batch.ts";
import { selectRecord, selectRecords } from "./schema.ts";
import { Snapshot } from "./snapshot.ts";
import { BusyError } from "./errors.ts";
import type {
  AddressPage,
  AddressQuery,
  Census,
  CepChange,
  CepHistory,
  Listing,
  NearestPage,
  NearestQuery,
  ReleaseReader,
  Rendered,
  SearchPage,
  SearchQuery,
  SearchResult,
} from "./queries.ts";
import { FACT_COLUMNS, type Release, toFacts } from "./release.ts";

/** Records per query of a scan. */
const SCANNED_AT_ONCE = 1000;

const LAST_CEP = 99_999_999;

const CANNOT_READ = "Cannot read the database";

/** Open release, which never changes. */
export class OpenRelease implements ReleaseReader {
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
  #searches: Searches | undefined;
  /** Number of searches in progress. */
  #searching = 0;
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
      `SELECT ${Object.keys(FACT_COLUMNS)} FROM ${connection.table("release")}`,
    );
    const row = await select.get();
    if (row === undefined) throw new Error("it contains no release");
    const facts = toFacts(row);
    const sql = selectRecord(connection.table, isCounted(facts));
    return new OpenRelease(facts, connection, await connection.prepare(sql));
  }

  /** Shares the parts that are loaded from now on with other threads. */
  shareParts(parts: SharedParts): void {
    this.#sharedParts = parts;
  }

  #load<T extends PartsTable>(
    name: T,
    options: LoadOptions = {},
  ): Promise<PartData[T]> {
    const connection = this.#connection;
    if (this.#sharedParts === undefined) {
      return loadParts(connection, name, options);
    }
    return this.#sharedParts.take(
      this.facts.id,
      name,
      () => loadParts(connection, name, { ...options, allocate: sharedMemory }),
    );
  }

  /**
   * Loads the snapshot, to serve records from it.
   *
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSnapshot(signal?: EndSignal): Promise<void> {
    this.#snapshot = new Snapshot(await this.#load("snapshot", { signal }));
  }

  /**
   * Loads the search index.
   *
   * @param place Place where searches run.
   * @param signal Ends the loading between two parts.
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSearch(place: SearchPlace, signal?: EndSignal): Promise<void> {
    const { allocate } = place;
    this.#searches = place.open(
      await this.#load("busca", { allocate, signal }),
    );
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

  async nearest(query: NearestQuery): Promise<NearestPage> {
    requireNearestQuery(query);
    const points = await attempt(
      CANNOT_READ,
      () => this.#points.nearest(query),
    );
    const data = await Promise.all(points.map(async ({ cep, distance }) => {
      const digits = `${cep}`.padStart(8, "0");
      const { json } = (await this.findJson(digits))!;
      return { cep: digits, json, distance };
    }));
    return { release: this.facts, data };
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    try {
      return await this.#whileOpen((searches) => this.#search(searches, query));
    } catch (error) {
      // A position is the fault of the caller, not of the database.
      throw error instanceof RangeError ? error : failure(CANNOT_READ, error);
    }
  }

  findAddress({ inBulk, ...query }: AddressQuery): Promise<AddressPage> {
    return attempt(CANNOT_READ, () =>
      this.#whileOpen(async (searches) => {
        const { best, others, ...found } = await searches.call(
          "findAddress",
          query,
          { inBulk },
        );
        const result = best && await this.#resultOf(best);
        return {
          ...found,
          release: this.facts,
          best: result && { ...result, agreements: best.agreements },
          others: others.map(toText),
        };
      }));
  }

  /** Keeps the search index until a search is done. */
  async #whileOpen<T>(search: (searches: Searches) => Promise<T>): Promise<T> {
    if (this.#searches === undefined) {
      throw new Error("it was opened without the search index");
    }
    this.#searching++;
    try {
      return await search(this.#searches);
    } catch (cause) {
      if (!(cause instanceof SearchBusyError)) throw cause;
      throw new BusyError(cause.message, { cause });
    } finally {
      this.#searching--;
      if (this.#isRetired) this.#freeSearches();
    }
  }

  async #resultOf(
    { cep: code, otherName, seen }: FoundCodes["ceps"][number],
  ): Promise<SearchResult> {
    const cep = toText(code);
    const { json } = (await this.findJson(cep))!;
    const foundName = otherName &&
      await findOtherName(this.#connection, cep, otherName);
    return {
      cep,
      json,
      ...(seen && { seen }),
      ...(foundName && { foundName }),
    };
  }

  async #search(searches: Searches, query: SearchQuery): Promise<SearchPage> {
    const prefix = isWordPosition(query.after) || query.streets
      ? undefined
      : codePrefix(query);
    let found = prefix && await this.#searchCodes(searches, prefix, query);
    // A short number may also be the name of a street.
    if (!found || found.ceps.length === 0 && query.after === undefined) {
      found = await searchWords(searches, query);
    }
    const { ceps, total, next } = found;
    const data = await Promise.all(ceps.map((it) => this.#resultOf(it)));
    return { release: this.facts, total, data, next };
  }

  /** Finds the CEPs that begin with some digits, in order. */
  async #searchCodes(
    searches: Searches,
    prefix: string,
    { limit, after, uf, city, neighbourhood }: SearchQuery,
  ): Promise<FoundCodes> {
    const first = firstCode(prefix, after);
    const last = Number(prefix.padEnd(8, "9"));
    if ((uf ?? city ?? neighbourhood) !== undefined) {
      const ceps = await searches.call("listCodes", {
        filters: { uf, city, neighbourhood },
        first,
        last,
        limit: limit + 1,
      });
      return pageOfCodes(ceps, limit, null);
    }
    const select = await this.#connection.prepare(
      `SELECT cep FROM ${this.#connection.table("cep")}
       WHERE cep BETWEEN ? AND ? ORDER BY cep LIMIT ?`,
    );
    const rows = await select.all([first, last, limit + 1]);
    const total = await this.#countBetween(
      Number(prefix.padEnd(8, "0")),
      last,
    );
    return pageOfCodes(rows.map(([cep]) => cep as number), limit, total);
  }

  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined> {
    try {
      if (this.#snapshot !== undefined) {
        return this.#render(this.#snapshot.find(cep), true);
      }
      const row = this.#selectRecord.get([Number(cep)]);
      return row instanceof Promise
        ? attempt(
          CANNOT_READ,
          () => row.then((it) => this.#render(it?.[0], false)),
        )
        : this.#render(row?.[0], false);
    } catch (cause) {
      throw failure(CANNOT_READ, cause);
    }
  }

  #render(json: Value | undefined, fromMemory: boolean): Rendered | undefined {
    return typeof json === "string"
      ? { json, release: this.facts, fromMemory }
      : undefined;
  }

  async find(text: string): Promise<Address | undefined> {
    const cep = parseCep(text);
    const found = cep === undefined ? undefined : await this.findJson(cep);
    return found && JSON.parse(found.json);
  }

  list(prefix: string, limit: number): Promise<Listing> {
    return attempt(CANNOT_READ, async () => {
      const low = Number(prefix.padEnd(8, "0"));
      const high = Number(prefix.padEnd(8, "9"));
      const total = await this.#countBetween(low, high);
      const select = await this.#connection.prepare(
        selectRecords(this.#connection.table, isCounted(this.facts)),
      );
      const rows = await select.all([low, high, limit]);
      return { total, data: rows.map(toRecord) };
    });
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

  gazetteer(): Promise<Gazetteer> {
    this.#gazetteer ??= readPlaces(this.#connection, this.facts)
      .catch((cause) => {
        this.#gazetteer = undefined;
        throw failure(CANNOT_READ, cause);
      });
    return this.#gazetteer;
  }

  census(cep: string): Promise<Census> {
    return attempt(CANNOT_READ, async () => {
      const select = this.#selectCensus ??= await this.#connection.prepare(
        selectCensusRow(this.#connection.table),
      );
      const [json] = await select.get([Number(cep)]) ?? [];
      return {
        release: this.facts,
        row: typeof json === "string" ? parseCensusRow(json) : undefined,
      };
    });
  }

  history(cep: string): Promise<CepHistory> {
    return attempt(CANNOT_READ, async () => {
      const changes = await this.#openChanges();
      return {
        release: this.facts,
        isCurrent: await changes.isCurrent(cep),
        changes: await listChanges(cep, changes),
        last: await lastChange(cep, changes),
      };
    });
  }

  lastChange(cep: string): Promise<CepChange | undefined> {
    return attempt(
      CANNOT_READ,
      async () => await lastChange(cep, await this.#openChanges()),
    );
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
    this.#freeSearches();
  }

  /** Frees the search index if no search reads it. */
  #freeSearches(): void {
    if (this.#searching > 0) return;
    this.#closeSearches();
    this.#dropParts();
  }

  #closeSearches(): void {
    this.#searches?.close();
    this.#searches = undefined;
  }

  #dropParts(): void {
    if (this.#sharedParts === undefined) return;
    this.#sharedParts.drop(this.facts.id);
    this.#sharedParts = undefined;
  }

  close(): void {
    this.#closeSearches();
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
