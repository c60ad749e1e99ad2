import type { Warning } from "./join.ts";

/** Warning about a line of a delta that is applied. */
export type DeltaWarning =
  | Warning
  | "unknown number"
  | "known number"
  | "unusable CEP_ANT";

/**
 * Counts of one file. Every line is counted once as inserted, updated, deleted,
 * unchanged or rejected.
 */
export interface DeltaFileReport {
  /** Name of the file. */
  readonly file: string;
  /** Lines in total, without blank ones. */
  readonly lines: number;
  /** Lines that added a row. */
  readonly inserted: number;
  /** Lines that changed a row. */
  readonly updated: number;
  /** Lines that removed a row. */
  readonly deleted: number;
  /**
   * Lines that the release contained already, or that a later line of the file
   * replaces.
   */
  readonly unchanged: number;
  /** Lines that could not be used. */
  readonly rejected: number;
  /**
   * Lines that refer to an unknown locality, neighbourhood or municipality.
   */
  readonly dangling: number;
  /** Counts of warnings about lines that were applied. */
  readonly warnings: { readonly [W in DeltaWarning]?: number };
  /** Milliseconds spent on the file. */
  readonly milliseconds: number;
}

/** Report of an update. */
export interface UpdateReport {
  /** Version of the DNE after the update, `""` if unknown. */
  readonly dneVersion: string;
  /** Version before the update, `""` if unknown. */
  readonly previousVersion: string;
  /** Time of the release, ISO 8601: that of the update if it changed anything. */
  readonly seededAt: string;
  /** False if the release contained every change already. */
  readonly changed: boolean;
  /** CEPs of the release. */
  readonly ceps: number;
  /**
   * CEPs of the CNEFE that are left out, because the delta has deleted their
   * municipality.
   */
  readonly unplaced: number;
  /** One report per file of the delta, in the order of import. */
  readonly files: readonly DeltaFileReport[];
}

/** Running counts of one file, see {@linkcode DeltaFileReport}. */
export class DeltaTally {
  lines = 0;
  inserted = 0;
  updated = 0;
  deleted = 0;
  unchanged = 0;
  rejected = 0;
  dangling = 0;
  readonly warnings: { [W in DeltaWarning]?: number } = {};

  /** Counts a warning. */
  warn(warning: DeltaWarning): void {
    this.warnings[warning] = (this.warnings[warning] ?? 0) + 1;
  }
}
