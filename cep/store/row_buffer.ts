/**
 * Buffer of rows, to insert many per statement.
 *
 * @module
 */
import type { Connection } from "./driver.ts";

/** Value that can be written into a statement. */
export type Literal = string | number | null;

/** Rows per statement. */
const ROWS = 1000;

/**
 * Collects rows of a table and inserts them together. Values are literals in
 * the statement, because the driver would take longer to bind them.
 */
export class RowBuffer {
  readonly #connection: Connection;
  readonly #start: string;
  #rows: string[] = [];

  /**
   * @param verb `INSERT OR IGNORE` skips rows whose key is in the table.
   */
  constructor(
    connection: Connection,
    table: string,
    verb: "INSERT" | "INSERT OR IGNORE" = "INSERT",
  ) {
    this.#connection = connection;
    this.#start = `${verb} INTO ${table}`;
  }

  /** Adds a row. Returns true if there are enough rows for a statement. */
  add(...values: Literal[]): boolean {
    this.#rows.push(values.map(toLiteral).join(","));
    return this.#rows.length >= ROWS;
  }

  async insert(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows.join("),(");
    this.#rows = [];
    await this.#connection.exec(`${this.#start} VALUES (${rows})`);
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
