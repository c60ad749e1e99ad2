import { assertEquals, assertThrows } from "@std/assert";
import { readSpentAt } from "../../../../cep/serve/limits/spent_at.ts";

const ROOM = 50_000;
const NOW = "1763800000000.25";

Deno.test("readSpentAt reads the time, and two numbers per request", () => {
  assertEquals(
    readSpentAt([NOW, 1, "40000", 0, "-0.0099999"], { count: 2, room: ROOM }),
    {
      now: 1763800000000.25,
      spent: [{ allowed: true, left: 40_000 }, {
        allowed: false,
        left: -0.0099999,
      }],
    },
  );
});

for (
  const [name, answer] of [
    ["nil", null],
    ["a text", "OK"],
    ["no number", []],
    ["too few numbers", [NOW, 1]],
    ["too many numbers", [NOW, 1, "1", 1]],
    ["nil for the time", [null, 1, "1"]],
    ["nil for the permission", [NOW, null, "1"]],
    ["nil for the rest", [NOW, 1, null]],
    ["an empty text for the rest", [NOW, 1, ""]],
    ["another permission", [NOW, 2, "1"]],
    ["a rest far below the quota", [NOW, 0, "-1e308"]],
    ["a rest below the quota", [NOW, 0, "-2"]],
    ["a rest above the quota", [NOW, 1, "50002"]],
    ["an infinite rest", [NOW, 1, "inf"]],
    ["no number for the rest", [NOW, 1, "nan"]],
    ["an array for the rest", [NOW, 1, ["1"]]],
  ] as const
) {
  Deno.test(`readSpentAt refuses ${name}`, () => {
    assertThrows(
      () => readSpentAt(answer, { count: 1, room: ROOM }),
      RangeError,
      "unexpected answer",
    );
  });
}
