/**
 * Cost of lookups by the number of records and of connections.
 *
 * @module
 */
import { statSync } from "node:fs";
import { timed } from "../bench/harness.ts";
import type { Database, Programs } from "../bench/programs.ts";
import { countCodes } from "../bench/rows.ts";
import { CONNECTIONS } from "../bench/wrk.ts";
import { quantileOf } from "./distribution.ts";
import { load, type Loaded } from "./load.ts";
import { perMillion, WARM_UP } from "./measure_costs.ts";
import type { ConnectionsPoint, RecordsPoint } from "./measurements.ts";
import { drawPaths } from "./paths.ts";
import { readResident } from "./process_usage.ts";
import { round } from "./round.ts";
import { service } from "./ways.ts";

/** Rows as a share of those of the plan. */
const SHARES = [0.1, 0.5, 1, 1.5];

/** Imports and serves DNEs of several sizes, the smallest first. */
export async function measureRecords(
  programs: Programs,
): Promise<RecordsPoint[]> {
  const points: RecordsPoint[] = [];
  for (const share of SHARES) {
    const rows = Math.round(share * programs.plan.rows);
    const directory = await programs.generate(rows);
    const path = `${programs.folder}/again`;
    const importTime = await timed(() => programs.seed(directory, path));
    await Deno.remove(path, { recursive: true });
    const database = await programs.imported(rows);
    const options = await drawPaths(programs, database);
    const loads: Loaded[] = [];
    await using stack = new AsyncDisposableStack();
    const begin = performance.now();
    const { server } = await service()(options, stack);
    const start = (performance.now() - begin) / 1000;
    for (let turn = -WARM_UP; turn < programs.plan.pairs; turn++) {
      const connections = CONNECTIONS;
      const loaded = await load(programs, server, options.paths, {
        connections,
      });
      if (turn >= 0) loads.push(loaded);
    }
    points.push({
      codes: await countCodes(programs, database.file),
      importTime: round(importTime),
      file: Math.round(statSync(database.file).size / 1e6),
      start: round(start),
      memory: Math.round(await readResident(server.pid)),
      processor: processorOf(loads),
    });
    console.error(points.at(-1));
  }
  return points;
}

/** Numbers of connections. */
const CONNECTION_COUNTS = [1, 8, 64, 512];

/** Loads one server with several numbers of connections, in turns. */
export async function measureConnections(
  programs: Programs,
  database: Database,
): Promise<ConnectionsPoint[]> {
  const options = await drawPaths(programs, database);
  await using stack = new AsyncDisposableStack();
  const { server } = await service()(options, stack);
  const cases = CONNECTION_COUNTS.map((connections) => ({
    connections,
    loads: [] as Loaded[],
    memory: 0,
  }));
  for (let turn = -WARM_UP; turn < programs.plan.pairs; turn++) {
    for (const it of cases) {
      const { connections } = it;
      const loaded = await load(programs, server, options.paths, {
        connections,
      });
      if (turn >= 0) it.loads.push(loaded);
      it.memory = Math.round(await readResident(server.pid));
    }
  }
  return cases.map(pointOf);
}

/** Makes the figures of loads with a number of connections. */
export function pointOf(
  { connections, loads, memory }: {
    readonly connections: number;
    readonly loads: readonly Loaded[];
    readonly memory: number;
  },
): ConnectionsPoint {
  return {
    connections,
    rates: loads.map(({ requests, seconds }) => Math.round(requests / seconds)),
    processor: processorOf(loads),
    p50: loads.map(({ quantiles }) => round(quantileOf(quantiles, 0.5))),
    p99: loads.map(({ quantiles }) => round(quantileOf(quantiles, 0.99))),
    memory,
    generator: loads.map(({ cpu, requests }) => perMillion(cpu, requests)),
  };
}

function processorOf(loads: readonly Loaded[]): number[] {
  return loads.map(({ processorTimes, requests }) =>
    perMillion(processorTimes[0]!, requests)
  );
}
