import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { NumberSet } from "../../../cep/util/number_set.ts";

const PAIRS: readonly [name: string, first: number, second: number][] = [
  ["the least and the greatest CEP", 0, 99_999_999],
  ["the least and the greatest number", 0, 2 ** 32 - 1],
  ["consecutive numbers in one byte", 1_310_100, 1_310_101],
  ["consecutive numbers in two bytes", 7, 8],
  ["consecutive numbers in two pages", 65_535, 65_536],
  ["numbers that differ in the first digit", 1_310_100, 91_310_100],
];

for (const [name, first, second] of PAIRS) {
  Deno.test(`NumberSet distinguishes ${name}`, () => {
    const set = new NumberSet();
    assert(set.add(first));
    assertEquals([set.has(first), set.has(second)], [true, false]);
    assert(set.add(second));
    assert(set.has(second));
    assert(!set.add(first));
    assert(!set.add(second));
  });
}

Deno.test("NumberSet agrees with a Set", () => {
  const number = fc.oneof(
    fc.nat({ max: 100 }),
    fc.nat({ max: 999_999_999 }),
    fc.integer({ min: 1_310_100, max: 1_310_140 }),
  );
  fc.assert(fc.property(fc.array(number), number, (added, other) => {
    const numbers = new NumberSet();
    const set = new Set<number>();
    for (const it of added) {
      assertEquals(numbers.add(it), !set.has(it));
      set.add(it);
    }
    assertEquals(numbers.has(other), set.has(other));
  }));
});
