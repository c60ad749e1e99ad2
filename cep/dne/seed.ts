/**
 * The import of a directory: files in, a database that answers out.
 *
 * @module
 */
import type { Entry, Locality } from "../address.ts";
import { defaultLogger, type Logger } from "../logger.ts";
import type { Staging, Store } from "../store/store.ts";
import { CodeSet } from "./code_set.ts";
import { type DirectoryFile, openDirectory } from "./directory.ts";
import { Join, type Warning } from "./join.ts";
import { parseRow, RejectedRow, type RequiredFile } from "./layout.ts";
import { readLines } from "./lines.ts";
import { type FileReport, type SeedReport, Tally } from "./report.ts";

export { DirectoryError } from "./directory.ts";
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
  Release,
  Staging,
  Store,
} from "../store/mod.ts";

/** How far an import has come. */
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
  readonly store: Pick<Store, "stage">;
  /**
   * Share of a file's lines, in percent, that may be rejected.
   *
   * @default {1}
   */
  readonly maxRejectedPercent?: number;
  /**
   * Who imports, for a second import that finds this one running.
   *
   * @default {"unnamed"}
   */
  readonly holder?: string;
  /** Called a few times a megabyte. */
  readonly onProgress?: (progress: SeedProgress) => void;
  /** Called when a file is done. */
  readonly onFile?: (report: FileReport) => void;
  /**
   * Where rejected lines are logged.
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

/** An import that was given up because of what the files hold. */
export class SeedError extends Error {
  /** Always `SeedError`. */
  override readonly name = "SeedError";
}

/** Records that are written at once. */
const BATCH = 5000;

/**
 * Rejected lines of one file that are logged. The share allowed by default is
 * less than this even in the largest file.
 */
const MAX_LOGGED_REJECTIONS = 10_000;

/**
 * Replaces the content of a database with a directory of DNE text files. On
 * any failure the database keeps answering from what it had.
 *
 * @returns What became of every line.
 * @throws {DirectoryError} If files are missing, unreadable or not ISO-8859-1.
 * @throws {SeedError} If too many lines of a file are rejected, a line is too
 * long, or there is no code at all.
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
    maxRejectedPercent = 1,
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
    refuseBadFiles(reports, maxRejectedPercent);
    if (importer.codes === 0) {
      throw new SeedError("Cannot import: the files hold no code at all");
    }
    const report: SeedReport = {
      dneVersion: version,
      seededAt: new Date(now()).toISOString(),
      ceps: importer.codes,
      files: reports,
    };
    await staging.publish(report, report);
    return report;
  } catch (error) {
    // If this fails too, the next import clears what is left.
    await staging.discard().catch(() => {});
    throw error;
  }
}

/** Takes the files one after another into the staging tables. */
class Importer {
  /** Codes stored so far. */
  codes = 0;
  readonly #staging: Staging;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Warnings of the line at hand, counted once it is stored. */
  readonly #noticed: Warning[] = [];
  readonly #join = new Join((warning) => this.#noticed.push(warning));
  readonly #seen = new CodeSet();
  readonly #withGeneralCode: Locality[] = [];
  #entries: Entry[] = [];

  constructor(staging: Staging, logger: Logger, now: () => number) {
    this.#staging = staging;
    this.#logger = logger;
    this.#now = now;
  }

  async importFile(
    file: RequiredFile,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileReport> {
    const start = this.#now();
    const tally = new Tally();
    for await (const lines of this.#readLines(file, chunks)) {
      for (const line of lines) this.#importLine(file, line, tally);
      if (this.#entries.length >= BATCH) await this.#flush();
    }
    await this.#finishFile(file, tally);
    await this.#flush();
    return { file: file.name, ...tally, milliseconds: this.#now() - start };
  }

  async *#readLines(
    { name }: RequiredFile,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<string[]> {
    try {
      yield* readLines(chunks);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new SeedError(`Cannot import ${name}: ${cause.message}`, { cause });
    }
  }

  #importLine(file: RequiredFile, line: string, tally: Tally): void {
    tally.lines++;
    this.#noticed.length = 0;
    try {
      if (this.#take(file, line)) {
        tally.stored++;
        tally.warn(this.#noticed);
      } else {
        tally.duplicates++;
      }
    } catch (error) {
      if (!(error instanceof RejectedRow)) throw error;
      tally.rejected++;
      this.#logRejection(file, tally, error);
    }
  }

  /** Whether the line was new: of two with one number or code the first is. */
  #take({ name, family }: RequiredFile, line: string): boolean {
    const join = this.#join;
    switch (family) {
      case "LOG_LOCALIDADE":
        return this.#takeLocality(join.addLocality(parseRow(family, line)));
      case "LOG_BAIRRO":
        return join.addNeighbourhood(parseRow(family, line)) !== undefined;
      case "LOG_LOGRADOURO":
        return this.#takeEntry(join.street(parseRow(family, line), name));
      case "LOG_GRANDE_USUARIO":
        return this.#takeEntry(join.largeUser(parseRow(family, line), name));
      case "LOG_UNID_OPER":
        return this.#takeEntry(
          join.operationalUnit(parseRow(family, line), name),
        );
      case "LOG_CPC":
        return this.#takeEntry(
          join.communityPost(parseRow(family, line), name),
        );
    }
  }

  #takeLocality(locality: Locality | undefined): boolean {
    if (locality === undefined) return false;
    if (locality.cep === "") return true;
    if (!this.#seen.add(locality.cep)) return false;
    this.#withGeneralCode.push(locality);
    return true;
  }

  #takeEntry(entry: Entry): boolean {
    if (!this.#seen.add(entry.address.cep)) return false;
    this.#entries.push(entry);
    return true;
  }

  /** What can be done only when the whole file is known. */
  async #finishFile({ family }: RequiredFile, tally: Tally): Promise<void> {
    if (family === "LOG_LOCALIDADE") {
      await this.#staging.addLocalities([...this.#join.localities]);
      this.#noticed.length = 0;
      for (const locality of this.#withGeneralCode) {
        this.#entries.push(this.#join.generalCode(locality));
      }
      tally.warn(this.#noticed);
    } else if (family === "LOG_BAIRRO") {
      await this.#staging.addNeighbourhoods([...this.#join.neighbourhoods]);
    }
  }

  async #flush(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    await this.#staging.addEntries(entries);
    this.codes += entries.length;
  }

  #logRejection(file: RequiredFile, tally: Tally, why: RejectedRow): void {
    if (tally.rejected > MAX_LOGGED_REJECTIONS) return;
    this.#logger.warn("Rejected line", {
      file: file.name,
      line: tally.lines,
      reason: why.reason,
      detail: why.detail,
    });
  }
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

function refuseBadFiles(
  files: readonly FileReport[],
  maxPercent: number,
): void {
  const bad = files.filter(({ rejected, lines }) =>
    rejected * 100 > lines * maxPercent
  );
  if (bad.length === 0) return;
  const shares = bad.map((it) => `${it.rejected} of ${it.lines} in ${it.file}`);
  throw new SeedError(
    `Cannot import: too many lines are rejected, ${shares.join(", ")} ` +
      `(${maxPercent} % of a file allowed)`,
  );
}
