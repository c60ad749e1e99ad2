/**
 * Import of the DNE into a database.
 *
 * @module
 */
import { defaultLogger, type Logger } from "../logger.ts";
import type { Writer } from "../store/store.ts";
import { findDamage, refuseDamage, toTolerance } from "./damage.ts";
import { type DirectoryFile, openDirectory } from "./directory.ts";
import { Importer } from "./importer.ts";
import { isOptional } from "./layout.ts";
import { countByFile, type FileReport, type SeedReport } from "./report.ts";

export { DirectoryError } from "./directory_error.ts";
export { SeedError } from "./seed_error.ts";
export type { FileReport, SeedReport } from "./report.ts";
export type { Warning } from "./join.ts";
export type { Logger } from "../logger.ts";
export type {
  Address,
  DetailRow,
  DetailTable,
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
  /** Total size of all files. */
  readonly totalBytes: number;
  /** CEPs stored so far. */
  readonly codes: number;
}

/** Options of {@linkcode seed}. */
export interface SeedOptions {
  /**
   * Folder of the DNE text files, or zip file of the DNE as delivered by
   * Correios.
   */
  readonly directory: string;
  /**
   * Version of the DNE, if it is not in LEIAME.TXT or in the name of the folder
   * or zip file.
   *
   * @default {""}
   */
  readonly dneVersion?: string;
  /** Database whose content is replaced. */
  readonly store: Writer;
  /**
   * Maximum percentage of rejected lines, per file.
   *
   * @default {1}
   */
  readonly maxRejectedPercent?: number;
  /**
   * Maximum percentage of lines that refer to an unknown locality,
   * neighbourhood or municipality, per file. With 100, the street file of a
   * state may be empty although the state has localities coded by street.
   *
   * @default {1}
   */
  readonly maxDanglingPercent?: number;
  /**
   * Maximum percentage of the current release's CEPs that are missing from the
   * new one, in total and per file.
   *
   * @default {5}
   */
  readonly maxShrinkPercent?: number;
  /**
   * Name of this import, shown if another one is started while it runs.
   *
   * @default {"unnamed"}
   */
  readonly holder?: string;
  /** Called with the progress, several times per megabyte. */
  readonly onProgress?: (progress: SeedProgress) => void;
  /** Called with the report of each file after it is read. */
  readonly onFile?: (report: FileReport) => void;
  /**
   * Logger of rejected lines.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
  /** Aborts the import; the current release stays in use. */
  readonly signal?: AbortSignal;
  /**
   * Returns the time in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/**
 * Replaces the content of a database with the DNE in a folder or zip file. If
 * that fails, the current release stays in use.
 *
 * @returns The counts of every file.
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1.
 * @throws {SeedError} If the DNE seems damaged: too many lines are rejected or
 * have dangling references, too many CEPs of the current release are missing,
 * or a line is too long.
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
  const dneVersion = options.dneVersion || version;
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  const staging = await store.stage(holder);
  try {
    const importer = new Importer(staging, logger, now);
    const reports: FileReport[] = [];
    let bytes = 0;
    for (const file of files) {
      const chunks = countBytes(file, signal, (length) => {
        bytes += length;
        const { codes } = importer;
        onProgress({ file: file.name, bytes, totalBytes, codes });
      });
      const report = await importer.importFile(file, chunks);
      onFile(report);
      reports.push(report);
    }
    signal?.throwIfAborted();
    refuseDamage(
      "import",
      findDamage({
        files: reports,
        statesCodedByStreet: importer.statesCodedByStreet,
        present: staging.present,
      }, toTolerance(options)),
    );
    const report: SeedReport = {
      dneVersion,
      seededAt: new Date(now()).toISOString(),
      ceps: importer.codes,
      files: reports,
    };
    await staging.publish({
      ...report,
      totalByFile: countByFile(reports),
      optionalFiles: files.filter(isOptional).map(({ name }) => name),
    }, report);
    return report;
  } catch (error) {
    // If this fails, too, the next import removes the leftovers.
    await staging.discard().catch(() => {});
    throw error;
  }
}

/** Reads a file, reports the size of each chunk, and stops if aborted. */
async function* countBytes(
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
