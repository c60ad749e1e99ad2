import type { Logger } from "../util/logger.ts";
import type { Writer } from "../store/store.ts";
import type { CensusFileReport, CensusReport } from "./cnefe/report.ts";
import type { FileReport } from "./dne/report.ts";

/** Options of `seed` and `update`. */
export interface ImportOptions {
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
   * new one, in total and per file. With 100, the new release may lack a source
   * of the current one.
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
  /** True in the last call. */
  readonly done: boolean;
}

/** Options of {@linkcode seed}. */
export interface SeedOptions extends ImportOptions {
  /**
   * Folder of the DNE text files, or zip file of the DNE as delivered by
   * Correios.
   *
   * @default {undefined}
   */
  readonly directory?: string;
  /**
   * Files of the CNEFE: zip files of states or municipalities as IBGE publishes
   * them, text files extracted from them, or folders of such files.
   *
   * @default {[]}
   */
  readonly cnefe?: string | readonly string[];
  /** Called with the progress, several times per megabyte. */
  readonly onProgress?: (progress: SeedProgress) => void;
  /** Called with the report of each file of the DNE after it is read. */
  readonly onFile?: (report: FileReport) => void;
  /** Called with the report of each file of the CNEFE after it is read. */
  readonly onCensusFile?: (report: CensusFileReport) => void;
}

/** Counts of the CEPs of one file of the CNEFE. */
export interface CensusCounts {
  /** CEPs with most of their addresses in this file. */
  readonly codes: number;
  /** CEPs that are answered from this file, because the DNE lacks them. */
  readonly stored: number;
  /**
   * CEPs that the DNE lacks and that are left out, because their municipality is
   * unknown.
   */
  readonly dangling: number;
  /**
   * CEPs that are left out, because an earlier DNE had them: Correios has
   * replaced or removed them since.
   */
  readonly retired: number;
  /**
   * CEPs that the DNE lacks and that are left out, because they are outside the
   * ranges of their state and have few addresses: misread CEPs.
   */
  readonly foreign: number;
}

/** Report of the CNEFE in an import. */
export interface CensusImportReport
  extends Omit<CensusReport, "files">, CensusCounts {
  /** One report per file, in order of their paths. */
  readonly files: readonly (CensusFileReport & CensusCounts)[];
}

/** Report of an import. */
export interface SeedReport {
  /** Version of the DNE, `""` if unknown or without it. */
  readonly dneVersion: string;
  /** Time of the import, ISO 8601. */
  readonly seededAt: string;
  /** CEPs that were stored. */
  readonly ceps: number;
  /** One report per file of the DNE, in the order of import. */
  readonly files: readonly FileReport[];
  /** Report of the CNEFE, `null` without it. */
  readonly census: CensusImportReport | null;
}
