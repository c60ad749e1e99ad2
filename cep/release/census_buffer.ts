import type { CensusRow } from "../record/census.ts";
import {
  requireCensusRow,
  toCensusColumns,
  toStreetColumns,
} from "./census_rows.ts";
import type { WritableConnection } from "./connection.ts";
import { RowBuffer } from "./row_buffer.ts";

/** Collects rows of the tables `censo` and `censo_logradouro`. */
export class CensusBuffer {
  readonly #rows: RowBuffer;
  readonly #streets: RowBuffer;

  constructor(connection: WritableConnection) {
    this.#rows = new RowBuffer(connection, "censo");
    this.#streets = new RowBuffer(connection, "censo_logradouro");
  }

  /**
   * Adds a row. Returns true if there are enough rows for a statement.
   *
   * @throws {TypeError} If it cannot be stored.
   */
  add(row: CensusRow): boolean {
    requireCensusRow(row);
    let isFull = this.#rows.add(toCensusColumns(row));
    row.streets.forEach((street, i) => {
      isFull = this.#streets.add(toStreetColumns(row, street, i)) || isFull;
    });
    return isFull;
  }

  async insert(): Promise<void> {
    // At once, because other rows may be added meanwhile.
    await Promise.all([this.#rows.insert(), this.#streets.insert()]);
  }
}
