/**
 * Writer of a release to an empty database.
 *
 * @module
 */
import { type Address, parseCep } from "../address.ts";
import { CodeSet } from "../code_set.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
  Place,
} from "../entry.ts";
import { type FieldName, FIELDS } from "../fields.ts";
import { Places } from "../places.ts";
import type { IndexHeader } from "../search/index_layout.ts";
import { SearchIndexWriter } from "../search/index_writer.ts";
import type { WritableConnection } from "./connection.ts";
import { findChanges } from "./find_changes.ts";
import { type Literal, RowBuffer } from "./row_buffer.ts";
import { createTables } from "./schema.ts";
import type { SnapshotHeader } from "./snapshot_layout.ts";
import { SnapshotWriter } from "./snapshot_writer.ts";
import type { Release, ReleaseFacts } from "./store.ts";

/**
 * Writes a release. The driver writes in another thread while the next rows are
 * prepared.
 */
export class ReleaseWriter {
  readonly #connection: WritableConnection;
  readonly #id: number;
  readonly #entries: RowBuffer;
  readonly #duplicates: RowBuffer;
  readonly #places = new Places();
  readonly #origins = new Origins();
  readonly #snapshot = new SnapshotWriter();
  /** CEPs added so far. */
  readonly codes = new CodeSet();
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
      if (buffer.add(...row)) await this.#run(() => buffer.insert());
    }
    await this.#run(() => buffer.insert());
  }

  async addEntries(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      requireCep(entry.cep);
      this.#hasEntries = true;
      this.codes.add(entry.cep);
      if (entry.neighbourhood !== null) this.#hasNeighbourhoods = true;
      const place = this.#places.find(entry.locality, entry.neighbourhood);
      const part = this.#snapshot.add(toAddress(entry, place));
      if (part) await this.#writePart(part, "snapshot");
      this.#index.add(entry);
      const origin = this.#origins.find(entry);
      origin.entries++;
      if (this.#entries.add(...toRow(entry, origin))) {
        await this.#run(() => this.#entries.insert());
      }
    }
  }

  /** Adds entries whose CEP belongs to another entry. */
  async addDuplicates(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      const row = toRow(entry, this.#origins.find(entry));
      if (this.#duplicates.add(null, ...row)) {
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

  #writePart(part: Uint8Array, name: "snapshot" | "busca"): Promise<void> {
    const table = this.#connection.table(name);
    const sql = `INSERT INTO ${table} (bytes) VALUES (?)`;
    return this.#run(() => this.#connection.write(sql, [part]));
  }

  async #finishSnapshot(): Promise<SnapshotHeader> {
    const parts = this.#snapshot.finish();
    while (true) {
      const { done, value } = await parts.next();
      if (done) return value;
      await this.#writePart(value, "snapshot");
    }
  }

  async #finishIndex(): Promise<IndexHeader> {
    const parts = this.#index.finish();
    while (true) {
      const { done, value } = await parts.next();
      if (done) return value;
      await this.#writePart(value, "busca");
    }
  }

  /**
   * Writes the remaining rows and ends the writing.
   *
   * @param missing Entries of the present release whose CEP this one lacks.
   * @returns The release, with totals counted while writing.
   */
  async finish(
    { dneVersion, seededAt, optionalFiles }: Omit<ReleaseFacts, "totalByFile">,
    report: unknown,
    missing: readonly Entry[] = [],
  ): Promise<Release> {
    await this.#run(() => this.#entries.insert());
    await this.#run(() => this.#duplicates.insert());
    const header = await this.#finishSnapshot();
    const indexHeader = await this.#finishIndex();
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
    };
    await this.#insertAll("release", [[
      release.id,
      dneVersion,
      seededAt,
      release.totalCeps,
      JSON.stringify(release.totalByState),
      JSON.stringify(release.totalByFile),
      JSON.stringify(optionalFiles),
      JSON.stringify(report),
      JSON.stringify(header),
      JSON.stringify(indexHeader),
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

const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

const EMPTY_ADDRESS = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, ""]),
) as Record<FieldName, string>;

/** Returns the record of an entry. */
function toAddress(entry: Entry, place: Place): Address {
  // Copying an object with all fields is faster than adding them one by one.
  const address = { ...EMPTY_ADDRESS };
  for (const name of FIELD_NAMES) {
    address[name] = FIELDS[name].value(entry, place);
  }
  return address as Address;
}

function requireCep(cep: string): void {
  if (parseCep(cep) === cep) return;
  throw new TypeError(`Cannot add an entry: "${cep}" is not eight digits`);
}

function toLocalityRow(it: Locality, order: number): Literal[] {
  const { number, uf, name, cep, situation, type, parent, ibge } = it;
  const { abbreviation } = it;
  return [
    number,
    uf,
    name,
    cep,
    situation,
    type,
    parent,
    ibge,
    abbreviation,
    order,
  ];
}

function toBairroRow(it: Neighbourhood): Literal[] {
  return [it.number, it.uf, it.locality, it.name, it.abbreviation];
}

function toOriginRow(it: OriginRow): Literal[] {
  return [it.id, it.prefix, it.streetType, it.origin, it.uf, it.file];
}

/** Returns the columns that `cep` and `duplicado` share, in order. */
function toRow(entry: Entry, origin: OriginRow): Literal[] {
  return [
    Number(entry.cep),
    entry.number,
    entry.locality,
    entry.neighbourhood,
    origin.id,
    entry.order,
    entry.street,
    entry.complement,
    entry.name,
  ];
}

/** Row of `origem`, and the number of rows of `cep` that refer to it. */
interface OriginRow {
  readonly id: number;
  readonly prefix: string;
  readonly streetType: string;
  readonly origin: string;
  readonly uf: string;
  readonly file: string;
  entries: number;
}

/** Rows of `origem`. */
class Origins {
  /** Returns all rows, in order of id. */
  readonly all: OriginRow[] = [];
  readonly #byKey = new Map<string, OriginRow>();
  #last: OriginRow | undefined;

  /** Finds or adds the row of an entry, usually that of the previous entry. */
  find({ file, uf, origin, streetType, typeInName }: Entry): OriginRow {
    const prefix = typeInName ? `${streetType} ` : "";
    const last = this.#last;
    if (
      last?.streetType === streetType && last.prefix === prefix &&
      last.uf === uf && last.file === file && last.origin === origin
    ) return last;
    const key = [file, uf, origin, streetType, prefix].join("/");
    let row = this.#byKey.get(key);
    if (row === undefined) {
      const id = this.all.length + 1;
      row = { id, prefix, streetType, origin, uf, file, entries: 0 };
      this.all.push(row);
      this.#byKey.set(key, row);
    }
    return this.#last = row;
  }

  /** Returns the number of entries by state or file, sorted by key. */
  totalBy(column: "uf" | "file"): Record<string, number> {
    const totals = new Map<string, number>();
    for (const row of this.all) {
      if (row.entries === 0) continue;
      totals.set(row[column], (totals.get(row[column]) ?? 0) + row.entries);
    }
    return Object.fromEntries([...totals].sort(([a], [b]) => a < b ? -1 : 1));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
