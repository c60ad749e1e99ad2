import { assertEquals } from "@std/assert";
import { npmName, npmRange } from "../../scripts/npm/packages.ts";

for (
  const [target, name, range] of [
    ["npm:jose@^6.2.17", "jose", "jose@^6.2.17"],
    [
      "npm:deno-std@^1.4.0/assert/mod.js",
      "deno-std/assert/mod.js",
      "deno-std@^1.4.0",
    ],
    ["npm:@a/b@1/c", "@a/b/c", "@a/b@1"],
  ] as const
) {
  Deno.test(`npmName and npmRange read ${target}`, () => {
    assertEquals([npmName(target), npmRange(target)], [name, range]);
  });
}
