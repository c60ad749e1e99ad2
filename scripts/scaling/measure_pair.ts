/**
 * Two instances under loads of one program, which shares their cores, and the
 * parameters of their simulation.
 *
 * @module
 */
import { median } from "../median.ts";
import type { Database, Programs } from "../bench/programs.ts";
import { quantileOf, type Quantiles } from "./distribution.ts";
import { load, type Loaded, measureServiceTimes } from "./load.ts";
import { pointOf } from "./measure_growth.ts";
import type { Pair } from "./measurements.ts";
import { drawPaths } from "./paths.ts";
import { readResident } from "./process_usage.ts";
import { round } from "./round.ts";

/** Loads, the lightest first. Think times are in milliseconds. */
const LOADS = [
  { connections: 64, think: 20 },
  { connections: 256, think: 20 },
  { connections: 768, think: 20 },
  { connections: 64, think: 0 },
];

/** Loads on one instance, over one connection and over many. */
const ALONE = [{ connections: 1 }, { connections: 64 }];

/** Measures one instance and two instances in turns. */
export async function measurePair(
  programs: Programs,
  database: Database,
): Promise<Pair> {
  const options = await drawPaths(programs, database);
  const { path, paths } = options;
  await using stack = new AsyncDisposableStack();
  const start = async (pinned: boolean) => {
    const settings = { DB_PATH: database.path };
    return stack.use(await programs.startServer({ path, settings, pinned }));
  };
  const one = await start(true);
  const two = [await start(false), await start(false)];
  const alone = ALONE.map((it) => ({ ...it, loads: [] as Loaded[] }));
  const pair = LOADS.map((it) => ({ ...it, loads: [] as Loaded[] }));
  const times: Quantiles[] = [];
  // The first turn is a warm-up.
  for (let turn = 0; turn <= programs.plan.pairs; turn++) {
    const quantiles = await measureServiceTimes(programs, one, paths);
    if (turn > 0) times.push(quantiles);
    for (const { connections, loads } of alone) {
      const loaded = await load(programs, one, paths, { connections });
      if (turn > 0) loads.push(loaded);
    }
    for (const { connections, think, loads } of pair) {
      const options = { connections, think, pinned: false };
      const loaded = await load(programs, two, paths, options);
      if (turn > 0) loads.push(loaded);
    }
  }
  const memory = Math.round(await readResident(one.pid));
  const [single, busy] = alone.map((it) => pointOf({ ...it, memory }));
  return {
    serviceTimes: times[0]!.map(([share], i) => [
      share,
      round(median(times.map((quantiles) => quantiles[i]![1]))),
    ]),
    alone: [single!, busy!],
    runs: pair.map(({ connections, think, loads }) => ({
      connections,
      think: think / 1000,
      rates: loads.map((it) => Math.round(it.requests / it.seconds)),
      p50: loads.map((it) => round(quantileOf(it.quantiles, 0.5))),
      p99: loads.map((it) => round(quantileOf(it.quantiles, 0.99))),
    })),
  };
}
