import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { TemporaryFolder } from "./temporary_folder.ts";

/**
 * Creates a folder unless it exists. `fill` writes into a temporary folder
 * beside it, so that an interruption leaves no incomplete folder.
 */
export async function fillOnce(
  folder: string,
  fill: (draft: string) => Promise<unknown>,
): Promise<void> {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  using draft = new TemporaryFolder(basename(folder), parent);
  await fill(draft.path);
  await rename(draft.path, folder).catch((error) => {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  });
}
