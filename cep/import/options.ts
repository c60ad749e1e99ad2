import type { CensusFileReport } from "./cnefe/report.ts";
import type { ImportOptions } from "./dne/import_options.ts";
import type { FileReport } from "./dne/report.ts";

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
