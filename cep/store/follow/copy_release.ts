import type {
  Connection,
  Value,
  WritableConnection,
} from "../../release/connection.ts";
import { createTables, TABLES } from "../../release/schema.ts";
import { DatabaseError } from "../store.ts";
import { MAX_RELEASE_BYTES } from "./manifest.ts";

/** Rows per query. */
const ROWS = 2000;

/** Columns of a table. */
interface Columns {
  readonly names: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** True if its rows are parts of a megabyte. */
  readonly hasBytes: boolean;
}

/** Page of a table. */
interface Page {
  /** Its rows as JSON: an array of arrays. */
  readonly json: string;
  readonly rows: number;
  /** Key of its last row. */
  readonly last: readonly Value[];
}

/**
 * Copies the tables of a release in bounded batches. Both databases handle the
 * rows as JSON texts, so that this thread stays free for requests.
 *
 * @param target Database without tables.
 * @param signal Ends the copy between two batches.
 * @param maxBytes Size of the JSON texts that no release has: a server could fill
 * the disk.
 * @throws {DatabaseError} If a database cannot be read or written, or the
 * release has other tables or is too large.
 */
export async function copyRelease(
  source: Connection,
  target: WritableConnection,
  signal: AbortSignal,
  maxBytes: number = MAX_RELEASE_BYTES,
): Promise<void> {
  let bytes = 0;
  await target.begin(createTables(target.table));
  for (const name of Object.keys(TABLES)) {
    const columns = await readColumns(target, name);
    const insert = insertSql(target, name, columns);
    for await (const json of readPages(source, name, columns)) {
      signal.throwIfAborted();
      bytes += json.length;
      if (bytes > maxBytes) {
        throw new DatabaseError(
          `Cannot copy the release: it has more than ${maxBytes} bytes`,
        );
      }
      await target.write(insert, [json]);
    }
  }
  await target.commit();
}

/** Reads the columns of a table of the schema. */
async function readColumns(
  target: Connection,
  name: string,
): Promise<Columns> {
  const select = await target.prepare(
    "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
  );
  const rows = await select.all([target.table(name)]) as [
    name: string,
    type: string,
    pk: number,
  ][];
  return {
    names: rows.map(([name]) => name),
    key: rows.filter(([, , pk]) => pk > 0)
      .toSorted(([, , a], [, , b]) => a - b).map(([name]) => name),
    hasBytes: rows.some(([, type]) => type === "BLOB"),
  };
}

/** Reads a table in the order of its key; the next page is read in advance. */
async function* readPages(
  source: Connection,
  name: string,
  columns: Columns,
): AsyncGenerator<string> {
  const limit = columns.hasBytes ? 1 : ROWS;
  const select = (where: string) =>
    source.prepare(selectSql(source.table(name), columns, where, limit));
  const list = columns.key.join(", ");
  const marks = columns.key.map(() => "?").join(", ");
  const first = await select("");
  const next = await select(`WHERE (${list}) > (${marks})`);
  let reading = first.all();
  while (true) {
    const page = toPage(await reading);
    const isComplete = page.rows < limit;
    if (!isComplete) {
      reading = next.all(page.last);
      // A failure is thrown by the next round, unless the reader stops here.
      reading.catch(() => {});
    }
    if (page.rows > 0) yield page.json;
    if (isComplete) return;
  }
}

/** Returns the query for a page. */
function selectSql(
  table: string,
  { names, key, hasBytes }: Columns,
  where: string,
  limit: number,
): string {
  const values = names.map((name) =>
    hasBytes && name === "bytes" ? `hex(${name})` : name
  );
  // The columns of the key are those of the row with the maximum.
  return `SELECT json_group_array(json_array(${values.join(", ")})),
      ifnull(max(n), 0), ${key.join(", ")}
    FROM (SELECT *, row_number() OVER () AS n FROM (
      SELECT ${names.join(", ")} FROM ${table} ${where}
      ORDER BY ${key.join(", ")} LIMIT ${limit}))`;
}

function toPage([row]: Value[][]): Page {
  const [json, rows, ...last] = row as [string, number, ...Value[]];
  return { json, rows, last };
}

/** Returns the statement that inserts a page. */
function insertSql(
  { table }: Connection,
  name: string,
  { names, hasBytes }: Columns,
): string {
  const values = names.map((column, i) => {
    const value = `json_extract(value, '$[${i}]')`;
    return hasBytes && column === "bytes" ? `unhex(${value})` : value;
  });
  return `INSERT INTO ${table(name)} (${names.join(", ")})
    SELECT ${values.join(", ")} FROM json_each(?)`;
}
