/** Paths of random CEPs. */
import type { Database, Programs } from "../bench/programs.ts";
import type { WayOptions } from "./ways.ts";

/** Number of CEPs, drawn from all with equal probability. */
const COUNT = 50_000;

/** Draws random CEPs of a release, and writes their paths into a file. */
export async function drawPaths(
  programs: Programs,
  database: Database,
): Promise<WayOptions> {
  const paths = `${programs.folder}/paths.txt`;
  await programs.sqlite(
    database.file,
    `.output ${paths}`,
    `SELECT '/cep/' || printf('%08d', cep) FROM cep
      ORDER BY random() LIMIT ${COUNT}`,
  );
  const [path = ""] = (await Deno.readTextFile(paths)).split("\n", 1);
  return { programs, database, paths, path };
}
