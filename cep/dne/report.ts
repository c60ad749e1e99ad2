/**
 * Counts of an import, by file and by warning.
 *
 * @module
 */
import { DANGLING, type Warning } from "./join.ts";

/**
 * Counts of one file. Every line is either stored, a duplicate or rejected.
 */
export interface FileReport {
  /** Name of the file. */
  readonly file: string;
  /** Lines in all, without blank ones. */
  readonly lines: number;
  /** Lines that were stored. */
  readonly stored: number;
  /** Codes that were stored. */
  readonly codes: number;
  /** Lines whose code or number another line has already. */
  readonly duplicates: number;
  /** Lines that could not be used. */
  readonly rejected: number;
  /**
   * Lines that were stored although their locality, neighbourhood or
   * municipality is in no file.
   */
  readonly dangling: number;
  /** Warnings about lines that were stored, with their counts. */
  readonly warnings: { readonly [W in Warning]?: number };
  /** Milliseconds spent on the file. */
  readonly milliseconds: number;
}

/** Counts of an import. */
export interface SeedReport {
  /** Version of the directory, `""` if it does not tell. */
  readonly dneVersion: string;
  /** Time of the import, ISO 8601. */
  readonly seededAt: string;
  /** Codes stored. */
  readonly ceps: number;
  /** One a file, in the order of import. */
  readonly files: readonly FileReport[];
}

/** Counts what becomes of the lines of one file. */
export class Tally {
  /** Lines in all, without blank ones. */
  lines = 0;
  /** Lines stored. */
  stored = 0;
  /** Codes stored. */
  codes = 0;
  /** Lines whose code or number was there already. */
  duplicates = 0;
  /** Lines that could not be used. */
  rejected = 0;
  /** Lines with a reference that leads nowhere. */
  dangling = 0;
  /** Warnings with their counts. */
  readonly warnings: { [W in Warning]?: number } = {};

  /** Counts the warnings of one line. */
  warn(warnings: readonly Warning[]): void {
    for (const warning of warnings) {
      this.warnings[warning] = (this.warnings[warning] ?? 0) + 1;
    }
    if (warnings.some((warning) => DANGLING.has(warning))) this.dangling++;
  }
}
