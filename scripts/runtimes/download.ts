/** Runtimes that npm carries. */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "../command.ts";
import { fillOnce } from "../fill_once.ts";

const FOLDER = fileURLToPath(new URL("../../npm/runtimes/", import.meta.url));

/** A package that is there. */
export interface Download {
  /** Its folder. */
  readonly folder: string;
  /** Its version. */
  readonly version: string;
}

/** What to download, and where it goes. */
export interface DownloadOptions {
  /** The folder for it and what it depends on, seen from `npm/runtimes/`. */
  readonly into: string;
  /** Versions, as npm writes them. */
  readonly range: string;
}

/** Downloads the newest version of a package, once. */
export async function download(
  name: string,
  { into, range }: DownloadOptions,
): Promise<Download> {
  const home = resolve(FOLDER, into);
  await fillOnce(home, async (draft) => {
    await writeFile(join(draft, "package.json"), "{}");
    await npm(["install", "--no-save", `${name}@${range}`], { cwd: draft });
  });
  const folder = join(home, "node_modules", name);
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  return { folder, version: JSON.parse(manifest).version };
}
