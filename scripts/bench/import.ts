/**
 * How long an import takes, beside the sqlite3 shell with the same rows.
 *
 * @module
 */
import { join } from "node:path";
import { seedDatabase } from "./cep.ts";
import type { Data } from "./data.ts";
import { countRows, dumpRows, readSchema, sqlite } from "./database.ts";
import { inPairs, type Section, timed, withCommas } from "./figures.ts";

const ROWS_FILE = "rows.txt";
const YARDSTICK_FILE = "yardstick.db";

/** Times whole processes, from text files to a database that is closed. */
export async function benchImport(
  { directory, rows, rawPath, databasePath }: Data,
  { pairs: count }: { readonly pairs: number },
): Promise<Section> {
  const schema = await readSchema(databasePath);
  const codes = await countRows(databasePath);
  await dumpRows(databasePath, directory, ROWS_FILE);
  console.error("Importing in turns ...");
  const pairs = await inPairs(
    count,
    () => timeSeed(rawPath, join(directory, "seeded")),
    () => timeShell(directory, schema, codes),
  );
  await Deno.remove(join(directory, ROWS_FILE));
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
        limit: { side: "at most", value: 4 },
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

async function timeShell(
  directory: string,
  schema: string,
  codes: number,
): Promise<number> {
  const seconds = await timed(() =>
    sqlite(
      directory,
      YARDSTICK_FILE,
      // The same as the service has.
      "PRAGMA journal_mode = WAL",
      "PRAGMA synchronous = NORMAL",
      schema,
      `.import --ascii ${ROWS_FILE} cep`,
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
