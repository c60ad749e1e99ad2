import { reasonOf } from "../../util/reason_of.ts";
import {
  type PresentRows,
  type Staging,
  UnreachableError,
} from "../../store/store.ts";
import { SeedError } from "../errors.ts";
import type { DetailRow, DetailTable, Entry } from "../../record/entry.ts";
import { detailKey } from "./delta.ts";
import { DETAIL_TABLES } from "../dne/details.ts";
import { Join } from "../dne/join.ts";
import { FILES } from "../dne/layout.ts";
import { entryKey, type NextRelease } from "./next_release.ts";
import { type FileReport, Tally } from "../dne/report.ts";
import type { CensusRow } from "../../record/census.ts";
import type { Places } from "../../record/places.ts";
import { DnePlaces } from "../census_places.ts";
import { Growing } from "../../util/growing.ts";

/**
 * Wraps the failures of all calls in a {@linkcode SeedError}, except those to
 * reach the database.
 */
export function readableRows(rows: PresentRows): PresentRows {
  return {
    findDamage: () => attempt(() => rows.findDamage()),
    localities: () => attempt(() => rows.localities()),
    neighbourhoods: () => attempt(() => rows.neighbourhoods()),
    details: (table) => attemptAll(() => rows.details(table)),
    census: () => attemptAll(() => rows.census()),
    entries: () => attemptAll(() => rows.entries()),
    dneCodes: () => attemptAll(() => rows.dneCodes()),
    duplicates: () => attempt(() => rows.duplicates()),
    findEntries: (numbers) => attempt(() => rows.findEntries(numbers)),
    lastOrder: () => attempt(() => rows.lastOrder()),
    unknownMoves: (...args) => attempt(() => rows.unknownMoves(...args)),
  };
}

/** Creates the error of an update of a release that cannot be read. */
export function damagedRelease(reason: string, cause?: unknown): SeedError {
  return new SeedError(
    `Cannot update: the current release is damaged (${reason}); import the ` +
      "DNE with MODE=seed",
    { cause },
  );
}

async function attempt<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof UnreachableError) throw cause; // It is not damaged.
    throw damagedRelease(reasonOf(cause), cause);
  }
}

async function* attemptAll<T>(
  read: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const iterator = read()[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await attempt(() => iterator.next());
    if (done) return;
    yield value;
  }
}

/** Entries per batch. */
const BATCH = 1000;

/** Position of each file of the DNE in the order of precedence. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  FILES.map(({ name }, i) => [name, i]),
);

export interface RebuildOptions {
  /** New release. */
  readonly staging: Staging;
  /** Rows of the present release. */
  readonly rows: PresentRows;
  /** Changes. */
  readonly next: NextRelease;
  /**
   * Called with the number of CEPs that have been written; may throw to abort.
   */
  readonly onCodes: (codes: number) => void;
}

/** Counts of a {@linkcode rebuild}. */
export interface Rebuilt {
  /** Counts of each file, as an import of it would report them. */
  readonly files: readonly FileReport[];
  /** CEPs of the CNEFE that are left out, without a municipality. */
  readonly unplaced: number;
}

/** Writes the rows of the present release and those of a delta. */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { staging, rows, next } = options;
  const { localities, neighbourhoods } = next.places;
  await staging.addMoves(next.moves);
  await staging.addLocalities([...localities.values()]);
  await staging.addNeighbourhoods([...neighbourhoods.values()]);
  const moved = await copyCensus(options);
  for (const table of DETAIL_TABLES) {
    for await (const some of mergeDetails(table, rows, next)) {
      await staging.addDetails(table, some);
    }
  }
  const tallies = new Tallies(next);
  const merge = new EntryMerge(options, tallies);
  let read = 0;
  let unplaced = 0;
  for await (const some of rows.entries()) {
    read += some.length;
    const placed: Entry[] = [];
    for (const entry of some) {
      const found = moved.move(entry);
      if (found !== undefined) placed.push(found);
      else {
        unplaced++;
        tallies.countUnplaced(entry);
      }
    }
    await merge.add(placed);
  }
  const { totalCeps = 0 } = staging.present ?? {};
  if (read !== totalCeps) {
    throw damagedRelease(`it has ${read} of ${totalCeps} CEPs`);
  }
  await merge.finish();
  return { files: tallies.reports(), unplaced };
}

/**
 * Adds the rows of the CNEFE, which a delta does not change.
 *
 * @returns The places of its entries, which a delta may change.
 */
