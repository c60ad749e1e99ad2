/** Figures and chart that are computed from measurements. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import { calibrate } from "../../../scripts/scaling/calibration.ts";
import {
  demandOf,
  limitsOf,
  MACHINE,
  TARGET,
  wireBytes,
} from "../../../scripts/scaling/capacity.ts";
import { drawChart } from "../../../scripts/scaling/chart.ts";
import type {
  Cost,
  Measurements,
} from "../../../scripts/scaling/measurements.ts";
import {
  element,
  escape,
  linear,
  logarithmic,
  ticks,
} from "../../../scripts/scaling/svg.ts";
import { digits, scalingTables } from "../../../scripts/scaling/tables.ts";

const COST: Cost = {
  way: "deno",
  processor: [12, 10, 11],
  rates: [90_000, 91_000, 92_000],
  requestBytes: 100,
  responseBytes: 500,
  memory: 200,
};

const POINT = {
  rates: [50_000],
  p50: [100e-6],
  p99: [1e-3],
  memory: 200,
};

const MEASUREMENTS: Measurements = {
  conditions: {
    day: "2026-01-31",
    cores: 2,
    load: 0.1,
    system: "linux x86_64",
    versions: { deno: "2.9.0" },
    rows: 1000,
    codes: 1040,
    seconds: 1,
    turns: 3,
    connections: 32,
  },
  costs: [COST, {
    ...COST,
    way: "remote-queries",
    behind: [50, 40, 60],
    behindMemory: 100,
  }],
  records: [{
    codes: 1040,
    importTime: 1.5,
    file: 1,
    start: 0.25,
    memory: 100,
    processor: [10, 12],
  }],
  connections: [
    { ...POINT, connections: 1, processor: [30], generator: [25] },
    { ...POINT, connections: 64, processor: [10], generator: [5] },
  ],
  swaps: [{
    text: "file",
    times: [0.5, 1],
    stalls: [0.01, 0.03],
    transferred: 1,
  }],
  pair: {
    serviceTimes: [[0, 50e-6], [0.5, 100e-6], [0.99, 150e-6], [1, 1e-3]],
    alone: [
      { ...POINT, connections: 1, processor: [30], generator: [25] },
      { ...POINT, connections: 64, processor: [10], generator: [5] },
    ],
    runs: [{
      connections: 8,
      think: 0.02,
      rates: [395],
      p50: [150e-6],
      p99: [300e-6],
    }],
  },
};

Deno.test("demandOf computes whole instances, and their memory and network", () => {
  const { instances, behind, memory, network } = demandOf(COST, 100_000);
  // 1.1 cores at the target.
  assertEquals(instances, Math.ceil(1.1 / TARGET));
  assertEquals([behind, memory], [0, 0.4]);
  assertAlmostEquals(network, 8 * 100_000 * (600 + 165), 1);
});

Deno.test("demandOf computes one instance at least, and the cores of its primary", () => {
  const { instances, behind, memory } = demandOf(MEASUREMENTS.costs[1]!, 1200);
  assertEquals(instances, 1);
  assertAlmostEquals(behind, 1200 * 50e-6 / TARGET, 1e-9);
  assertAlmostEquals(memory, 0.3, 1e-9);
});

Deno.test("limitsOf lists the limits by their rates", () => {
  const limits = limitsOf(MEASUREMENTS.costs[1]!);
  assertEquals(limits.map(({ limit }) => limit), [
    "core",
    "primary",
    "machine",
    "link",
  ]);
  const [core, primary] = limits;
  assertAlmostEquals(core!.rate, TARGET / 11e-6, 1e-6);
  assertAlmostEquals(primary!.rate, MACHINE.cores * TARGET / 50e-6, 1e-6);
});

Deno.test("limitsOf has no primary for instances without one or behind a balancer", () => {
  for (const way of ["deno", "balancer"] as const) {
    const behind = way === "balancer" ? { behind: [10] } : {};
    const limits = limitsOf({ ...COST, way, ...behind });
    assert(!limits.some(({ limit }) => limit === "primary"));
  }
});

Deno.test("wireBytes is more than the bytes of HTTP", () => {
  assert(wireBytes(COST) > 600);
});

Deno.test("calibrate divides the time of a lookup over a single connection", () => {
  const { work, generator, overhead } = calibrate(MEASUREMENTS.pair);
  const seconds = [
    work.service.mean,
    work.wakeUp.mean,
    generator.service.mean,
    generator.wakeUp.mean,
    overhead,
  ];
  const expected = [10e-6, 20e-6, 5e-6, 20e-6, 45e-6];
  seconds.forEach((it, i) => assertAlmostEquals(it, expected[i]!, 1e-12));
});

for (
  const [value, text] of [
    [0, "0"],
    [0.123456, "0.123"],
    [9.999, "10"],
    [99.94, "99.9"],
    [1234.5, "1,235"],
    [1_000_000, "1,000,000"],
  ] as const
) {
  Deno.test(`digits formats ${value} as ${text}`, () => {
    assertEquals(digits(value), text);
  });
}

Deno.test("scalingTables shows medians with their ranges, and both costs of a server with a primary", () => {
  const { costs } = scalingTables(MEASUREMENTS);
  const [, , deno, remote] = costs!.split("\n");
  assert(deno!.includes("| 11 (10–12) "));
  assert(remote!.includes("| 50 (40–60) "));
});

Deno.test("scalingTables compares a pair with its simulation", () => {
  const [, , row] = scalingTables(MEASUREMENTS).pair!.split("\n");
  const [, , , measured, predicted, error] = row!.split("|")
    .map((cell) => cell.trim());
  assertEquals(measured, "395");
  assertAlmostEquals(Number(predicted), 397, 8);
  assert(/^[+−]\d%$/.test(error!));
});

Deno.test("drawChart draws well-formed SVG with the name of each server", () => {
  const svg = drawChart(MEASUREMENTS);
  assertEquals(XMLValidator.validate(svg), true);
  for (const text of ["service on Deno", "remote database", "11 + 50"]) {
    assert(svg.includes(text), text);
  }
  assert(!/NaN|Infinity|undefined/.test(svg));
});

Deno.test("escape replaces the characters with a meaning in XML", () => {
  assertEquals(escape(`<a b="1">&`), "&lt;a b=&quot;1&quot;&gt;&amp;");
});

Deno.test("element rounds coordinates and leaves out attributes without a value", () => {
  assertEquals(
    element("g", { x: 1 / 3, y: undefined, class: "a" }),
    '<g x="0.3" class="a"/>',
  );
  assertEquals(element("g", {}, "a", "b"), "<g>ab</g>");
});

Deno.test("linear and logarithmic map values to coordinates", () => {
  const at = [100, 0] as const;
  assertEquals(linear({ values: [0, 10], at })(2.5), 75);
  assertAlmostEquals(logarithmic({ values: [1, 100], at })(10), 50, 1e-9);
});

for (
  const [most, expected] of [
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [1.56, [0, 0.5, 1, 1.5, 2]],
    [240, [0, 50, 100, 150, 200, 250]],
    [7, [0, 2, 4, 6, 8]],
  ] as const
) {
  Deno.test(`ticks up to ${most} are ${expected.join(", ")}`, () => {
    assertEquals(ticks(most), expected);
  });
}
