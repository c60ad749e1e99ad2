/** Subpaths in their chapter: names and sizes. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import { readFileSync } from "node:fs";
import { bundle, SUBPATH_SETS } from "../../scripts/bench/sizes.ts";
import { ROOT } from "../../scripts/root.ts";

/** Share by which a size may differ, so that small changes need no new table. */
const TOLERANCE = 0.05;

const chapter = readFileSync(`${ROOT}docs/oauth2/subpaths.md`, "utf8");
const [, table = ""] =
  /<!-- subpaths\b.*-->([^]*?)<!-- \/subpaths -->/.exec(chapter) ?? [];
const rows = [...table.matchAll(/^\| `([\w/-]+)`.*\| ([\d.]+) +\|$/gm)]
  .map(([, name, size]) => [name!, Number(size)] as const);

Deno.test("the chapter on subpaths has a row for each subpath", () => {
  assertEquals(rows.map(([name]) => name), Object.keys(SUBPATH_SETS));
});

const bundles = await Promise.all(
  Object.values(SUBPATH_SETS).map((set) => bundle(set, { firstLoad: true })),
).finally(stop);

for (const [i, name] of Object.keys(SUBPATH_SETS).entries()) {
  Deno.test(`the chapter on subpaths has the size of ${name}, within 5 %`, () => {
    const [, size = 0] = rows.find(([row]) => row === name) ?? [];
    const actual = bundles[i]!.gzipped / 1000;
    assert(Math.abs(size - actual) <= actual * TOLERANCE, `it is ${actual} kB`);
  });
}
