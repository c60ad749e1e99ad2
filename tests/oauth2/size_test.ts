/** Size of the library, minified and gzipped. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import {
  bundle,
  CLIENT,
  LOGIN_SET,
  VERIFIED_SET,
} from "../../scripts/bench/sizes.ts";

/**
 * Ceilings in bytes after gzip: of one file, dynamic imports included, and of
 * what a bundler with code splitting loads first. They leave little for
 * a feature, and are there for a dependency or a second copy of some code
 * that slips in.
 */
const SETS = [
  { ...CLIENT, ceiling: 18_250, firstLoad: 15_400 },
  { ...LOGIN_SET, ceiling: 19_250, firstLoad: 16_400 },
  { ...VERIFIED_SET, ceiling: 25_650, firstLoad: 23_400 },
];

/** Dynamic imports of the client. */
const PARTS = ["client_assertion", "debug", "jwt_signature", "redirects"].map((
  name,
) => `dynamic-import ./${name}.ts`);

const bundles = await Promise.all(
  SETS.flatMap((set) => [bundle(set), bundle(set, { firstLoad: true })]),
).finally(stop);

for (const [i, set] of SETS.entries()) {
  const [whole, first] = bundles.slice(2 * i);
  const names = [set.names, set.and?.names].filter((name) => name).join(", ");

  Deno.test(`a bundle of ${names} weighs at most ${set.ceiling} bytes`, () => {
    assertAtMost(set.ceiling, whole!.gzipped);
  });

  Deno.test(`a bundle of ${names} loads at most ${set.firstLoad} bytes first`, () => {
    assertAtMost(set.firstLoad, first!.gzipped);
    assertEquals(importsOf(first!).sort(), PARTS);
  });

  Deno.test(`a bundle of ${names} imports nothing`, () => {
    assertEquals(importsOf(whole!), []);
    assert(!whole!.code.includes("require("));
  });
}

type Bundle = Awaited<ReturnType<typeof bundle>>;

function importsOf({ imports }: Bundle): string[] {
  return [...new Set(imports.map(({ kind, path }) => `${kind} ${path}`))];
}

function assertAtMost(ceiling: number, bytes: number): void {
  assert(bytes <= ceiling, `${bytes} bytes, ${bytes - ceiling} too many`);
}
