import type { Value } from "./connection.ts";
import { type RowBytes, valuesOf } from "./row_batch.ts";

/** Rows per statement: more would gain nothing. */
const ROWS = 50;

/** Statement that writes: synchronously, or in another thread. */
interface InsertStatement {
  run(values: readonly Value[]): void | Promise<void>;
}

/** Inserts rows, and keeps its statements. */
export class RowInserter {
  readonly #prepare: (sql: string) => InsertStatement;
  readonly #statements = new Map<string, InsertStatement>();

  constructor(prepare: (sql: string) => InsertStatement) {
    this.#prepare = prepare;
  }

  /**
   * Inserts rows.
   *
   * @param into Statement up to the values, e.g. `INSERT INTO cep`.
   */
  async insert(into: string, rows: RowBytes): Promise<void> {
    const { columns } = rows;
    const values = valuesOf(rows);
    let start = 0;
    for (const count of [ROWS, 1]) {
      const statement = this.#statementOf(into, columns, count);
      const size = count * columns;
      for (; start + size <= values.length; start += size) {
        const running = statement.run(values.slice(start, start + size));
        // Every await of a thread in Deno takes as long as the statement.
        if (running !== undefined) await running;
      }
    }
  }

  #statementOf(into: string, columns: number, rows: number): InsertStatement {
    const row = `(${Array(columns).fill("?").join()})`;
    const sql = `${into} VALUES ${Array(rows).fill(row).join()}`;
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