async function copyCensus(
  { staging, rows, next, onCodes }: RebuildOptions,
): Promise<MovedEntries> {
  const moved = new MovedEntries(next.places);
  let read = 0;
  for await (const some of rows.census()) {
    read += some.length;
    for (const row of some) moved.add(row);
    await staging.addCensus(some);
    onCodes(0);
  }
  const { totalCensus = 0 } = staging.present ?? {};
  if (read !== totalCensus) {
    throw damagedRelease(`it has ${read} of ${totalCensus} CEPs of the CNEFE`);
  }
  return moved;
}

async function* mergeDetails(
  table: DetailTable,
  rows: PresentRows,
  next: NextRelease,
): AsyncGenerator<DetailRow[]> {
  const changes = next.details.get(table);
  const nameless = next.nameless.get(table);
  for await (const some of rows.details(table)) {
    yield changes === undefined && nameless === undefined
      ? some
      : some.filter((row) =>
        !changes?.has(detailKey(table, row)) &&
        !nameless?.has(row[0] as number)
      );
  }
  yield [...changes?.values() ?? []].flatMap(({ after }) =>
    after === undefined ? [] : [after]
  );
}

/** Merges the entries of the present release with changed ones, by CEP. */
class EntryMerge {
  readonly #staging: Staging;
  readonly #next: NextRelease;
  readonly #tallies: Tallies;
  readonly #onCodes: (codes: number) => void;
  /** Changed entries, and those of all localities, in order of CEP. */
  readonly #added: readonly Entry[];
  /** Present entries whose CEP belongs to another one, in order of CEP. */
  #duplicates: readonly Entry[] = [];
  #nextAdded = 0;
  #nextDuplicate = 0;
  /** CEPs whose entries change. */
  readonly #changed = new Set<number>();
  readonly #replaced: ReadonlySet<string>;
  #winners: Entry[] = [];
  #losers: Entry[] = [];
  #codes = 0;

  constructor({ staging, next, onCodes }: RebuildOptions, tallies: Tallies) {
    this.#staging = staging;
    this.#next = next;
    this.#tallies = tallies;
    this.#onCodes = onCodes;
    this.#duplicates = next.duplicates;
    const changes = [...next.entries.values()];
    this.#added = [
      ...generalCodes(next),
      ...changes.flatMap(({ after }) => after ?? []),
    ].sort(byCep);
    for (const { before } of changes) this.#mark(before);
    this.#mark(this.#added);
    this.#replaced = new Set(next.moves.map(({ from }) => from));
    for (const cep of this.#replaced) this.#changed.add(Number(cep));
  }

  #mark(entries: readonly Entry[]): void {
    for (const { cep } of entries) this.#changed.add(Number(cep));
  }

  /** Adds entries of the present release, in order of CEP. */
  async add(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      const { cep } = entry;
      this.#addBefore(cep);
      const claimants = [entry, ...this.#duplicatesOf(cep)];
      // General CEPs of localities are made anew.
      if (entry.origin === "localidade" || this.#changed.has(Number(cep))) {
        this.#decide([
          ...claimants.filter((it) => this.#isUnchanged(it)),
          ...this.#addedOf(cep),
        ]);
      } else {
        this.#put(claimants);
      }
    }
    await this.#flush(BATCH);
  }

  /** Adds the remaining entries. */
  async finish(): Promise<void> {
    this.#addBefore("");
    await this.#flush(1);
  }

  /** Adds the new CEPs before one of the present release, `""` for all. */
  #addBefore(cep: string): void {
    while (true) {
      const code = this.#added[this.#nextAdded]?.cep;
      if (code === undefined || cep !== "" && code >= cep) return;
      this.#decide(this.#addedOf(code));
    }
  }

  #addedOf(cep: string): Entry[] {
    const start = this.#nextAdded;
    while (this.#added[this.#nextAdded]?.cep === cep) this.#nextAdded++;
    return this.#added.slice(start, this.#nextAdded);
  }

  #duplicatesOf(cep: string): readonly Entry[] {
    const start = this.#nextDuplicate;
    while (this.#duplicates[this.#nextDuplicate]?.cep === cep) {
      this.#nextDuplicate++;
    }
    return this.#duplicates.slice(start, this.#nextDuplicate);
  }

  #isUnchanged(entry: Entry): boolean {
    if (entry.origin === "cnefe") return !this.#replaced.has(entry.cep);
    return entry.origin !== "localidade" &&
      !this.#next.entries.has(entryKey(entry));
  }

  #decide(claimants: Entry[]): void {
    if (claimants.length > 1) claimants.sort(byPrecedence);
    this.#put(claimants);
  }

  /** Adds the entries with the same CEP, in order of precedence. */
  #put([winner, ...losers]: readonly Entry[]): void {
    if (winner === undefined) return;
    this.#winners.push(winner);
    this.#tallies.count(winner, true);
    for (const loser of losers) {
      // A CEP that the DNE has had is never answered from the CNEFE again.
      if (loser.origin === "cnefe") continue;
      this.#losers.push(loser);
      this.#tallies.count(loser, false);
    }
  }

  async #flush(least: number): Promise<void> {
    if (this.#winners.length < least) return;
    const winners = this.#winners;
    const losers = this.#losers;
    this.#winners = [];
    this.#losers = [];
    await this.#staging.addEntries(winners);
    await this.#staging.addDuplicates(losers);
    this.#codes += winners.length;
    this.#onCodes(this.#codes);
  }
}

