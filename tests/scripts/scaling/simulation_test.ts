/** Simulation, compared with known results of queueing theory. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  constant,
  exponential,
} from "../../../scripts/scaling/distribution.ts";
import {
  type Balancer,
  simulate,
  type SimulationOptions,
} from "../../../scripts/scaling/simulation.ts";

const NONE = constant(0);

/** Options of a run of a million requests, with a mean service time of 1 ms. */
const BASE = {
  seed: 1,
  seconds: 1000,
  warmUp: 20,
  instances: 1,
  work: { service: exponential(1e-3), wakeUp: NONE },
} as const;

function run(options: Partial<SimulationOptions> & { rate?: number }) {
  const { rate = 1000, ...others } = options;
  return simulate({ ...BASE, load: { rate }, ...others });
}

function assertWithin(actual: number, expected: number, share: number): void {
  assertAlmostEquals(actual, expected, share * expected);
}

for (const rate of [300, 700, 900]) {
  Deno.test(`simulate agrees with M/M/1 at ${rate} requests a second`, () => {
    const { latencies, utilisation, failed, retried } = run({ rate });
    const rest = 1000 - rate;
    assertWithin(latencies.mean, 1 / rest, 0.05);
    assertWithin(latencies.quantile(0.5), Math.LN2 / rest, 0.05);
    assertWithin(latencies.quantile(0.99), Math.log(100) / rest, 0.07);
    assertWithin(utilisation, rate / 1000, 0.01);
    assertEquals({ failed, retried }, { failed: 0, retried: 0 });
  });

  Deno.test(`simulate agrees with M/D/1 at ${rate} requests a second`, () => {
    const work = { service: constant(1e-3), wakeUp: NONE };
    const { latencies } = run({ rate, work });
    // Pollaczek-Khinchine.
    const load = rate / 1000;
    assertWithin(latencies.mean, 1e-3 * (1 + load / (2 * (1 - load))), 0.03);
  });

  Deno.test(`simulate agrees with M/D/1 with setup times at ${rate} requests a second`, () => {
    const work = { service: constant(1e-3), wakeUp: constant(2e-3) };
    const { latencies } = run({ rate, work });
    const load = rate / 1000;
    const setup = rate * 2e-3;
    const wait = 1e-3 * load / (2 * (1 - load)) +
      2e-3 * (2 + setup) / (2 * (1 + setup));
    assertWithin(latencies.mean, 1e-3 + wait, 0.03);
  });
}

/** Probability that a request of M/M/c waits. */
function erlangC(load: number, cores: number): number {
  let blocked = 1;
  for (let k = 1; k <= cores; k++) {
    blocked = load * blocked / (k + load * blocked);
  }
  return blocked / (1 - load / cores * (1 - blocked));
}

for (const [cores, rate] of [[2, 1600], [4, 3600], [16, 15_000]] as const) {
  Deno.test(`simulate agrees with M/M/${cores} at ${rate} requests a second`, () => {
    // So many processes that each has one request at most.
    const { latencies } = run({ rate, cores, instances: 1000, seconds: 200 });
    const wait = erlangC(rate / 1000, cores) / (1000 * cores - rate);
    assertWithin(latencies.mean, 1e-3 + wait, 0.05);
  });
}

Deno.test("simulate agrees with the machine repair model", () => {
  const clients = 12;
  const think = 10e-3;
  const { rate, latencies } = run({
    load: { clients, think: exponential(think) },
  });
  // Probability of n requests: that of none, times the ratios below.
  let sum = 1;
  let term = 1;
  for (let n = 1; n <= clients; n++) {
    sum += term *= (clients - n + 1) * 1e-3 / think;
  }
  const expected = (1 - 1 / sum) / 1e-3;
  assertWithin(rate, expected, 0.01);
  // Little's law.
  assertWithin(latencies.mean, clients / expected - think, 0.03);
});

