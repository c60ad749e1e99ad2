/**
 * Rows on their way into a table, many in one statement.
 *
 * @module
 */
import type { Connection } from "./driver.ts";

/** A value that can be written into a statement. */
export type Literal = string | number | null;

/** Rows of one statement. */
const ROWS = 1000;

/**
 * Collects rows of a table and inserts them together. The values are written
 * into the statement: to bind them, the driver would convert each in this
 * thread, which takes longer.
 */
export class RowBuffer {
  readonly #connection: Connection;
  readonly #table: string;
  #rows: string[] = [];

  constructor(connection: Connection, table: string) {
    this.#connection = connection;
    this.#table = table;
  }

  /** Adds a row, and tells whether as many as one statement takes are there. */
  add(...values: Literal[]): boolean {
    this.#rows.push(values.map(toLiteral).join(","));
    return this.#rows.length >= ROWS;
  }

  /** Inserts the rows. */
  async insert(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows.join("),(");
    this.#rows = [];
    await this.#connection.exec(`INSERT INTO ${this.#table} VALUES (${rows})`);
  }
}

/**
 * A value as SQL writes it.
 *
 * @throws {RangeError} If a text holds a NUL, which would end the statement.
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
