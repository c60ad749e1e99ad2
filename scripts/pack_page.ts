/**
 * Packs the files of `page/` into `cep/page.json`, which the service imports.
 * The files themselves are served as they are.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** File with the packed files. */
export const PACKED = join(ROOT, "cep", "page.json");

/** Packs the files. */
export async function packPage(): Promise<string> {
  const folder = join(ROOT, "page");
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(
    names.map(async (
      name,
    ) => [name, await readFile(join(folder, name), "utf8")]),
  );
  return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
}

if (import.meta.main) await writeFile(PACKED, await packPage());
