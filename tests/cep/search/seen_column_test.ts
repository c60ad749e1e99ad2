import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NumberRange } from "../../../cep/record/census.ts";
import { readSeen, SeenRows } from "../../../cep/search/stretches.ts";
import { seenRow } from "./_seen.ts";

const HIGHEST = 131_000;

/** Ranges of numbers of one parity, or none. */
function ranges(parity: number): fc.Arbitrary<NumberRange | null> {
  const number = fc.integer({ min: 0, max: HIGHEST / 2 })
    .map((half) => 2 * half + parity);
  return fc.option(
    fc.tuple(number, number)
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
  );
}

Deno.test("readSeen returns the numbers of each record, in its order", () => {
  const row = fc.record({ odd: ranges(1), even: ranges(0) });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (seen) => {
      const rows = new SeenRows();
      seen.forEach(({ odd, even }, i) =>
        rows.add(seenRow(String(10 * i).padStart(8, "0"), odd, even))
      );
      // Records in the opposite order of the rows, and one of an unknown CEP.
      const { length } = seen;
      for (let i = length - 1; i >= 0; i--) rows.addRecord(10 * i, true);
      rows.addRecord(5, true);
      rows.addRecord(0, false);
      const order = Uint32Array.from({ length: length + 2 }, (_, i) => i);
      const column = rows.toColumn(order);
      const read = Array.from(
        { length: length + 2 },
        (_, record) => readSeen(column, record),
      );
      const expected = seen.toReversed()
        .map((it) => it.odd || it.even ? it : undefined);
      assertEquals(read, [...expected, undefined, undefined]);
    }),
    { seed: 20260101, numRuns: 100 },
  );
});

Deno.test("SeenRows.toColumn is empty if no record has numbers", () => {
  const rows = new SeenRows();
  rows.add(seenRow("01001000", [1, 9], null));
  rows.addRecord(1001001, true);
  assertEquals(rows.toColumn(Uint32Array.of(0)).length, 0);
  const none = new SeenRows();
  none.add(seenRow("01001000", null, null));
  none.add({ ...seenRow("01001001", [1, 9], null), streets: [] });
  none.addRecord(1001000, true);
  assertEquals(none.toColumn(Uint32Array.of(0)).length, 0);
});

Deno.test("SeenRows keeps numbers above its highest one as the highest", () => {
  const rows = new SeenRows();
  rows.add(seenRow("01001000", [1, 999_999_999], [2, 131_068]));
  rows.addRecord(1001000, true);
  assertEquals(readSeen(rows.toColumn(Uint32Array.of(0)), 0), {
    odd: [1, 131_069],
    even: [2, 131_068],
  });
});
