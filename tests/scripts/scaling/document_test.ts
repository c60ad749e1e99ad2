/** docs/scaling.md and its chart, compared with the measurements. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { withTables } from "../../../scripts/markdown.ts";
import { ROOT } from "../../../scripts/root.ts";
import { formatted, parsePlan } from "../../../scripts/scaling.ts";
import { drawChart } from "../../../scripts/scaling/chart.ts";
import type { Measurements } from "../../../scripts/scaling/measurements.ts";
import { scalingTables } from "../../../scripts/scaling/tables.ts";
import { parsePlan as parseSimulation } from "../../../scripts/simulate_scaling.ts";

const read = (name: string) => Deno.readTextFile(`${ROOT}docs/${name}`);

const measurements: Measurements = JSON.parse(await read("scaling.json"));

const HINT = "run: deno task scaling chart";

Deno.test("docs/scaling.md has the tables of the measurements", async () => {
  const text = await read("scaling.md");
  assertEquals(withTables(text, scalingTables(measurements)), text, HINT);
});

Deno.test("docs/scaling.svg is the chart of the measurements", async () => {
  const svg = await formatted(drawChart(measurements));
  assertEquals(await read("scaling.svg"), svg, HINT);
});

Deno.test("docs/scaling.json names neither a machine nor a path", async () => {
  const text = await read("scaling.json");
  const strings = [...text.matchAll(/"([^"]*)"/g)].map(([, it]) => it!);
  assertEquals(strings.filter((it) => /\/[a-z]+\/|localhost/.test(it)), []);
});

Deno.test("parsePlan of the measurements has defaults", () => {
  const { rows, pairs, seconds, only, verb } = parsePlan([])!;
  assertEquals([rows, pairs, seconds, verb], [1_000_000, 5, 5, "measure"]);
  assert(only.includes("costs"));
  assertEquals(parsePlan(["chart"])?.verb, "chart");
  assertEquals(parsePlan(["--help"]), undefined);
});

for (
  const [args, message] of [
    [["draw"], "verb"],
    [["chart", "again"], "verb"],
    [["--rows", "9999"], "--rows must be a whole number from 10000"],
    [["--rows", "2000000"], "--rows"],
    [["--turns", "0"], "--turns"],
    [["--seconds", "1.5"], "--seconds"],
    [["--only", "costs,constructor"], '"constructor"'],
    [["--only", ""], "--only"],
    [["--fast"], "--fast"],
  ] as const
) {
  Deno.test(`parsePlan of the measurements refuses ${args.join(" ")}`, () => {
    assertThrows(() => parsePlan([...args]), TypeError, message);
  });
}

Deno.test("parsePlan of the simulation reads a list of rates", () => {
  assertEquals(parseSimulation(["--rates", "10,2000"])?.rates, [10, 2000]);
  assertEquals(parseSimulation(["-h"]), undefined);
});

for (
  const args of [["--rates", ""], ["--rates", "0"], ["--rates", "1,x"], ["a"]]
) {
  Deno.test(`parsePlan of the simulation refuses ${args.join(" ")}`, () => {
    assertThrows(() => parseSimulation([...args]), TypeError);
  });
}
