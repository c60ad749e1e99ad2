/**
 * Simulated instances at several loads, with a lost instance and with a change
 * of the release.
 *
 * @module
 */
import { Random } from "../generate_dne/random.ts";
import { markdownTable } from "../markdown.ts";
import { median } from "../median.ts";
import { calibrate, type Calibration } from "./calibration.ts";
import { TARGET } from "./capacity.ts";
import type { Measurements } from "./measurements.ts";
import {
  type Balancer,
  type Loss,
  type Pause,
  simulate,
  type Simulated,
} from "./simulation.ts";
import { digits } from "./tables.ts";

/** Seconds before and during the measurement of a simulation. */
const WARM_UP = 1;
const SECONDS = 9;

/** Time at which something happens. */
const MIDDLE = WARM_UP + SECONDS / 3;

/** Seconds between two looks of a server for a new release, and its size. */
const POLL = 1;

/** Loss of an instance, as balancers are often set up. */
export const LOSS = { noticedAfter: 1, retryAfter: 0.1, seconds: 3 } as const;

/** Options of {@linkcode simulateCases}. */
export interface CasesOptions {
  readonly rate: number;
  readonly instances: number;
  /** Seconds in which an instance that changes the release answers nothing. */
  readonly stall: number;
  readonly calibration: Calibration;
  /** @default {1} */
  readonly seed?: number;
}

/** Number of instances for a rate, of which there are at least two. */
export function instancesFor(rate: number, { work }: Calibration): number {
  return Math.max(2, Math.ceil(rate * work.service.mean / TARGET));
}

/** Simulates a rate without faults, with a loss, and with changes. */
export function simulateCases(
  { rate, instances, stall, calibration, seed = 1 }: CasesOptions,
): Record<string, Simulated> {
  const random = new Random(seed, "polls");
  const all = Array.from({ length: instances }, (_, instance) => instance);
  const swap = (delay: (instance: number) => number) =>
    all.map((instance): Pause => ({
      at: MIDDLE + delay(instance),
      instance,
      seconds: stall,
    }));
  const { work, overhead } = calibration;
  const run = (
    { losses = [], pauses = [] }: { losses?: Loss[]; pauses?: Pause[] },
  ) =>
    simulate({
      seed,
      seconds: SECONDS,
      warmUp: WARM_UP,
      load: { rate },
      instances,
      work,
      overhead,
      noticedAfter: LOSS.noticedAfter,
      retryAfter: LOSS.retryAfter,
      losses,
      pauses,
    });
  return {
    "steady": run({}),
    "an instance lost": run({
      losses: [{ at: MIDDLE, instance: 0, seconds: LOSS.seconds }],
    }),
    "new release, each at its time": run({
      pauses: swap(() => random.int(1000) / 1000 * POLL),
    }),
    "new release, all at once": run({ pauses: swap(() => 0) }),
  };
}

/** Makes a table of {@linkcode simulateCases} at several rates. */
export function casesTable(
  measurements: Measurements,
  rates: readonly number[],
): string {
  const calibration = calibrate(measurements.pair);
  const stall = median(measurements.swaps[0]!.stalls);
  const rows = rates.flatMap((rate) => {
    const instances = instancesFor(rate, calibration);
    const cases = simulateCases({ rate, instances, stall, calibration });
    return Object.entries(cases).map(([name, simulated]) => [
      digits(rate),
      digits(instances),
      name,
      ...milliseconds(simulated, [0.5, 0.99, 0.999]),
      digits(round(simulated.latencies.max * 1000)),
      digits(simulated.retried),
      digits(simulated.failed),
    ]);
  });
  return markdownTable([
    "requests/s",
    "instances",
    "case",
    "p50 (ms)",
    "p99 (ms)",
    "p99.9 (ms)",
    "longest (ms)",
    "retried",
    "failed",
  ], rows);
}

/** Ways to divide requests. */
const BALANCERS: Readonly<Record<string, Balancer>> = {
  "in turns": "turns",
  "at random": "random",
  "to the least loaded": "least",
};

/** Makes a table of response times by the use of eight instances. */
export function useTable(measurements: Measurements): string {
  const { work, overhead } = calibrate(measurements.pair);
  const instances = 8;
  const rows = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9].map((use) => {
    const rate = use * instances / work.service.mean;
    const cells = Object.values(BALANCERS).map((balancer) => {
      const simulated = simulate({
        seed: 1,
        seconds: 2,
        warmUp: 1,
        load: { rate },
        instances,
        work,
        overhead,
        balancer,
      });
      return milliseconds(simulated, [0.5, 0.99]).join("; ");
    });
    return [`${use * 100}%`, digits(Math.round(rate)), ...cells];
  });
  const head = ["use of a core", "requests/s", ...Object.keys(BALANCERS)];
  return markdownTable(head, rows);
}

function milliseconds(
  { latencies }: Simulated,
  shares: readonly number[],
): string[] {
  return shares.map((share) => digits(round(latencies.quantile(share) * 1000)));
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}
