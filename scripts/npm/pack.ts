/** What `deno pack` makes of a package. */
import { join } from "node:path";
import process from "node:process";
import { run } from "../command.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import { type Files, readTarball } from "./tarball.ts";

/** Options of {@linkcode pack}. */
export interface PackOptions {
  /**
   * Paths in the folder to leave out.
   *
   * @default []
   */
  readonly ignore?: readonly string[];
}

/** Compiles the package in a folder: sources, declarations, `package.json`. */
export async function pack(
  folder: string,
  { ignore = [] }: PackOptions = {},
): Promise<Files> {
  await using temporary = await TemporaryFolder.make("pack");
  const tarball = join(temporary.path, "packed.tgz");
  await run(process.execPath, [
    "pack",
    "--allow-dirty",
    // They would tell the paths of the machine that builds.
    "--no-source-maps",
    ...ignore.map((path) => `--ignore=${path}`),
    `--output=${tarball}`,
  ], { cwd: folder });
  return await readTarball(tarball);
}
