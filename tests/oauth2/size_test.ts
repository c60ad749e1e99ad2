/** Size of the library, as a browser loads it: one file, minified, gzipped. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import { bundle, CLIENT, LOGIN_SET } from "../../scripts/bench/sizes.ts";

/**
 * Ceilings in bytes after gzip. They leave about 2 kB, more than a new grant
 * takes, and are there for a dependency or a second copy of some code that slips
 * in.
 */
const SETS = [
  { ...CLIENT, ceiling: 17_000 },
  { ...LOGIN_SET, ceiling: 18_000 },
];

const bundles = await Promise.all(SETS.map((set) => bundle(set))).finally(stop);

for (const [i, { names, ceiling }] of SETS.entries()) {
  const { code, gzipped, imports } = bundles[i]!;

  Deno.test(`a bundle of ${names} weighs at most ${ceiling} bytes`, () => {
    const excess = gzipped - ceiling;
    assert(excess <= 0, `${gzipped} bytes, ${excess} too many`);
  });

  Deno.test(`a bundle of ${names} imports only jose, and only when it is needed`, () => {
    const found = imports.map(({ kind, path }) => `${kind} ${path}`);
    assertEquals([...new Set(found)], ["dynamic-import jose"]);
    assert(!code.includes("require("));
  });
}
