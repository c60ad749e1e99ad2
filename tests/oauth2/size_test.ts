/** Size of the library, as a browser loads it: one file, minified, gzipped. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import { OWN_SETS, sourceOf } from "../../scripts/bench/size.ts";
import { type Bundle, bundle } from "../../scripts/bundle.ts";

/** Bundles by the names of their sets. */
const bundles = new Map<string, Bundle>();
try {
  for (const set of OWN_SETS) {
    const options = { external: ["jose"] };
    bundles.set(set.name, await bundle(sourceOf(set), options));
  }
} finally {
  await stop();
}

for (const { name, names, ceiling } of OWN_SETS) {
  const { code, gzipped, imports } = bundles.get(name)!;

  Deno.test(`a bundle of ${names.join(", ")} weighs at most ${ceiling} bytes`, () => {
    assert(
      gzipped <= ceiling,
      `${gzipped} bytes, ${gzipped - ceiling} too many`,
    );
  });

  Deno.test(`a bundle of ${names.join(", ")} imports jose when it is needed, and nothing else`, () => {
    const found = imports.map(({ kind, path }) => `${kind} ${path}`);
    assertEquals([...new Set(found)], ["dynamic-import jose"]);
    assert(!code.includes("require("));
  });
}
