/**
 * Processor time of lookups from each kind of server, in turns.
 *
 * @module
 */
import type { Database, Programs } from "../bench/programs.ts";
import { CONNECTIONS } from "../bench/wrk.ts";
import { load, type Loaded } from "./load.ts";
import type { Cost, WayName } from "./measurements.ts";
import { drawPaths } from "./paths.ts";
import { readResident } from "./process_usage.ts";
import { round } from "./round.ts";
import type { Started, Way } from "./ways.ts";

/** Turns before the measurement, in which the runtimes compile the code. */
export const WARM_UP = 2;

/** Seconds of processor time for a million lookups, to three digits. */
export function perMillion(seconds: number, requests: number): number {
  return round(seconds / requests * 1e6);
}

/** Starts all servers, and loads them in turns. */
export async function measureCosts(
  programs: Programs,
  database: Database,
  ways: Readonly<Partial<Record<WayName, Way>>>,
): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack();
  const options = await drawPaths(programs, database);
  const cases: { way: WayName; started: Started; loads: Loaded[] }[] = [];
  for (const [way, start] of Object.entries(ways)) {
    console.error(`Starting ${way} ...`);
    const started = await start(options, stack);
    cases.push({ way: way as WayName, started, loads: [] });
  }
  for (let turn = -WARM_UP; turn < programs.plan.pairs; turn++) {
    for (const { way, started, loads } of cases) {
      const { server, behind, paths = options.paths } = started;
      const servers = behind ? [server, behind] : [server];
      const loaded = await load(programs, server, paths, {
        connections: CONNECTIONS,
        observed: servers,
      });
      if (turn >= 0) loads.push(loaded);
      console.error(describe(way, loaded));
    }
  }
  return await Promise.all(cases.map(async ({ way, started, loads }) => {
    const { server, behind } = started;
    const { bytes, requests, requestBytes } = loads.at(-1)!;
    const cost = (index: number) =>
      loads.map((it) => perMillion(it.processorTimes[index]!, it.requests));
    return {
      way,
      processor: cost(0),
      ...(behind ? { behind: cost(1) } : {}),
      rates: loads.map(({ requests, seconds }) =>
        Math.round(requests / seconds)
      ),
      requestBytes: Math.round(requestBytes),
      responseBytes: Math.round(bytes / requests),
      memory: Math.round(await readResident(server.pid)),
      ...(behind
        ? { behindMemory: Math.round(await readResident(behind.pid)) }
        : {}),
    };
  }));
}

function describe(way: string, { requests, processorTimes }: Loaded): string {
  const times = processorTimes.map((it) => perMillion(it, requests)).join(
    " + ",
  );
  return `${way}: ${times} s for a million lookups`;
}
