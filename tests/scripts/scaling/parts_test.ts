/** Parts of the simulation, and of its figures. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { median } from "../../../scripts/median.ts";
import {
  empirical,
  quantileOf,
  withMean,
} from "../../../scripts/scaling/distribution.ts";
import { EventQueue } from "../../../scripts/scaling/event_queue.ts";
import { Fifo } from "../../../scripts/scaling/fifo.ts";
import { Latencies } from "../../../scripts/scaling/latencies.ts";
import { parseProcessorTime } from "../../../scripts/scaling/process_usage.ts";

Deno.test("EventQueue returns events by time, equal ones in the order of their adds", () => {
  const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });
  fc.assert(fc.property(times, (times) => {
    const queue = new EventQueue<number>();
    times.forEach((time, i) => queue.add(time, i));
    assertEquals(queue.size, times.length);
    const expected = times.map((time, item) => ({ time, item }))
      .toSorted((a, b) => a.time - b.time || a.item - b.item);
    const actual = expected.map(() => {
      const { time, item } = queue.next()!;
      return { time, item };
    });
    assertEquals(actual, expected);
    assertEquals(queue.next(), undefined);
  }));
});

Deno.test("EventQueue returns events that are added between others", () => {
  const queue = new EventQueue<string>();
  queue.add(2, "b");
  queue.add(4, "d");
  assertEquals(queue.next()?.item, "b");
  queue.add(3, "c");
  assertEquals(["", ""].map(() => queue.next()?.item), ["c", "d"]);
});

Deno.test("Fifo returns items in the order of their adds", () => {
  const commands = fc.array(fc.boolean(), { maxLength: 5000 });
  fc.assert(fc.property(commands, (commands) => {
    const fifo = new Fifo<number>();
    const model: number[] = [];
    for (const [i, isPush] of commands.entries()) {
      if (isPush) {
        fifo.push(i);
        model.push(i);
      } else assertEquals(fifo.shift(), model.shift());
      assertEquals(fifo.size, model.length);
    }
    assertEquals(fifo.clear(), model);
    assertEquals(fifo.size, 0);
  }));
});

Deno.test("Fifo returns thousands of items", () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 5000; i++) fifo.push(i);
  for (let i = 0; i < 5000; i++) assertEquals(fifo.shift(), i);
  assertEquals(fifo.shift(), undefined);
});

Deno.test("Latencies finds quantiles to half a percent", () => {
  const latencies = new Latencies();
  for (let i = 1; i <= 10_000; i++) latencies.add(i / 1e4);
  for (const share of [0.01, 0.5, 0.9, 0.99, 0.999]) {
    assertAlmostEquals(latencies.quantile(share), share, 0.0051 * share);
  }
  assertEquals(latencies.quantile(1), 1);
  assertEquals(latencies.max, 1);
  assertEquals(latencies.count, 10_000);
  assertAlmostEquals(latencies.mean, 0.50005, 1e-9);
});

Deno.test("Latencies without durations has quantiles of 0", () => {
  const { mean, max } = new Latencies();
  assertEquals([mean, max, new Latencies().quantile(0.99)], [0, 0, 0]);
});

Deno.test("Latencies accepts a duration of 0", () => {
  const latencies = new Latencies();
  latencies.add(0);
  assertEquals(latencies.quantile(0.5), 0);
});

const QUANTILES = [[0, 1], [0.5, 3], [0.99, 5], [1, 25]] as const;

Deno.test("quantileOf is linear between quantiles, and constant beyond", () => {
  const shares = [0, 0.25, 0.5, 0.99, 1, 2];
  const times = shares.map((share) => quantileOf(QUANTILES, share));
  assertEquals(times, [1, 2, 3, 5, 25, 25]);
  assertEquals(quantileOf([[0.5, 2], [0.5, 3]], 0.1), 2);
});

Deno.test("empirical has the mean of its samples", () => {
  const { mean, sample } = empirical(QUANTILES);
  const count = 100_000;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += sample(() => (i + 0.5) / count);
  assertAlmostEquals(mean, 0.5 * 2 + 0.49 * 4 + 0.01 * 15, 1e-9);
  assertAlmostEquals(sum / count, mean, 1e-3);
});

for (const quantiles of [[], [[0.5, 1]]] as const) {
  Deno.test(`empirical refuses ${quantiles.length} quantiles`, () => {
    assertThrows(() => empirical(quantiles), RangeError, "two quantiles");
  });
}

for (const mean of [4, 2, 0.5, 0.05]) {
  Deno.test(`withMean makes a distribution with a mean of ${mean}`, () => {
    assertAlmostEquals(withMean(QUANTILES, mean).mean, mean, 1e-9);
  });
}

Deno.test("withMean keeps the excess of the slowest", () => {
  const { sample } = withMean(QUANTILES, 1);
  const excess = sample(() => 1) - sample(() => 0.99);
  assertAlmostEquals(excess, 20, 1e-9);
  assert(sample(() => 0.5) < 1);
});

Deno.test("parseProcessorTime adds user and system time of a process with any name", () => {
  const stat = `7 (a) R 1 (b) S ${"0 ".repeat(10)}250 150 9 9 20 0 1 0`;
  assertEquals(parseProcessorTime(stat, 100), 4);
});

for (
  const [values, expected] of [
    [[3], 3],
    [[3, 1], 2],
    [[10, 1, 2], 2],
    [[4, 3, 2, 1], 2.5],
  ] as const
) {
  Deno.test(`median of ${values.join(", ")} is ${expected}`, () => {
    assertEquals(median(values), expected);
  });
}
