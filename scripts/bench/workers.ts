/**
 * Several threads on one port: their rate compared with one, and the processor
 * time and memory that they take.
 */
import type { Bench, Case } from "./harness.ts";
import { drawCodes } from "./lookups.ts";
import type { Load, Server } from "./programs.ts";
import { CONNECTIONS } from "./wrk.ts";

const TWO = { WORKERS: "2" };
const LIMITED = {
  API_RATE_LIMIT_ENABLE: "true",
  // Never reached.
  API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "1000000000",
};

/** Loads, and servers in turn; the first is compared with the others. */
const COMPARISONS: readonly {
  readonly load: Load;
  readonly servers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}[] = [
  {
    load: {},
    servers: { "two threads": TWO, "one thread": {} },
  },
  {
    load: { batch: 1000 },
    servers: { "two, batches of 1,000": TWO, "one, batches of 1,000": {} },
  },
  {
    load: {},
    servers: {
      "two, rate limited": { ...TWO, ...LIMITED },
      "one, rate limited": LIMITED,
    },
  },
];

const CPU = "process_cpu_seconds_total";
const MEMORY = "process_resident_memory_bytes";

/** Two threads answer at least 1.6 times as many requests as one. */
const GOAL = { atLeast: 1.6 };

/** Requests random CEPs from one thread and from two. */
export async function benchWorkers(bench: Bench): Promise<void> {
  const [row] = await drawCodes(bench);
  const path = `/cep/${row!.cep}`;
  bench.title(`One thread and two, over ${CONNECTIONS} connections`);
  for (const { load, servers } of COMPARISONS) {
    await using stack = new AsyncDisposableStack();
    const cases: Case[] = [];
    const shown: (() => Promise<void>)[] = [];
    for (const [name, settings] of Object.entries(servers)) {
      const server = stack.use(await bench.startServer({ path, settings }));
      let microseconds = NaN;
      const run = async () => {
        const before = await readMetric(server, CPU);
        const { requests, rate } = await bench.loadServer(server, load);
        const after = await readMetric(server, CPU);
        microseconds = (after - before) / requests * 1e6;
        return rate;
      };
      const ratio = cases.length > 0 ? GOAL : undefined;
      cases.push({ name, unit: "req/s", ratio, run });
      shown.push(async () => {
        bench.show(`${name}: time a request`, "µs", microseconds);
        bench.show(name, "MB", await readMetric(server, MEMORY) / 1e6);
      });
    }
    await bench.measure(cases, { warmUp: 1 });
    for (const show of shown) await show();
  }
  bench.note("the load generator runs on the same processors");
}

/** Reads a metric without labels. */
async function readMetric({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
}
