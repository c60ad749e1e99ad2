/** Runtimes that npm carries. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "../command.ts";
import { TemporaryFolder } from "../temporary_folder.ts";

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
  const folder = join(home, "node_modules", name);
  if (!existsSync(folder)) {
    await mkdir(dirname(home), { recursive: true });
    await using draft = await TemporaryFolder.make(
      basename(home),
      dirname(home),
    );
    await writeFile(join(draft.path, "package.json"), "{}");
    const what = `${name}@${range}`;
    await npm(["install", "--no-save", what], { cwd: draft.path });
    // It is there as a whole or not at all, whenever this is interrupted.
    await rename(draft.path, home).catch((error) => {
      // Unless another run has been faster.
      if (!existsSync(folder)) throw error;
    });
  }
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  return { folder, version: JSON.parse(manifest).version };
}
