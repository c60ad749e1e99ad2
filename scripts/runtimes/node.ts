import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fillOnce } from "../fill_once.ts";
import { npm } from "../process.ts";
import { ROOT } from "../root.ts";
import process from "node:process";

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

/** Major versions that the packages are tested on, the oldest first. */
export const NODE_MAJORS = [22, 24, 26] as const;

/** Downloads the newest Node of a major version; resolves to its path. */
export async function nodeBinary(major: number): Promise<string> {
  const isWindows = process.platform === "win32";
  const system = isWindows ? "win" : process.platform;
  const folder = await download(`node-${system}-${process.arch}`, {
    into: `node-${major}`,
    range: String(major),
  });
  return join(folder, "bin", isWindows ? "node.exe" : "node");
}
