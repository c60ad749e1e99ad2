/**
 * Buffer of rows, to insert many per statement.
 *
 * @module
 */
import type { WritableConnection } from "./connection.ts";

/** Value that can be written into a statement. */
export type Literal = string | number | null;

/** Maximum number of rows per statement. */
const ROWS = 1000;

/** Characters after which a statement gets no more rows. */
const CHARACTERS = 500_000;

/**
 * Collects rows of a table and inserts them together. Values are literals in
 * the statement, because the driver would take longer to bind them.
 */
export class RowBuffer {
  readonly #connection: WritableConnection;
  readonly #start: string;
  #rows: string[] = [];
  #characters = 0;

  /**
   * @param table Name in the schema.
   * @param verb `INSERT OR IGNORE` skips rows whose key is in the table.
   */
  constructor(
    connection: WritableConnection,
    table: string,
    verb: "INSERT" | "INSERT OR IGNORE" = "INSERT",
  ) {
    this.#connection = connection;
    this.#start = `${verb} INTO ${connection.table(table)}`;
  }

  /** Adds a row. Returns true if there are enough rows for a statement. */
  add(...values: Literal[]): boolean {
    const row = values.map(toLiteral).join(",");
    this.#rows.push(row);
    this.#characters += row.length;
    return this.#rows.length >= ROWS || this.#characters >= CHARACTERS;
  }

  async insert(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows.join("),(");
    this.#rows = [];
    this.#characters = 0;
    await this.#connection.write(`${this.#start} VALUES (${rows})`);
  }
}

/**
 * Formats a value as an SQL literal.
 *
 * @throws {RangeError} If a text contains a NUL, which would end the statement.
 */
export function toLiteral(value: Literal): string {
  switch (typeof value) {
    case "number":
      return `${value}`;
    case "string":
      if (value.includes("\0")) {
        throw new RangeError("Cannot write a text with a NUL character");
      }
      return `'${value.includes("'") ? value.replaceAll("'", "''") : value}'`;
    default:
      return "NULL";
  }
}
