/**
 * Release that is open for reading.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { type Address, parseCep } from "../address.ts";
import type { Connection, Statement, Value } from "./driver.ts";
import type { Literal } from "./row_buffer.ts";
import { SELECT_RECORD, SELECT_RECORDS } from "./schema.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import type { Listing, Release, Rendered } from "./store.ts";

/** Records per query of a scan. */
const SCANNED_AT_ONCE = 1000;

const LAST_CEP = 99_999_999;

/** Open release, which never changes. */
export class OpenRelease {
  /** Id, version, time and totals of the release. */
  readonly facts: Release;
  readonly #connection: Connection;
  readonly #selectRecord: Statement;
  #snapshot: Snapshot | undefined;

  private constructor(
    facts: Release,
    connection: Connection,
    selectRecord: Statement,
  ) {
    this.facts = facts;
    this.#connection = connection;
    this.#selectRecord = selectRecord;
  }

  /** Opens the release of a database. */
  static async open(connection: Connection): Promise<OpenRelease> {
    const select = await connection.prepare(
      `SELECT id, dne_version, seeded_at, total_ceps, total_by_state,
       total_by_file FROM release`,
    );
    const row = select.get() as
      | [number, string, string, number, string, string]
      | undefined;
    if (row === undefined) throw new Error("it contains no release");
    const [id, dneVersion, seededAt, totalCeps, byState, byFile] = row;
    return new OpenRelease(
      {
        id,
        dneVersion,
        seededAt,
        totalCeps,
        totalByState: JSON.parse(byState),
        totalByFile: JSON.parse(byFile),
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

  /** Iterates over all records in order of CEP. */
  async *scan(): AsyncGenerator<Address[]> {
    const select = await this.#connection.prepare(SELECT_RECORDS);
    let first = 0;
    while (true) {
      const rows = await select.all([first, LAST_CEP, SCANNED_AT_ONCE]);
      if (rows.length === 0) return;
      yield rows.map(toRecord);
      first = rows.at(-1)![0] as number + 1;
    }
  }

  /** Returns the rows of the table `historico`. */
  async history(): Promise<Literal[][]> {
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