Deno.test("simulate divides a Poisson process at random into those of M/M/1", () => {
  const { latencies } = run({
    instances: 10,
    rate: 7000,
    balancer: "random",
    seconds: 100,
  });
  assertWithin(latencies.mean, 1 / 300, 0.05);
});

Deno.test("simulate waits least with the least loaded instance, then in turns, then at random", () => {
  const means = (["least", "turns", "random"] as Balancer[]).map((balancer) =>
    run({ instances: 4, rate: 3200, balancer, seconds: 100 }).latencies.mean
  );
  assertEquals(means, means.toSorted((a, b) => a - b));
});

Deno.test("simulate limits a closed load by the work of instances and generator on their cores", () => {
  const { rate } = run({
    load: {
      clients: 64,
      think: NONE,
      threads: 2,
      work: { service: constant(0.5e-3), wakeUp: NONE },
    },
    work: { service: constant(1e-3), wakeUp: NONE },
    instances: 2,
    cores: 2,
    balancer: "fixed",
    seconds: 50,
  });
  assertWithin(rate, 2 / 1.5e-3, 0.02);
});

Deno.test("simulate gives the same run for the same seed, another one for another", () => {
  const runs = [1, 1, 2].map((seed) => {
    const { latencies, ...others } = run({ seed, seconds: 10 });
    return { ...others, mean: latencies.mean, p99: latencies.quantile(0.99) };
  });
  assertEquals(runs[0], runs[1]);
  assert(runs[0]!.mean !== runs[2]!.mean);
});

Deno.test("simulate adds the overhead to every response", () => {
  const seconds = 10;
  const { latencies } = run({ seconds, rate: 100 });
  const slower = run({ seconds, rate: 100, overhead: 5e-3 });
  assertAlmostEquals(slower.latencies.mean, latencies.mean + 5e-3, 1e-9);
});

Deno.test("simulate retries the requests of a lost instance until it is noticed", () => {
  const { failed, retried, latencies, rate } = run({
    instances: 3,
    rate: 300,
    seconds: 30,
    warmUp: 0,
    retryAfter: 1,
    noticedAfter: 5,
    losses: [{ at: 10, instance: 1, seconds: 10 }],
  });
  assertEquals(failed, 0);
  // A third of the requests for five seconds.
  assertWithin(retried, 500, 0.1);
  assertWithin(rate, 300, 0.05);
  assert(latencies.max > 1);
  assert(latencies.quantile(0.9) < 0.1);
});

for (const balancer of ["turns", "random", "least", "fixed"] as const) {
  Deno.test(`simulate divides the requests of a lost instance among the others, ${balancer}`, () => {
    // Three instances for the work of 2.1: one with twice its share would fail.
    const { latencies, failed } = run({
      instances: 4,
      rate: 2100,
      balancer,
      ...(balancer === "fixed"
        ? { load: { clients: 210, think: exponential(0.1) } }
        : {}),
      seconds: 60,
      warmUp: 30,
      losses: [{ at: 1, instance: 1, seconds: 100 }],
    });
    assertEquals(failed, 0);
    assert(latencies.mean < 0.01);
  });
}

Deno.test("simulate counts requests without an instance as failed", () => {
  const { failed, rate } = run({
    rate: 100,
    seconds: 20,
    warmUp: 0,
    losses: [{ at: 10, instance: 0, seconds: 5 }],
  });
  assertWithin(failed, 500, 0.15);
  assertWithin(rate, 75, 0.1);
});

Deno.test("simulate delays requests during a pause", () => {
  const { latencies, rate } = run({
    rate: 100,
    seconds: 20,
    warmUp: 0,
    pauses: [{ at: 10, instance: 0, seconds: 2 }],
  });
  assertWithin(rate, 100, 0.1);
  assertWithin(latencies.max, 2, 0.05);
  // A tenth of the requests waits.
  assert(latencies.quantile(0.95) > 0.5);
  assert(latencies.quantile(0.85) < 0.1);
});
