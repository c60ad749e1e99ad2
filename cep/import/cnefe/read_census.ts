/**
 * Reading of the CNEFE: files -> addresses -> counts of each CEP.
 */
import { availableParallelism } from "node:os";
import type { CensusRow } from "../../record/census.ts";
import { defaultLogger, type Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { MergedCounts, rowsOf } from "./merge.ts";
import { type FileReader, readFiles, startFileWorker } from "./read_files.ts";
import { findFiles } from "./find_files.ts";
import type {
  CensusFileReport,
  CensusReport,
  RepeatedMunicipality,
} from "./report.ts";
import { stateOfCep } from "./state_ranges.ts";
import { CensusError } from "../errors.ts";
import type { FileResult } from "./read_file.ts";

export interface CensusProgress {
  /** Path of the file that was read last. */
  readonly file: string;
  /** Bytes that were read, of all files and decompressed. */
  readonly bytes: number;
  /** Size of all files, decompressed. */
  readonly totalBytes: number;
  /** Rows that were read. */
  readonly rows: number;
}

export interface CensusOptions {
  /** Folders, zip files and CSV files. */
  readonly paths: readonly string[];
  /** Called from time to time. */
  readonly onProgress?: ((progress: CensusProgress) => void) | undefined;
  /** Called with the report of each file after it is read. */
  readonly onFile?: ((report: CensusFileReport) => void) | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum number of threads.
   *
   * @default {number of processors}
   */
  readonly threads?: number | undefined;
  /**
   * Size of all files below which they are read in this thread.
   *
   * @default {16 MiB}
   */
  readonly leastBytes?: number | undefined;
  readonly logger?: Logger | undefined;
  /** Returns the time in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Starts a thread. */
  readonly startReader?: (() => Promise<FileReader>) | undefined;
}

/** Addresses by CEP. */
export interface CensusData {
  /** Counts of the files, and of the CEPs. */
  readonly report: CensusReport;
  /**
   * Returns the rows in order of CEP, in batches, which may be empty.
   *
   * @param isWanted Returns true for a CEP, as a number, whose row is needed.
   */
  rows(isWanted?: (cep: number) => boolean): Iterable<CensusRow[]>;
}

/**
 * Reads the files of the CNEFE, and counts their addresses by CEP. The result
 * does not depend on the order of rows, files or threads, except that of the
 * rows with one COD_UNICO_ENDERECO the first counts: to compare them would take
 * memory for each address. In IBGE's files they have the same address.
 *
 * @throws {CensusError} If a file is missing, damaged or of another kind, or if
 * files contradict each other.
 */
export async function readCensus({
  paths,
  onProgress = () => {},
  onFile = () => {},
  signal,
  threads = processors(),
  leastBytes = 1 << 24,
  logger = defaultLogger(),
  now = () => performance.now(),
  startReader = () => startFileWorker(),
}: CensusOptions): Promise<CensusData> {
  const start = now();
  const files = await findFiles(paths);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  let rows = 0;
  const { results, threads: used } = await readFiles(files, {
    threads,
    leastBytes,
    startReader,
    now,
    signal,
    onMissingThread: (error) =>
      logger.warn("Cannot start a thread to read the CNEFE", {
        reason: reasonOf(error),
      }),
    onFile: ({ report }) => onFile(report),
    onProgress: (file, progress) => {
      bytes += progress.bytes;
      rows += progress.rows;
      onProgress({ file: file.path, bytes, totalBytes, rows });
    },
  });
  signal?.throwIfAborted();
  const { byFile, repeated } = findRepeated(results);
  const counts = new MergedCounts(results, byFile);
  return {
    rows: (isWanted) => rowsOf(counts, isWanted),
    report: {
      files: results.map(({ report }) => report),
      codes: counts.size,
      ...sumUp(counts),
      repeatedMunicipalities: repeated,
      threads: used,
      milliseconds: Math.round(now() - start),
    },
  };
}

/** Number of processors, 1 if a runtime does not permit to ask. */
function processors(): number {
  try {
    return availableParallelism();
  } catch {
    return 1;
  }
}

function sumUp(
  counts: MergedCounts,
): Pick<CensusReport, "addresses" | "outsideState"> {
  let addresses = 0;
  let outsideState = 0;
  for (let i = 0; i < counts.size; i++) {
    const { result: { counts: { groups } }, group } = counts.at(i);
    addresses += groups.addresses[group]!;
    const state = Math.trunc(groups.municipalities[group]! / 100_000);
    if (stateOfCep(groups.ceps[group]!) !== state) outsideState++;
  }
  return { addresses, outsideState };
}

interface Occurrence {
  /** Index of the file. */
  readonly file: number;
  readonly rows: number;
  readonly sum: number;
}

/** Municipalities that are left out of each file. */
interface LeftOut {
  /** Codes by the index of the file. */
  readonly byFile: readonly ReadonlySet<number>[];
  readonly repeated: readonly RepeatedMunicipality[];
}

/**
 * Finds the municipalities that several files contain, e.g. the file of a state
 * and that of a municipality. If their rows are the same, the first file
 * counts.
 *
 * @param files In order of their paths.
 * @throws {CensusError} If their rows differ: one of the files may be part of
 * the other or of another edition, which cannot be told.
 */
function findRepeated(files: readonly FileResult[]): LeftOut {
  const first = new Map<number, Occurrence>();
  const byFile = files.map(() => new Set<number>());
  const repeated: RepeatedMunicipality[] = [];
  for (const [file, { counts, report }] of files.entries()) {
    const { codes, rows, sums } = counts.municipalities;
    for (const [i, code] of codes.entries()) {
      const own = { file, rows: rows[i]!, sum: sums[i]! };
      const other = first.get(code);
      if (other === undefined) {
        first.set(code, own);
        continue;
      }
      const { path } = files[other.file]!.report;
      if (own.rows !== other.rows || own.sum !== other.sum) {
        throw new CensusError(report.path, [
          `the municipality ${code} has ${own.rows} rows in it and other ` +
          `${other.rows} rows in "${path}": leave one of the files out`,
        ]);
      }
      byFile[file]!.add(code);
      repeated.push({ ibge: `${code}`, counted: path, leftOut: report.path });
    }
  }
  return { byFile, repeated };
}