/** Returns the entries of all general CEPs of localities. */
function generalCodes({ places }: NextRelease): Entry[] {
  const join = new Join();
  return [...places.localities.values()].filter(({ cep }) => cep !== "")
    .map((locality) => join.generalCode(locality));
}

function byCep(a: Entry, b: Entry): number {
  return Number(a.cep) - Number(b.cep);
}

function byPrecedence(a: Entry, b: Entry): number {
  return precedenceOf(a) - precedenceOf(b) || a.order - b.order;
}

/** Returns the position of a file; those of the CNEFE are the last. */
function precedenceOf({ file }: Entry): number {
  return PRECEDENCE.get(file) ?? PRECEDENCE.size;
}

/** Counts of each file of the DNE, and of those of the CNEFE. */
class Tallies {
  readonly #next: NextRelease;
  readonly #byFile = new Map<string, Tally>();

  constructor(next: NextRelease) {
    this.#next = next;
    for (const { name } of FILES) this.#byFile.set(name, new Tally());
    const { localities, neighbourhoods } = next.places;
    const ofLocalities = this.#byFile.get("LOG_LOCALIDADE.TXT")!;
    ofLocalities.lines = localities.size;
    for (const locality of localities.values()) {
      if (next.isDangling(locality)) ofLocalities.dangling++;
    }
    const ofNeighbourhoods = this.#byFile.get("LOG_BAIRRO.TXT")!;
    ofNeighbourhoods.lines = neighbourhoods.size;
    for (const neighbourhood of neighbourhoods.values()) {
      if (next.isDangling(neighbourhood)) ofNeighbourhoods.dangling++;
    }
  }

  count(entry: Entry, isStored: boolean): void {
    const tally = this.#tallyOf(entry.file);
    if (isStored) tally.codes++;
    if (entry.origin === "localidade") return;
    tally.lines++;
    if (isStored) tally.stored++;
    else tally.duplicates++;
    if (this.#next.isDangling(entry)) tally.dangling++;
  }

  /** Counts an entry that is left out. */
  countUnplaced({ file }: Entry): void {
    const tally = this.#tallyOf(file);
    tally.lines++;
    tally.dangling++;
  }

  #tallyOf(file: string): Tally {
    let tally = this.#byFile.get(file);
    if (tally === undefined) {
      tally = new Tally();
      this.#byFile.set(file, tally);
    }
    return tally;
  }

  /** Returns a report per file. */
  reports(): FileReport[] {
    return [...this.#byFile].map(([file, tally]) => ({
      file,
      ...tally,
      milliseconds: 0,
    }));
  }
}

/** CEPs of the CNEFE, and their places as an import would find them. */
class MovedEntries {
  readonly #places: Places;
  /** Places by name, once there is a row. */
  #byName: DnePlaces | undefined;
  /** CEP, LOC_NU and BAI_NU of each row, 0 without one. */
  readonly #rows = new Growing();
  #next = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Adds a row. Rows come in order of CEP. */
  add(row: CensusRow): void {
    const { localities, neighbourhoods } = this.#places;
    this.#byName ??= new DnePlaces(
      localities.values(),
      neighbourhoods.values(),
    );
    const place = this.#byName.find(row);
    this.#rows.push(Number(row.cep));
    this.#rows.push(place?.locality ?? 0);
    this.#rows.push(place?.neighbourhood ?? 0);
  }

  /**
   * Returns an entry in its place, `undefined` if its municipality is unknown;
   * one of the DNE is returned unchanged. Entries come in order of CEP, after
   * all rows.
   */
  move(entry: Entry): Entry | undefined {
    if (entry.origin !== "cnefe") return entry;
    const cep = Number(entry.cep);
    const rows = this.#rows;
    while (this.#next < rows.length && rows.at(this.#next) < cep) {
      this.#next += 3;
    }
    const isFound = this.#next < rows.length && rows.at(this.#next) === cep;
    const locality = isFound ? rows.at(this.#next + 1) : 0;
    if (locality === 0) return undefined;
    const neighbourhood = rows.at(this.#next + 2) || null;
    return { ...entry, locality, neighbourhood };
  }
}
