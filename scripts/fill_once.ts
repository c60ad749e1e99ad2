import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { TemporaryFolder } from "./temporary_folder.ts";

/**
 * Makes a folder unless it exists. `fill` writes into a draft beside it, so that
 * the folder is there as a whole or not at all, whenever this is interrupted.
 */
export async function fillOnce(
  folder: string,
  fill: (draft: string) => Promise<unknown>,
): Promise<void> {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  await using draft = await TemporaryFolder.make(basename(folder), parent);
  await fill(draft.path);
  await rename(draft.path, folder).catch((error) => {
    // Unless another run has been faster.
    if (!existsSync(folder)) throw error;
  });
}
