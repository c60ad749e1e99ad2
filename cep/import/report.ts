import type { CensusFileReport, CensusReport } from "./cnefe/report.ts";
import type { FileReport } from "./dne/report.ts";

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
