import { assertEquals } from "@std/assert";
import {
  distanceFromSeen,
  rangeOnSide,
  type SeenNumbers,
} from "../../../cep/record/seen_numbers.ts";

const BOTH: SeenNumbers = { odd: [1, 99], even: [2, 98] };
const ODD: SeenNumbers = { odd: [11, 99], even: null };

const DISTANCES: readonly (readonly [
  value: number,
  seen: SeenNumbers,
  distance: number | undefined,
])[] = [
  [1, BOTH, 0],
  [50, BOTH, 0],
  [99, BOTH, 0],
  [100, BOTH, 2],
  [199, BOTH, 100],
  [0, BOTH, 2],
  [1, ODD, 10],
  [20, ODD, 100],
  [2, ODD, 109],
  [5, { odd: null, even: null }, undefined],
];

for (const [value, seen, distance] of DISTANCES) {
  Deno.test(`distanceFromSeen of ${value} and ${JSON.stringify(seen)} is ${distance}`, () => {
    assertEquals(distanceFromSeen(seen, { value, unit: "number" }), distance);
  });
}

Deno.test("distanceFromSeen knows nothing about metres", () => {
  assertEquals(
    distanceFromSeen(BOTH, { value: 50, unit: "metre" }),
    undefined,
  );
});

Deno.test("rangeOnSide returns the range of the number's parity", () => {
  assertEquals([rangeOnSide(BOTH, 7), rangeOnSide(BOTH, 8)], [[1, 99], [
    2,
    98,
  ]]);
});
