/**
 * How long an import takes, beside the sqlite3 shell with the same entries.
 *
 * @module
 */
import { join } from "node:path";
import { seedDatabase } from "./cep.ts";
import type { Data } from "./data.ts";
import {
  countRows,
  dumpEntries,
  readSchema,
  type Schema,
  sqlite,
} from "./database.ts";
import { inPairs, type Section, timed, withCommas } from "./figures.ts";

const ENTRIES_FILE = "entries.txt";
const YARDSTICK_FILE = "yardstick.db";

/** Those of an import. */
const PRAGMAS = [
  "PRAGMA journal_mode = OFF",
  "PRAGMA locking_mode = EXCLUSIVE",
  "PRAGMA synchronous = OFF",
  "PRAGMA cache_size = -16384",
];

/** Times whole processes, from text files to a database that is closed. */
export async function benchImport(
  { directory, rows, rawPath, databasePath }: Data,
  { pairs: count }: { readonly pairs: number },
): Promise<Section> {
  const schema = await readSchema(databasePath);
  const codes = await countRows(databasePath);
  await dumpEntries(databasePath, directory, ENTRIES_FILE);
  console.error("Importing in turns ...");
  const pairs = await inPairs(
    count,
    () => timeSeed(rawPath, join(directory, "seeded")),
    () => timeShell(directory, schema, codes),
  );
  await Deno.remove(join(directory, ENTRIES_FILE));
  return {
    title: `Import of ${withCommas(rows)} street rows, ${
      withCommas(codes)
    } codes in all`,
    figures: [
      { name: "import", unit: "s", values: pairs.ours },
      { name: "sqlite3 .import", unit: "s", values: pairs.yardstick },
      {
        name: "import / .import",
        unit: "ratio",
        values: pairs.ratios,
        limit: { side: "at most", value: 1.8 },
      },
    ],
  };
}

async function timeSeed(
  rawPath: string,
  databasePath: string,
): Promise<number> {
  const seconds = await timed(() => seedDatabase(rawPath, databasePath));
  await Deno.remove(databasePath, { recursive: true });
  return seconds;
}

/**
 * Times what the shell needs for the largest of the tables alone: entries that
 * are joined already, in the order of the text files, into the same table, and
 * then its index.
 */
async function timeShell(
  directory: string,
  { pageSize, table, indexes }: Schema,
  codes: number,
): Promise<number> {
  const seconds = await timed(() =>
    sqlite(
      directory,
      YARDSTICK_FILE,
      `PRAGMA page_size = ${pageSize}`,
      ...PRAGMAS,
      table,
      `.import --ascii ${ENTRIES_FILE} cep`,
      indexes,
    )
  );
  // The shell goes on after a row that it cannot import.
  const imported = await countRows(directory, YARDSTICK_FILE);
  if (imported !== codes) {
    throw new Error(`Cannot compare: sqlite3 imported ${imported} of ${codes}`);
  }
  await Deno.remove(join(directory, YARDSTICK_FILE));
  return seconds;
}
