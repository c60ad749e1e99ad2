import { setImmediate } from "node:timers";
import type { CensusRow } from "../record/census.ts";
import type { Logger } from "../util/logger.ts";
import { NumberSet } from "../util/number_set.ts";
import { reasonOf } from "../util/reason_of.ts";
import { type Staging, UnreachableError } from "../store/store.ts";
import type { Entry } from "../record/entry.ts";
import type { CensusData } from "./cnefe/read_census.ts";
import {
  type CensusPlaces,
  isForeignCode,
  toCensusEntry,
} from "./census_places.ts";
import type { CensusCounts, CensusImportReport } from "./options.ts";

/** Numbers by the first two digits of the IBGE code. */
export type ByState = ReadonlyMap<string, number>;

export class StateCounts {
  readonly #codes = new Map<string, number>();
  readonly #places = new Map<string, number>();

  get codes(): ByState {
    return this.#codes;
  }

  /** CEPs with coordinates. */
  get places(): ByState {
    return this.#places;
  }

  add({ ibge, point }: Pick<CensusRow, "ibge" | "point">): void {
    const state = ibge.slice(0, 2);
    increment(this.#codes, state);
    if (point !== null) increment(this.#places, state);
  }
}

function increment(counts: Map<string, number>, state: string): void {
  counts.set(state, (counts.get(state) ?? 0) + 1);
}

/**
 * Counts the CEPs of each state in the current release. A release that cannot
 * be read is not compared with the new one, which replaces it.
 */
export async function countPresentStates(
  { present, rows }: Pick<Staging, "present" | "rows">,
  logger: Logger,
): Promise<StateCounts> {
  const counts = new StateCounts();
  if (!present?.sources.includes("cnefe") || rows === undefined) return counts;
  const isRead = await readAll(
    rows.census(),
    (row) => counts.add(row),
    "Cannot compare the CNEFE with that of the current release",
    logger,
  );
  return isRead ? counts : new StateCounts();
}

/**
 * Returns a function that is true for a CEP that the DNE of the current or of an
 * earlier release had. Correios has replaced or removed it if the new DNE lacks
 * it: it is not answered from the CNEFE, whose addresses are those of 2022, but
 * its history tells what became of it.
 */
export async function readDneCodes(
  { rows }: Pick<Staging, "rows">,
  logger: Logger,
): Promise<(cep: number) => boolean> {
  if (rows === undefined) return () => false;
  const codes = new NumberSet();
  await readAll(
    rows.dneCodes(),
    (cep) => codes.add(cep),
    "Cannot read which CEPs the DNE had in the current release",
    logger,
  );
  return (cep) => codes.has(cep);
}

/** Reads all rows, and returns false with a warning if they cannot be read. */
async function readAll<T>(
  batches: AsyncIterable<Iterable<T>>,
  add: (row: T) => void,
  warning: string,
  logger: Logger,
): Promise<boolean> {
  try {
    for await (const batch of batches) {
      for (const row of batch) add(row);
    }
    return true;
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    logger.warn(warning, { error: reasonOf(error) });
    return false;
  }
}

interface CensusImportOptions {
  /** Release that is being written. */
  readonly staging: Pick<Staging, "addCensus" | "addEntries">;
  /** Content of the CNEFE. */
  readonly data: CensusData;
  /** Called after each batch; may throw to abort the import. */
  readonly onBatch: () => void;
}

/** Options of {@linkcode CensusImport.addEntries}. */
interface CensusEntriesOptions {
  /** Places of the release. */
  readonly places: CensusPlaces;
  /** Returns true for a CEP, as a number, that the release has. */
  readonly has: (cep: number) => boolean;
  /** Returns true for a CEP that the DNE of an earlier release had. */
  readonly hadBefore: (cep: number) => boolean;
  readonly onStored: (stored: number) => void;
}

/** Import of the rows of the CNEFE. */
export class CensusImport {
  readonly #options: CensusImportOptions;
  readonly #counts = new Map<string, Counts>();
  readonly byState = new StateCounts();
  readonly #unknown = new Map<string, Set<string>>();

  /** Begins an import. */
  constructor(options: CensusImportOptions) {
    this.#options = options;
  }

  /** CEPs that are answered from the CNEFE so far. */
  get stored(): number {
    return sum(this.#counts.values(), ({ stored }) => stored);
  }

  /** IBGE codes of unknown municipalities by the files that have them. */
  get unknown(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#unknown;
  }

  /** Numbers of CEPs that are answered from each file that has some. */
  get storedByFile(): Record<string, number> {
    return Object.fromEntries(
      [...this.#counts].filter(([, { stored }]) => stored > 0)
        .map(([file, { stored }]) => [file, stored]),
    );
  }

  /** Report of the files, with the counts so far. */
  get report(): CensusImportReport {
    const { files, ...totals } = this.#options.data.report;
    const counts = [...this.#counts.values()];
    return {
      ...totals,
      stored: this.stored,
      dangling: sum(counts, ({ dangling }) => dangling),
      retired: sum(counts, ({ retired }) => retired),
      foreign: sum(counts, ({ foreign }) => foreign),
      files: files.map((it) => ({
        ...it,
        ...this.#counts.get(it.file) ?? new Counts(),
      })),
    };
  }

  /**
   * Adds all rows to the release, before its first entry.
   *
   * @param onRow Called with each row.
   */
  async addRows(onRow: (row: CensusRow) => void = () => {}): Promise<void> {
    const { data, staging, onBatch } = this.#options;
    for (const rows of data.rows()) {
      for (const row of rows) {
        this.#of(row).codes++;
        this.byState.add(row);
        onRow(row);
      }
      await staging.addCensus(rows);
      onBatch();
      await turn();
    }
  }

  /** Adds entries of the CEPs that the release lacks, after those of the DNE. */
  async addEntries(
    { places, has, hadBefore, onStored }: CensusEntriesOptions,
  ): Promise<void> {
    const { data, staging, onBatch } = this.#options;
    let order = 0;
    for (const rows of data.rows((cep) => !has(cep))) {
      const entries: Entry[] = [];
      for (const row of rows) {
        const counts = this.#of(row);
        const place = places.find(row);
        if (hadBefore(Number(row.cep))) {
          counts.retired++;
        } else if (isForeignCode(row)) {
          counts.foreign++;
        } else if (place === undefined) {
          counts.dangling++;
          this.#addUnknown(row);
        } else {
          counts.stored++;
          entries.push(toCensusEntry(row, place, ++order));
        }
      }
      if (entries.length > 0) await staging.addEntries(entries);
      onBatch();
      onStored(this.stored);
      await turn();
    }
  }

  #addUnknown({ file, ibge }: CensusRow): void {
    const known = this.#unknown.get(file);
    if (known === undefined) this.#unknown.set(file, new Set([ibge]));
    else known.add(ibge);
  }

  #of({ file }: CensusRow): Counts {
    let counts = this.#counts.get(file);
    if (counts === undefined) {
      counts = new Counts();
      this.#counts.set(file, counts);
    }
    return counts;
  }
}

class Counts implements CensusCounts {
  codes = 0;
  stored = 0;
  dangling = 0;
  retired = 0;
  foreign = 0;
}

function sum<T>(items: Iterable<T>, of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/** Lets timers and signals run: rows are in memory, and SQLite is synchronous. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
