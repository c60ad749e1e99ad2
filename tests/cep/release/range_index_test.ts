/** Index of ranges. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { RangeIndex } from "../../../cep/release/gazetteer.ts";

const NESTED = [
  { first: 10, last: 99, owner: "wide" },
  { first: 20, last: 29, owner: "narrow" },
  { first: 25, last: 25, owner: "single" },
  { first: 200, last: 210, owner: "far" },
];

for (
  const [cep, owner] of [
    [9, undefined],
    [10, "wide"],
    [19, "wide"],
    [20, "narrow"],
    [25, "single"],
    [26, "narrow"],
    [30, "wide"],
    [99, "wide"],
    [100, undefined],
    [205, "far"],
    [211, undefined],
  ] as const
) {
  Deno.test(`RangeIndex.find returns ${owner} for ${cep}`, () => {
    assertEquals(new RangeIndex(NESTED).find(cep), owner);
  });
}

Deno.test("RangeIndex.find returns undefined without ranges", () => {
  assertEquals(new RangeIndex([]).find(1), undefined);
});

Deno.test("RangeIndex.find returns a range as narrow as a scan does", () => {
  const range = fc.tuple(fc.nat(50), fc.nat(20))
    .map(([first, width]) => ({ first, last: first + width, width }));
  fc.assert(fc.property(
    fc.array(range, { maxLength: 12 }),
    fc.nat(80),
    (ranges, cep) => {
      const index = new RangeIndex(
        ranges.map(({ first, last, width }) => ({ first, last, owner: width })),
      );
      const widths = ranges
        .filter(({ first, last }) => first <= cep && cep <= last)
        .map(({ width }) => width);
      const expected = widths.length === 0 ? undefined : Math.min(...widths);
      assertEquals(index.find(cep), expected);
    },
  ));
});
