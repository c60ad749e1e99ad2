import type { Files } from "../../scripts/npm/build.ts";

/** Creates the files of a small valid package, like `deno pack`. */
export function packed(changes: Readonly<Record<string, string>> = {}): Files {
  const files = {
    "package.json": JSON.stringify({
      name: "pack",
      version: "1.2.3",
      type: "module",
      license: "MIT",
      exports: { ".": { types: "./mod.d.ts", default: "./mod.js" } },
      dependencies: { lib: "^1.0.0" },
    }),
    "mod.js": `export const answer = 42;\n`,
    "mod.d.ts": `export declare const answer: number;\n`,
    ...changes,
  };
  return new Map(
    Object.entries(files)
      .map(([path, text]) => [path, new TextEncoder().encode(text)]),
  );
}
