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
import type { Connection, Statement, Value } from "./driver.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { readPlaces } from "./place_queries.ts";
import { StoredRows } from "./present_rows.ts";
import type { Literal } from "./row_buffer.ts";
import { SELECT_RECORD, SELECT_RECORDS } from "./schema.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import {
  firstCode,
  type FoundCodes,
  isWordPosition,
  pageOfCodes,
  searchWords,
} from "./search_release.ts";
import type {
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

  /** Opens the release of a database. */
  static async open(connection: Connection): Promise<OpenRelease> {
    const select = await connection.prepare(
      `SELECT id, dne_version, seeded_at, total_ceps, total_by_state,
       total_by_file, optional_files FROM release`,
    );
    const row = select.get() as
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
      await connection.prepare(SELECT_RECORD),
    );
  }

  /**
   * Loads the snapshot, to serve records from it.
   *
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSnapshot(): Promise<void> {
    const select = await this.#connection.prepare(
      "SELECT snapshot, (SELECT max(part) FROM snapshot) FROM release",
    );
    const [header, parts] = select.get() as [string, number];
    const selectPart = await this.#connection.prepare(
      "SELECT bytes FROM snapshot WHERE part = ?",
    );
    this.#snapshot = await readSnapshot(
      JSON.parse(header),
      readParts(selectPart, parts),
    );
    // Free the pages of the parts, which are not needed again.
    await this.#connection.exec("PRAGMA shrink_memory");
  }

  /**
   * Loads the search index.
   *
   * @throws {Error} If it is damaged or of another version.
   */
  async loadSearch(): Promise<void> {
    const select = await this.#connection.prepare(
      "SELECT busca, (SELECT max(part) FROM busca) FROM release",
    );
    const [header, parts] = select.get() as [string, number];
    const selectPart = await this.#connection.prepare(
      "SELECT bytes FROM busca WHERE part = ?",
    );
    const index = await readSearchIndex(
      JSON.parse(header),
      readParts(selectPart, parts),
    );
    this.#searcher = new Searcher(index);
    await this.#connection.exec("PRAGMA shrink_memory");
  }

  /** Searches for records. */
  async search(query: SearchQuery): Promise<SearchPage> {
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
    const data = found.ceps.map((cep) => ({
      cep,
      json: this.findJson(cep)!.json,
    }));
    return { ...found, release: this.facts, data };
  }

  /** Finds the CEPs that begin with some digits, in order. */
  async #searchCodes(
    prefix: string,
    { limit, after, uf, city, neighbourhood }: SearchQuery,
  ): Promise<FoundCodes> {
    const first = firstCode(prefix, after);
    const last = Number(prefix.padEnd(8, "9"));
    const within = this.#searcher!.findWithin({ uf, city, neighbourhood });
    if (within !== undefined) {
      const ceps = this.#searcher!.listCodes(within, first, last, limit + 1);
      return pageOfCodes(ceps, limit, null);
    }
    const select = await this.#connection.prepare(
      "SELECT cep FROM cep WHERE cep BETWEEN ? AND ? ORDER BY cep LIMIT ?",
    );
    const rows = await select.all([first, last, limit + 1]);
    const total = await this.#countBetween(
      Number(prefix.padEnd(8, "0")),
      last,
    );
    return pageOfCodes(rows.map(([cep]) => cep as number), limit, total);
  }

  /** Finds the record of eight digits as JSON. */
  findJson(cep: string): Rendered | undefined {
    const release = this.facts;
    const fromMemory = this.#snapshot !== undefined;
    const json = this.#snapshot === undefined
      ? this.#selectRecord.get([Number(cep)])?.[0] as string | undefined
      : this.#snapshot.find(cep);
    return json === undefined ? undefined : { json, release, fromMemory };
  }

  /** Finds the record of a CEP in one of its written forms. */
  find(text: string): Address | undefined {
    const cep = parseCep(text);
    const found = cep === undefined ? undefined : this.findJson(cep);
    return found && JSON.parse(found.json);
  }

  /** Returns the first records of a prefix. */
  async list(prefix: string, limit: number): Promise<Listing> {
    const first = Number(prefix.padEnd(8, "0"));
    const last = Number(prefix.padEnd(8, "9"));
    const total = await this.#countBetween(first, last);
    const select = await this.#connection.prepare(SELECT_RECORDS);
    const rows = await select.all([first, last, limit]);
    return { total, data: rows.map(toRecord) };
  }

  async #countBetween(first: number, last: number): Promise<number> {
    // Counts a range of less than a thousand CEPs; adds up totals for others.
    const [sql, unit] = last - first < 999
      ? ["SELECT count(*) FROM cep WHERE cep BETWEEN ? AND ?", 1]
      : [
        `SELECT ifnull(sum(total), 0) FROM setor WHERE setor BETWEEN ? AND ?`,
        1000,
      ] as const;
    const count = await this.#connection.prepare(sql);
    const row = count.get([Math.floor(first / unit), Math.floor(last / unit)]);
    return row?.[0] as number;
  }

  /** Iterates over all records as JSON texts, in order of CEP. */
  async *dump(): AsyncGenerator<string[]> {
    const select = await this.#connection.prepare(SELECT_RECORDS);
    let first = 0;
    while (true) {
      const rows = await select.all([first, LAST_CEP, SCANNED_AT_ONCE]);
      if (rows.length === 0) return;
      yield rows.map(([, json]) => json as string);
      first = rows.at(-1)![0] as number + 1;
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
    const changes = this.#changes ??= await StoredChanges.prepare(
      this.#connection,
    );
    return {
      release: this.facts,
      isCurrent: changes.isCurrent(cep),
      changes: listChanges(cep, changes),
      last: lastChange(cep, changes),
    };
  }

  /** Returns the rows of the table `historico`. */
  async historyRows(): Promise<Literal[][]> {
    const select = await this.#connection.prepare("SELECT * FROM historico");
    return await select.all() as Literal[][];
  }

  close(): void {
    this.#connection.close();
  }
}

function toRecord([, json]: Value[]): Address {
  return JSON.parse(json as string);
}

async function* readParts(
  select: Statement,
  count: number,
): AsyncGenerator<Uint8Array> {
  for (let part = 1; part <= count; part++) {
    const [bytes] = select.get([part]) ?? [];
    // The checksum reveals a missing part.
    if (bytes !== undefined) yield bytes as Uint8Array;
    await setImmediate(); // Requests are answered in between.
  }
}
