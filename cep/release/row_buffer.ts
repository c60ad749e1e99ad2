import type { WritableConnection } from "./connection.ts";
import { type Literal, RowBatch } from "./row_batch.ts";

/** Collects rows of a table and inserts them together. */
export class RowBuffer {
  readonly #connection: WritableConnection;
  readonly #into: string;
  /** Two batches, so that one can be inserted while the next one fills. */
  #batch: RowBatch | undefined;
  #spare: RowBatch | undefined;

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
    this.#into = `${verb} INTO ${connection.table(table)}`;
  }

  /** Adds a row. Returns true if there are enough rows to insert. */
  add(row: readonly Literal[]): boolean {
    this.#batch ??= new RowBatch(row.length, this.#connection.allocate);
    this.#batch.add(row);
    return this.#batch.isFull;
  }

  /**
   * Inserts the rows. Others can be added meanwhile, but none inserted.
   */
  async insert(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined || batch.isEmpty) return;
    this.#batch = this.#spare;
    this.#spare = undefined;
    await this.#connection.insert(this.#into, batch.bytes);
    batch.clear();
    this.#spare = batch;
  }
}
