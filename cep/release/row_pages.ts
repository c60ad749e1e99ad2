/**
 * Rows of a table in pages: a server refuses results of several megabytes.
 */
import type { Connection, Value } from "./connection.ts";

/** Rows per query. */
const ROWS = 5000;

/** Rows to read. */
export interface PageQuery {
  /** Name of the table in the schema. */
  readonly table: string;
  /** Expressions of each row, without blobs, over the row `page`. */
  readonly columns: string;
  /**
   * Columns by which the rows are sorted and told apart. Their numbers are not
   * negative.
   */
  readonly key: readonly string[];
}

/** Reads rows in pages, in the order of their key. */
export async function* readPages<T extends readonly unknown[]>(
  connection: Connection,
  { table, columns, key }: PageQuery,
): AsyncGenerator<T[]> {
  const names = key.join(", ");
  // One text per query: the driver takes four times as long for arrays.
  const select = await connection.prepare(
    `SELECT json_group_array(json_array(${names}, ${columns})) FROM
     (SELECT * FROM ${connection.table(table)}
      WHERE (${names}) > (${key.map(() => "?").join(", ")})
      ORDER BY ${names} LIMIT ${ROWS}) AS page`,
  );
  let last: readonly Value[] = key.map(() => -1);
  while (true) {
    const [[text] = []] = await select.all(last);
    const rows: Value[][] = JSON.parse(text as string);
    if (rows.length === 0) return;
    last = rows.at(-1)!.slice(0, key.length);
    yield rows.map((row) => row.slice(key.length)) as unknown as T[];
    if (rows.length < ROWS) return;
  }
}

/** Reads all rows, in the order of their key. */
export async function readRows<T extends readonly Value[]>(
  connection: Connection,
  query: PageQuery,
): Promise<T[]> {
  return (await Array.fromAsync(readPages<T>(connection, query))).flat();
}
