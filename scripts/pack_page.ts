/**
 * Packs the files of `page/` into `cep/page.json`, which the service imports,
 * without comments and indentation of code: a worker at the edge has them all.
 */
import { stop, transform } from "esbuild";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** File with the packed files. */
export const PACKED = join(ROOT, "cep", "page.json");

/** Packs the files. */
export async function packPage(): Promise<string> {
  const folder = join(ROOT, "page");
  const names = (await readdir(folder)).sort();
  try {
    const texts = await Promise.all(
      names.map(async (name) => [
        name,
        await withoutComments(name, await readFile(join(folder, name), "utf8")),
      ]),
    );
    return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
  } finally {
    // Its process would keep this one alive.
    await stop();
  }
}

/** Leaves names and strings of code as they are, for traces and imports. */
async function withoutComments(name: string, text: string): Promise<string> {
  const [loader] = name.match(/(?<=\.)(js|css)$/) ?? [];
  if (loader === undefined) return text.replaceAll(/^ +/gm, " ");
  const { code } = await transform(text, {
    charset: "utf8",
    loader: loader as "js" | "css",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return code;
}

if (import.meta.main) await writeFile(PACKED, await packPage());
