import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { bisect, lowerBound } from "../../../cep/util/bisect.ts";

const SORTED = fc.array(fc.nat({ max: 50 }))
  .map((items) => Uint32Array.from(items).sort());

Deno.test("bisect and lowerBound find the first item that is not less", () => {
  fc.assert(fc.property(SORTED, fc.nat({ max: 51 }), (items, value) => {
    const found = items.findIndex((it) => it >= value);
    const expected = found < 0 ? items.length : found;
    assertEquals(bisect(items.length, (i) => items[i]! < value), expected);
    assertEquals(lowerBound(items, value, 0, items.length), expected);
  }));
});

Deno.test("lowerBound stays between its limits", () => {
  const items = Uint32Array.of(1, 3, 5, 7);
  assertEquals(lowerBound(items, 0, 1, 3), 1);
  assertEquals(lowerBound(items, 9, 1, 3), 3);
});
