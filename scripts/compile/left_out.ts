/** What of the npm packages a running program has no use for. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { NpmPackage } from "./graph.ts";

/**
 * Builds of native libraries for the C library that no target has: Deno itself
 * runs on glibc alone. Of the rest Deno takes what suits the target.
 */
const FOREIGN_PACKAGE = /-musl(eabihf)?$/;

/** Files for type checkers and debuggers. */
const FOREIGN_FILE = /\.(d\.[cm]?ts|map)$/;

/** Folders at the top of a package for those who work on it. */
const FOREIGN_FOLDER = /^(tests?|__tests__|specs?|examples?|docs)$/i;

/**
 * The files and folders that are not embedded.
 *
 * Beside saving space this makes the compilation possible: Deno 2.9 overflows
 * its stack over the 2 MB of samples that a package has among its tests
 * (https://github.com/denoland/deno/issues/36746).
 */
export async function listLeftOut(
  packages: readonly NpmPackage[],
): Promise<string[]> {
  const lists = await Promise.all(packages.map(leftOutOf));
  return lists.flat().sort();
}

async function leftOutOf({ name, folder }: NpmPackage): Promise<string[]> {
  if (FOREIGN_PACKAGE.test(name)) return [folder];
  // What is for another system has not been downloaded.
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const atTop = entry.parentPath === folder;
    const foreign = entry.isDirectory()
      ? atTop && FOREIGN_FOLDER.test(entry.name)
      : FOREIGN_FILE.test(entry.name);
    const [top = ""] = relative(folder, path).split(sep);
    const covered = !atTop && FOREIGN_FOLDER.test(top);
    return foreign && !covered ? [path] : [];
  });
}
