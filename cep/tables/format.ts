import type { Match } from "../search/matcher.ts";
import type { RowAddress } from "./columns.ts";
import { MAX_ROW, type Row } from "./row_reader.ts";

/** Format of a table with addresses: how a row is read and answered. */
export interface TableFormat {
  /** Delimiter of the cells of answers, `undefined` for lines. */
  readonly delimiter: string | undefined;
  /** Text before the first row. */
  readonly header: string;
  /**
   * Reads the address of a row.
   *
   * @throws {RowError} If the row is broken.
   */
  read(row: Row): RowAddress;
  /** Writes the answer to a row. */
  write(row: Row, match: Match): string;
  /** Writes an error in place of an answer. */
  writeError(row: Row, message: string): string;
  /** True if a text is an answer to a row. */
  isAnswer(row: Row, text: Row): boolean;
}

/** Fault of a row, in Portuguese because it is written to the table. */
export class RowError extends Error {
  /** Always `RowError`. */
  override readonly name = "RowError";
}

const FAULTS = {
  quotes: "aspas sem par ou seguidas de texto",
  length: `linha com mais de ${MAX_ROW} caracteres`,
};

/**
 * Refuses a row that has a fault, or was not UTF-8.
 *
 * @throws {RowError} If the row is broken.
 */
export function requireIntact({ fault, isMisread }: Row): void {
  if (fault !== undefined) throw new RowError(FAULTS[fault]);
  if (isMisread) {
    throw new RowError(
      "caracteres que não são UTF-8: informe MATCH_ENCODING=iso-8859-1",
    );
  }
}
