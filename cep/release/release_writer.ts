import type { CensusRow } from "../record/census.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../record/entry.ts";
import type { PointsHeader } from "./points/points_layout.ts";
import { PointsWriter } from "./points/points_writer.ts";
import { Places } from "../record/places.ts";
import { SearchIndexWriter } from "../search/index_writer.ts";
import { CensusBuffer } from "./census_rows.ts";
import { CensusPoints } from "./census_points.ts";
import type { WritableConnection } from "./connection.ts";
import {
  EntryRecord,
  Origins,
  toBairroRow,
  toEntryRow,
  toLocalityRow,
  toOriginRow,
} from "./entry_rows.ts";
import { findChanges } from "./cep_history.ts";
import { type Literal, RowBuffer } from "./row_batch.ts";
import { createTables } from "./schema.ts";
import { SnapshotWriter } from "./snapshot_writer.ts";
import type { Release, ReleaseFacts } from "./release.ts";

/** Table of parts, whose header is the column of `release` with its name. */
type PartTable = "snapshot" | "busca" | "pontos";

/**
 * Writes a release. The driver writes in another thread while the next rows are
 * prepared.
 */
export class ReleaseWriter {
  readonly #connection: WritableConnection;
  readonly #id: number;
  readonly #entries: RowBuffer;
  readonly #duplicates: RowBuffer;
  readonly #censusRows: CensusBuffer;
  readonly #census = new CensusPoints();
  readonly #places = new Places();
  readonly #origins = new Origins();
  readonly #snapshot = new SnapshotWriter();
  readonly #record = new EntryRecord();
  readonly #moves: Move[] = [];
  readonly #index = new SearchIndexWriter(this.#places);
  #hasEntries = false;
  /** True once an entry has a neighbourhood. */
  #hasNeighbourhoods = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(connection: WritableConnection, id: number) {
    this.#connection = connection;
    this.#id = id;
    this.#entries = new RowBuffer(connection, "cep");
    this.#duplicates = new RowBuffer(connection, "duplicado");
    this.#censusRows = new CensusBuffer(connection);
  }

  /**
   * Creates the tables, and begins to write.
   *
   * @param id Id of the release.
   */
  static async begin(
    connection: WritableConnection,
    id: number = newReleaseId(),
  ): Promise<ReleaseWriter> {
    await connection.begin(createTables(connection.table));
    return new ReleaseWriter(connection, id);
  }

  /** Adds the rows of the table `historico` of the previous release. */
  async addHistory(rows: readonly Literal[][]): Promise<void> {
    await this.#insertAll("historico", rows);
  }

  async addLocalities(localities: readonly Locality[]): Promise<void> {
    // The snapshot contains names of localities and neighbourhoods.
    if (this.#hasEntries) {
      throw new TypeError(
        "Cannot add localities: they must precede all entries",
      );
    }
    for (const it of localities) this.#places.localities.set(it.number, it);
    const first = this.#places.localities.size - localities.length;
    await this.#insertAll(
      "localidade",
      localities.values().map((it, i) => toLocalityRow(it, first + i)),
    );
  }

  async addNeighbourhoods(
    neighbourhoods: readonly Neighbourhood[],
  ): Promise<void> {
    if (this.#hasNeighbourhoods) {
      throw new TypeError(
        "Cannot add neighbourhoods: they must precede the entries in them",
      );
    }
    const { neighbourhoods: places } = this.#places;
    for (const it of neighbourhoods) places.set(it.number, it);
    await this.#insertAll("bairro", neighbourhoods.values().map(toBairroRow));
  }

  /**
   * Adds rows of an optional file. All must be added before the first entry
   * with a neighbourhood.
   *
   * @returns The number of rows whose key an earlier row has.
   */
  async addDetails(
    table: DetailTable,
    rows: readonly DetailRow[],
  ): Promise<number> {
    if (this.#hasNeighbourhoods) {
      throw new TypeError(
        "Cannot add details: they must precede the entries in neighbourhoods",
      );
    }
    this.#index.addDetails(table, rows);
    const before = await this.#countChanges();
    await this.#insertAll(table, rows, "INSERT OR IGNORE");
    return rows.length - (await this.#countChanges() - before);
  }

  async #countChanges(): Promise<number> {
    await this.#running;
    return await this.#connection.countWritten();
  }

  async #insertAll(
    table: string,
    rows: Iterable<readonly Literal[]>,
    verb: "INSERT" | "INSERT OR IGNORE" = "INSERT",
  ): Promise<void> {
    const buffer = new RowBuffer(this.#connection, table, verb);
    for (const row of rows) {
      if (buffer.add(row)) await this.#run(() => buffer.insert());
    }
    await this.#run(() => buffer.insert());
  }

  async addCensus(rows: readonly CensusRow[]): Promise<void> {
    // Records contain counts and places.
    if (this.#hasEntries) {
      throw new TypeError(
        "Cannot add census rows: they must precede all entries",
      );
    }
    for (const row of rows) {
      const isFull = this.#censusRows.add(row);
      this.#census.add(row);
      this.#index.addCensus(row);
      if (isFull) await this.#run(() => this.#censusRows.insert());
    }
  }

  async addEntries(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      requireCep(entry.cep);
      this.#hasEntries = true;
      const cep = Number(entry.cep);
      if (entry.neighbourhood !== null) this.#hasNeighbourhoods = true;
      const place = this.#places.find(entry.locality, entry.neighbourhood);
      const counted = this.#census.take(cep, place.ibge);
      const origin = this.#origins.find(entry);
      origin.entries++;
      const source = { entry, place, counted, origin };
      const part = this.#snapshot.add(
        this.#record.set(source, this.#hasCensus),
      );
      if (part) await this.#writePart(part, "snapshot");
      this.#index.add(entry, counted !== undefined);
      if (this.#entries.add(toEntryRow(entry, origin))) {
        await this.#run(() => this.#entries.insert());
      }
    }
  }

  /** True if records have the fields of the CNEFE. */
  get #hasCensus(): boolean {
    return this.#census.size > 0;
  }

  /** Adds entries whose CEP belongs to another entry. */
  async addDuplicates(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      const row = toEntryRow(entry, this.#origins.find(entry));
      if (this.#duplicates.add([null, ...row])) {
        await this.#run(() => this.#duplicates.insert());
      }
    }
  }

  /** Adds changes of CEPs, see {@linkcode findChanges}. */
  addMoves(moves: readonly Move[]): void {
    this.#moves.push(...moves);
  }

  async #addChanges(
    missing: readonly Entry[],
    { dneVersion, seededAt }: Pick<ReleaseFacts, "dneVersion" | "seededAt">,
  ): Promise<void> {
    await this.#running;
    const changes = await findChanges(this.#connection, missing, this.#moves);
    await this.#insertAll(
      "historico",
      changes.values().map(({ cep, successor }) => [
        null,
        Number(cep),
        successor === null ? null : Number(successor),
        dneVersion,
        seededAt,
      ]),
    );
  }

  /** Starts a statement when the previous one has completed. */
  async #run(start: () => Promise<unknown>): Promise<void> {
    await this.#running;
    this.#running = start();
    // A failure is thrown when the next statement starts.
    this.#running.catch(() => {});
  }

  /** Waits for the running statement, even if it fails. */
  async settle(): Promise<void> {
    await this.#running.catch(() => {});
  }

  #writePart(part: Uint8Array, name: PartTable): Promise<void> {
    const table = this.#connection.table(name);
    const sql = `INSERT INTO ${table} (bytes) VALUES (?)`;
    return this.#run(() => this.#connection.write(sql, [part]));
  }

  /** Writes the parts of a table. Returns their header. */
  async #writeParts<T>(
    parts: AsyncGenerator<Uint8Array, T>,
    name: PartTable,
  ): Promise<T> {
    while (true) {
      const { done, value } = await parts.next();
      if (done) return value;
      await this.#writePart(value, name);
    }
  }

  /** Writes the places of the records. Returns their header. */
  async #finishPoints(): Promise<PointsHeader> {
    const points = new PointsWriter();
    for (const { cep, latitude, longitude } of this.#census.points()) {
      points.add(cep, latitude, longitude);
    }
    this.#census.free();
    return await this.#writeParts(points.finish(), "pontos");
  }

  /**
   * Writes the remaining rows and ends the writing.
   *
   * @param missing Entries of the present release whose CEP this one lacks.
   * @throws {TypeError} If the sources contradict the rows: the CNEFE is one if
   * and only if rows of it were added.
   * @returns The release, with totals counted while writing.
   */
  async finish(
    { dneVersion, seededAt, optionalFiles, sources }: Omit<
      ReleaseFacts,
      "totalByFile"
    >,
    report: unknown,
    missing: readonly Entry[] = [],
  ): Promise<Release> {
    if (sources.includes("cnefe") !== this.#hasCensus) {
      const state = this.#hasCensus
        ? "rows of the CNEFE were added, and it is not one of its sources"
        : "the CNEFE is one of its sources, and no row of it was added";
      throw new TypeError(`Cannot finish the release: ${state}`);
    }
    await this.#run(() => this.#entries.insert());
    await this.#run(() => this.#duplicates.insert());
    await this.#run(() => this.#censusRows.insert());
    const totalCensus = this.#census.size;
    const points = await this.#finishPoints();
    const snapshot = await this.#writeParts(
      this.#snapshot.finish(),
      "snapshot",
    );
    const index = await this.#writeParts(this.#index.finish(), "busca");
    await this.#insertAll(
      "origem",
      this.#origins.all.values().map(toOriginRow),
    );
    await this.#insertAll(
      "setor",
      this.#snapshot.recordsByPrefix.entries()
        .filter(([, total]) => total > 0),
    );
    await this.#addChanges(missing, { dneVersion, seededAt });
    const release: Release = {
      id: this.#id,
      dneVersion,
      seededAt,
      totalCeps: sum(this.#origins.all.map(({ entries }) => entries)),
      totalByState: this.#origins.totalBy("uf"),
      totalByFile: this.#origins.totalBy("file"),
      optionalFiles,
      sources,
      totalCensus,
    };
    await this.#insertAll("release", [[
      release.id,
      dneVersion,
      seededAt,
      release.totalCeps,
      JSON.stringify(release.totalByState),
      JSON.stringify(release.totalByFile),
      JSON.stringify(optionalFiles),
      JSON.stringify(sources),
      totalCensus,
      JSON.stringify(report),
      JSON.stringify(snapshot),
      JSON.stringify(index),
      JSON.stringify(points),
    ]]);
    await this.#running;
    await this.#connection.commit();
    return release;
  }
}

/** Returns a random id for a release. */
export function newReleaseId(): number {
  const [id = 0] = crypto.getRandomValues(new Uint32Array(1));
  return id;
}

function requireCep(cep: string): void {
  if (cep.length === 8 && isDigits(cep)) return;
  throw new TypeError(`Cannot add an entry: "${cep}" is not eight digits`);
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
