/**
 * Generated directories, and a database made from one.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seedDatabase } from "./cep.ts";
import { withCommas } from "./figures.ts";
import { run } from "./processes.ts";

const GENERATOR = fileURLToPath(new URL("../generate_dne.ts", import.meta.url));

/** Rows of a smaller directory, as a multiple of the rows asked for. */
export const SMALL = 0.3;

/** Rows of a larger directory. */
export const LARGE = 1.5;

/** What the sections have in common. */
export interface Data {
  /** Folder that they may write in. */
  readonly directory: string;
  /** Street rows in the directory of text files. */
  readonly rows: number;
  /** The directory of text files. */
  readonly rawPath: string;
  /** The directory of the database made from it by one import. */
  readonly databasePath: string;
}

/** Generates a directory and imports it, neither of them measured. */
export async function prepareData(
  directory: string,
  rows: number,
): Promise<Data> {
  const rawPath = await generateDirectory(directory, rows);
  const databasePath = join(directory, "data");
  await seedDatabase(rawPath, databasePath);
  return { directory, rows, rawPath, databasePath };
}

/**
 * Generates a directory of text files, in another process so that this one can
 * be interrupted.
 *
 * @returns Its path.
 */
export async function generateDirectory(
  parent: string,
  rows: number,
): Promise<string> {
  console.error(`Generating ${withCommas(rows)} street rows ...`);
  const path = join(parent, `dne-${rows}`);
  const args = ["run", "-A", GENERATOR, "--rows", `${rows}`, path];
  await run(Deno.execPath(), { args });
  return path;
}
