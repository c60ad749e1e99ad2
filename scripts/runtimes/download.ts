import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fillOnce } from "../fill_once.ts";
import { npm } from "../process.ts";
import { ROOT } from "../root.ts";

/** Options of {@linkcode download}. */
export interface DownloadOptions {
  /** Folder for the package and its dependencies, below `npm/runtimes/`. */
  readonly into: string;
  /** Range of versions, as npm writes it. */
  readonly range: string;
}

/**
 * Downloads the newest version of a package from npm, once.
 *
 * @returns The folder of the package.
 */
export async function download(
  name: string,
  { into, range }: DownloadOptions,
): Promise<string> {
  const home = resolve(ROOT, "npm/runtimes", into);
  await fillOnce(home, async (draft) => {
    await writeFile(join(draft, "package.json"), "{}");
    await npm(["install", "--no-save", `${name}@${range}`], { cwd: draft });
  });
  return join(home, "node_modules", name);
}
