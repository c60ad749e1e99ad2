/** Growth of memory and handles, and their distribution of latencies. */
import { assertEquals } from "@std/assert";
import { findGrowth } from "../../../scripts/soak/growth.ts";

const CASES: readonly [
  name: string,
  values: readonly number[],
  isGrowth: boolean | undefined,
][] = [
  ["too few phases", [100, 200], undefined],
  ["equal phases", [100, 100, 100, 100, 100], false],
  ["a warm-up", [10, 100, 100, 100, 100], false],
  ["a steady increase", [100, 110, 120, 130, 140], true],
  ["an increase within the tolerance", [100, 101, 102, 103, 104], false],
  ["an increase of one phase alone", [100, 100, 100, 200, 100], false],
  ["values that rise and fall", [100, 140, 100, 140, 100], false],
  ["a step that stays", [100, 100, 100, 120, 120], true],
  ["a decrease", [100, 140, 130, 120, 110], false],
];

for (const [name, values, isGrowth] of CASES) {
  Deno.test(`findGrowth judges ${name}`, () => {
    assertEquals(findGrowth({ values, tolerance: 9 })?.isGrowth, isGrowth);
  });
}
