import type { ColumnName, ScanFault } from "./rows.ts";

/** Reason why a row is not counted. */
export type Rejection =
  | ScanFault
  | "number of columns"
  | "municipality"
  | "CEP";

/** Value of a row that is counted without it. */
export type IgnoredValue = "coordinates" | "building number";

/** Condition of a row that is counted. */
export type CensusWarning = IgnoredValue | "CEP of another state";

/** Rows that are not counted, or counted with a warning. */
export interface RowNote {
  /** Number of rows. */
  readonly count: number;
  /** Numbers of the first lines. */
  readonly lines: readonly number[];
}

/** Number of first lines in a {@linkcode RowNote}. */
const NOTED_LINES = 10;

/** Counts of one file. Every row is counted, repeated or rejected. */
export interface CensusFileReport {
  /** Name of the file, e.g. `35_SP.csv`. */
  readonly file: string;
  /** Path of the file. Within a zip file, it begins with that of the zip. */
  readonly path: string;
  /** Rows without the header and blank lines. */
  readonly rows: number;
  /**
   * Addresses: rows with a COD_UNICO_ENDERECO that no earlier row has, and rows
   * without one.
   */
  readonly addresses: number;
  /** Rows with the COD_UNICO_ENDERECO of an earlier row: further uses of it. */
  readonly repeated: number;
  /** Rows that could not be used. */
  readonly rejected: number;
  /** Rows that could not be used, by reason. */
  readonly rejections: { readonly [R in Rejection]?: RowNote };
  /** Rows that were counted with a warning. */
  readonly warnings: { readonly [W in CensusWarning]?: RowNote };
  /** Columns that the file lacks and that are not necessary. */
  readonly missingColumns: readonly ColumnName[];
  /** Number of municipalities. */
  readonly municipalities: number;
  /** Milliseconds spent on the file. */
  readonly milliseconds: number;
}

/** Municipality that several files contain. It is counted once. */
export interface RepeatedMunicipality {
  /** IBGE code. */
  readonly ibge: string;
  /** Path of the file whose rows are counted. */
  readonly counted: string;
  /** Path of a file whose rows are left out. */
  readonly leftOut: string;
}

/** Report of a reading. */
export interface CensusReport {
  /** One report per file, in order of their paths. */
  readonly files: readonly CensusFileReport[];
  /** CEPs. */
  readonly codes: number;
  /** Addresses of the CEPs, each in the municipality with most of them. */
  readonly addresses: number;
  /** CEPs that are outside of the ranges of their state. */
  readonly outsideState: number;
  /** Municipalities that several files contain. */
  readonly repeatedMunicipalities: readonly RepeatedMunicipality[];
  /** Number of threads that read. */
  readonly threads: number;
  /** Milliseconds in total. */
  readonly milliseconds: number;
}

/** Running notes of rows, by reason. */
export class RowNotes<R extends string> {
  /** Number of rows in total. */
  total = 0;
  readonly #notes = new Map<R, { count: number; lines: number[] }>();

  /** Notes a line. */
  add(reason: R, line: number): void {
    this.total++;
    let note = this.#notes.get(reason);
    if (note === undefined) {
      note = { count: 0, lines: [] };
      this.#notes.set(reason, note);
    }
    note.count++;
    if (note.lines.length < NOTED_LINES) note.lines.push(line);
  }

  /** Returns the notes, in alphabetical order of the reasons. */
  toObject(): { [K in R]?: RowNote } {
    const sorted = [...this.#notes].sort(([a], [b]) => a < b ? -1 : 1);
    return Object.fromEntries<RowNote>(sorted) as { [K in R]?: RowNote };
  }
}
