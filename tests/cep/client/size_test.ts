/** Size of the client, as a browser loads it: one file, minified, gzipped. */
import { assert, assertEquals } from "@std/assert";
import { stop } from "esbuild";
import { bundle, CEP_CLIENT } from "../../../scripts/bench/sizes.ts";

/** Ceiling in bytes after gzip, about 1 kB above the size. */
const CEILING = 7_000;

const { gzipped, imports, modules } = await bundle(CEP_CLIENT).finally(stop);

Deno.test(`a bundle of the client weighs at most ${CEILING} bytes`, () => {
  assert(gzipped <= CEILING, `${gzipped} bytes, ${gzipped - CEILING} too many`);
});

Deno.test("a bundle of the client imports nothing", () => {
  assertEquals(imports, []);
});

Deno.test("the client consists of its own modules, the layout of static sites and the record", () => {
  const others = modules.filter((path) => !path.startsWith("cep/client/"));
  assertEquals(others.toSorted(), [
    "<stdin>",
    "cep/export/static/layout.ts",
    "cep/export/static/prefixes.ts",
    "cep/record/address.ts",
    "cep/record/fields.ts",
  ]);
});
