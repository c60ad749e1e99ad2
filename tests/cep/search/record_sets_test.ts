import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isIn, RecordSets } from "../../../cep/search/record_sets.ts";

const COUNT = 200;

Deno.test("RecordSets hold the records of their intervals", () => {
  const sets = new RecordSets(COUNT);
  const bound = fc.nat(COUNT);
  const intervals = fc.array(
    fc.tuple(bound, bound).map(([a, b]) =>
      [Math.min(a, b), Math.max(a, b)] as const
    ),
    { maxLength: 5 },
  );
  fc.assert(fc.property(fc.array(intervals, { maxLength: 4 }), (all) => {
    sets.clear();
    for (const [key, intervals] of all.entries()) {
      const set = sets.find(key, intervals)!;
      for (let record = 0; record < COUNT; record++) {
        assertEquals(
          isIn(set, record),
          intervals.some(([start, end]) => start <= record && record < end),
        );
      }
    }
  }));
});

Deno.test("RecordSets.find returns undefined for a fifth set", () => {
  const sets = new RecordSets(COUNT);
  for (let key = 0; key < 4; key++) sets.find(key, []);
  assertEquals(sets.find(4, []), undefined);
  sets.clear();
  assertEquals(sets.find(4, [])?.length, 7);
});
