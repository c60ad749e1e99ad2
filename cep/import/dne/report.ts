import { DANGLING, type Warning } from "./join.ts";

/**
 * Counts of one file. Every line is stored, counted as a duplicate or rejected.
 */
export interface FileReport {
  /** Name of the file. */
  readonly file: string;
  /** Lines in total, without blank ones. */
  readonly lines: number;
  /** Lines that were stored. */
  readonly stored: number;
  /** CEPs that were stored. */
  readonly codes: number;
  /** Lines with the CEP or number of an earlier line. */
  readonly duplicates: number;
  /** Lines that could not be used. */
  readonly rejected: number;
  /**
   * Lines that were stored although they refer to an unknown locality,
   * neighbourhood or municipality.
   */
  readonly dangling: number;
  /** Counts of warnings about lines that were stored. */
  readonly warnings: { readonly [W in Warning]?: number };
  /** Milliseconds spent on the file. */
  readonly milliseconds: number;
}

/** Returns the number of CEPs of each file that has some. */
export function countByFile(
  files: readonly FileReport[],
): Record<string, number> {
  return Object.fromEntries(
    files.filter(({ codes }) => codes > 0)
      .map(({ file, codes }) => [file, codes]),
  );
}

/** Running counts of one file, see {@linkcode FileReport}. */
export class Tally {
  /** Lines in total, without blank ones. */
  lines = 0;
  /** Lines stored. */
  stored = 0;
  /** CEPs stored. */
  codes = 0;
  /** Lines with the CEP or number of an earlier line. */
  duplicates = 0;
  /** Lines that could not be used. */
  rejected = 0;
  /** Lines with a dangling reference. */
  dangling = 0;
  /** Counts of warnings. */
  readonly warnings: { [W in Warning]?: number } = {};

  /** Counts the warnings of one line. */
  warn(warnings: readonly Warning[]): void {
    for (const warning of warnings) {
      this.warnings[warning] = (this.warnings[warning] ?? 0) + 1;
    }
    if (warnings.some((warning) => DANGLING.has(warning))) this.dangling++;
  }
}
