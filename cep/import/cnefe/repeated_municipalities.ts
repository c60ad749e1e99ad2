import { CensusError } from "./census_error.ts";
import type { FileResult } from "./read_file.ts";
import type { RepeatedMunicipality } from "./report.ts";

interface Occurrence {
  /** Index of the file. */
  readonly file: number;
  readonly rows: number;
  readonly sum: number;
}

/** Municipalities that are left out of each file. */
export interface LeftOut {
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
export function findRepeated(files: readonly FileResult[]): LeftOut {
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
