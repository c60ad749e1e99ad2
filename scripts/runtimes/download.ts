/** Runtimes that npm carries. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "../npm/command.ts";

const FOLDER = fileURLToPath(new URL("../../npm/runtimes/", import.meta.url));

/** A package that is there. */
export interface Download {
  /** Its folder. */
  readonly folder: string;
  /** Its version. */
  readonly version: string;
}

/**
 * Downloads the newest version of a package once, into a folder of that name
 * in `npm/runtimes/`.
 *
 * @param range Of versions, as npm writes it.
 */
export async function download(
  name: string,
  { into, range }: { into: string; range: string },
): Promise<Download> {
  const home = join(FOLDER, into);
  const folder = join(home, "node_modules", name);
  if (!existsSync(folder)) {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "package.json"), "{}");
    await npm(["install", "--no-save", `${name}@${range}`], { cwd: home });
  }
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  return { folder, version: JSON.parse(manifest).version };
}
