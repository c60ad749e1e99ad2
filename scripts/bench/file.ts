/**
 * How large the database is on disk.
 *
 * @module
 */
import { join } from "node:path";
import { seedDatabase } from "./cep.ts";
import type { Data } from "./data.ts";
import { countRows, RELEASE_FILE } from "./database.ts";
import { type Section, withCommas } from "./figures.ts";

/** Imports a directory once more into the database made from it. */
export async function benchFile(
  { rawPath, databasePath }: Data,
): Promise<Section> {
  console.error("Importing a second time ...");
  const codes = await countRows(databasePath);
  const { size } = await Deno.stat(join(databasePath, RELEASE_FILE));
  const before = await folderSize(databasePath);
  await seedDatabase(rawPath, databasePath);
  const after = await folderSize(databasePath);
  const megabytes = (bytes: number) => [bytes / 1e6];
  return {
    title: `Database of ${withCommas(codes)} codes on disk`,
    figures: [
      { name: "release file", unit: "MB", values: megabytes(size) },
      { name: "folder", unit: "MB", values: megabytes(before) },
      {
        name: "folder, imported twice",
        unit: "MB",
        values: megabytes(after),
      },
      {
        name: "second / first",
        unit: "ratio",
        values: [after / before],
        // The report in the file is not of the same length every time.
        limit: { side: "at most", value: 1.01 },
      },
    ],
  };
}

async function folderSize(path: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isFile } of Deno.readDir(path)) {
    if (isFile) bytes += (await Deno.stat(join(path, name))).size;
  }
  return bytes;
}
