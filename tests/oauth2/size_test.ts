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
 * what a bundler with code splitting loads first. They leave some hundred bytes
 * for a feature, and are there for a dependency or a second copy of some code
 * that slips in.
 */
const SETS = [
  { ...CLIENT, ceiling: 17_000, firstLoad: 15_000 },
  { ...LOGIN_SET, ceiling: 17_900, firstLoad: 15_900 },
];
/** Ceiling of one file for a login with a verified ID token, with `jose`. */
const VERIFIED_CEILING = 28_400;

/** Dynamic imports of the client. */
const PARTS = ["debug", "jwt_signature", "redirects"].map((name) =>
  `dynamic-import ./${name}.ts`
);

const [verified, ...bundles] = await Promise.all([
  bundle(VERIFIED_SET),
  ...SETS.flatMap((set) => [bundle(set), bundle(set, { firstLoad: true })]),
]).finally(stop);

for (const [i, set] of SETS.entries()) {
  const [whole, first] = bundles.slice(2 * i);
  const { names } = set;

  Deno.test(`a bundle of ${names} weighs at most ${set.ceiling} bytes`, () => {
    assertAtMost(set.ceiling, whole!.gzipped);
  });

  Deno.test(`a bundle of ${names} loads at most ${set.firstLoad} bytes first`, () => {
    assertAtMost(set.firstLoad, first!.gzipped);
    assertEquals(importsOf(first!).sort(), PARTS);
  });

  Deno.test(`a bundle of ${names} imports only jose, and only when it is needed`, () => {
    assertEquals(importsOf(whole!), ["dynamic-import jose/jws/compact/sign"]);
    assert(!whole!.code.includes("require("));
  });
}

Deno.test(`a bundle of a login with a verified ID token and jose weighs at most ${VERIFIED_CEILING} bytes`, () => {
  assertAtMost(VERIFIED_CEILING, verified!.gzipped);
  assertEquals(importsOf(verified!), []);
});

Deno.test("a bundle of a login with a verified ID token has of jose only what signs and verifies", () => {
  const others = verified!.modules.filter((path) =>
    /jose\/.*(jwe|asn1|jwks|claims_set|content_encryption)/.test(path)
  );
  assertEquals(others, []);
});

type Bundle = Awaited<ReturnType<typeof bundle>>;

function importsOf({ imports }: Bundle): string[] {
  return [...new Set(imports.map(({ kind, path }) => `${kind} ${path}`))];
}

function assertAtMost(ceiling: number, bytes: number): void {
  assert(bytes <= ceiling, `${bytes} bytes, ${bytes - ceiling} too many`);
}
