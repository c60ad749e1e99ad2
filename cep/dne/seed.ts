/**
 * The import of a directory: files in, a database that answers out.
 *
 * @module
 */
import { defaultLogger, type Logger } from "../logger.ts";
import type { Writer } from "../store/store.ts";
import { findDamage, type Tolerance } from "./damage.ts";
import { type DirectoryFile, openDirectory } from "./directory.ts";
import { Importer } from "./importer.ts";
import type { FileReport, SeedReport } from "./report.ts";
import { SeedError } from "./seed_error.ts";

export { DirectoryError } from "./directory.ts";
export { SeedError } from "./seed_error.ts";
export type { FileReport, SeedReport } from "./report.ts";
export type { Warning } from "./join.ts";
export type { Logger } from "../logger.ts";
export type {
  Address,
  Entry,
  Listing,
  Locality,
  Neighbourhood,
  Origin,
  Reader,
  Release,
  ReleaseFacts,
  Rendered,
  Staging,
  Store,
  Writer,
} from "../store/mod.ts";

/** Progress of an import. */
export interface SeedProgress {
  /** Name of the file being read. */
  readonly file: string;
  /** Bytes read so far, of all files. */
  readonly bytes: number;
  /** Bytes of all files. */
  readonly totalBytes: number;
  /** Codes stored so far. */
  readonly codes: number;
}

/** Options of {@linkcode seed}. */
export interface SeedOptions {
  /** Directory of the DNE text files. */
  readonly directory: string;
  /** The database that the directory replaces the content of. */
  readonly store: Writer;
  /**
   * Share of a file's lines, in percent, that may be rejected.
   *
   * @default {1}
   */
  readonly maxRejectedPercent?: number;
  /**
   * Share of a file's lines, in percent, whose locality, neighbourhood or
   * municipality may be in no file. With 100 the street file of a state that
   * has localities coded by street may be empty.
   *
   * @default {1}
   */
  readonly maxDanglingPercent?: number;
  /**
   * Loss of CEPs against the present release that is allowed, in percent, in
   * total and from each file.
   *
   * @default {5}
   */
  readonly maxShrinkPercent?: number;
  /**
   * Name of the importing process, for a second import that finds this one
   * running.
   *
   * @default {"unnamed"}
   */
  readonly holder?: string;
  /** Called a few times a megabyte. */
  readonly onProgress?: (progress: SeedProgress) => void;
  /** Called when a file is done. */
  readonly onFile?: (report: FileReport) => void;
  /**
   * Logger of rejected lines.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
  /** Gives the import up; the present data stays. */
  readonly signal?: AbortSignal;
  /**
   * The time in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/**
 * Replaces the content of a database with a directory of DNE text files. On
 * any failure the database keeps answering from what it had.
 *
 * @returns What became of every line.
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1.
 * @throws {SeedError} If the directory seems damaged: too many lines are
 * rejected or refer to nothing, there are far fewer codes than in the present
 * release, or a line is too long.
 * @throws {DatabaseError} If the database cannot be written or another import
 * is running.
 *
 * @example
 * ```ts
 * import { openStore } from "@carteiro/cep/store";
 * import { seed } from "@carteiro/cep/seed";
 *
 * const store = await openStore({ path: ":memory:" });
 * const report = await seed({ directory: "./samples/dne", store });
 * console.assert(report.ceps > 1500);
 * await store.close();
 * ```
 */
export async function seed(options: SeedOptions): Promise<SeedReport> {
  const {
    store,
    holder = "unnamed",
    onProgress = () => {},
    onFile = () => {},
    logger = defaultLogger(),
    signal,
    now = Date.now,
  } = options;
  const { files, version } = await openDirectory(options.directory);
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  const staging = await store.stage(holder);
  try {
    const importer = new Importer(staging, logger, now);
    const reports: FileReport[] = [];
    let bytes = 0;
    for (const file of files) {
      const chunks = watch(file, signal, (length) => {
        bytes += length;
        const { codes } = importer;
        onProgress({ file: file.name, bytes, totalBytes, codes });
      });
      const report = await importer.importFile(file, chunks);
      onFile(report);
      reports.push(report);
    }
    signal?.throwIfAborted();
    refuseDamage(findDamage({
      files: reports,
      statesCodedByStreet: importer.statesCodedByStreet,
      present: staging.present,
    }, toTolerance(options)));
    const report: SeedReport = {
      dneVersion: version,
      seededAt: new Date(now()).toISOString(),
      ceps: importer.codes,
      files: reports,
    };
    const totalByFile = countByFile(reports);
    await staging.publish({ ...report, totalByFile }, report);
    return report;
  } catch (error) {
    // If this fails too, the next import removes what is left.
    await staging.discard().catch(() => {});
    throw error;
  }
}

function toTolerance(options: SeedOptions): Tolerance {
  const {
    maxRejectedPercent = 1,
    maxDanglingPercent = 1,
    maxShrinkPercent = 5,
  } = options;
  return { maxRejectedPercent, maxDanglingPercent, maxShrinkPercent };
}

function refuseDamage(signs: readonly string[]): void {
  if (signs.length > 0) {
    throw new SeedError(`Cannot import: ${signs.join("; ")}`);
  }
}

function countByFile(files: readonly FileReport[]): Record<string, number> {
  return Object.fromEntries(
    files.filter(({ codes }) => codes > 0)
      .map(({ file, codes }) => [file, codes]),
  );
}

/** The bytes of the files on their way through, and word of how many. */
async function* watch(
  file: DirectoryFile,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of file.read()) {
    signal?.throwIfAborted();
    onBytes(chunk.byteLength);
    yield chunk;
  }
}
