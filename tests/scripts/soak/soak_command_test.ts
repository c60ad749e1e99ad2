import { assertEquals, assertThrows } from "@std/assert";
import { parsePlan } from "../../../scripts/soak.ts";

Deno.test("parsePlan reads the arguments of the soak", () => {
  const defaults = { minutes: 10, rows: 20_000, seed: 7 };
  assertEquals(parsePlan([]), defaults);
  const args = ["--minutes", "3", "--rows", "500", "--seed", "0"];
  assertEquals(parsePlan(args), { minutes: 3, rows: 500, seed: 0 });
  assertEquals(parsePlan(["--help"]), undefined);
});

for (const args of [["--minutes", "0"], ["--rows", "x"], ["--hours", "1"]]) {
  Deno.test(`parsePlan refuses "${args.join(" ")}" of the soak`, () => {
    assertThrows(() => parsePlan(args), TypeError, args[0]!);
  });
}
