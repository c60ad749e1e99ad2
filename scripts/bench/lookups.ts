import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { buildPackages, withInstalled } from "../npm/build.ts";
import { ROOT } from "../root.ts";
import { NODE_MAJORS, nodeBinary } from "../runtimes/node.ts";
import {
  type Bench,
  format,
  type Limit,
  NO_MEMORY,
  readMemory,
  timed,
} from "./harness.ts";
import {
  CONNECTIONS,
  type Load,
  type Server,
  type ServerOptions,
} from "./programs.ts";

/** Server under a load. */
interface Contender
  extends Pick<ServerOptions, "command" | "settings" | "pinned"> {
  readonly name: string;
  /** Goal for the first server divided by this one. */
  readonly ratio?: Limit;
}

/** Loads, and the servers that are compared under each. */
interface Comparison {
  readonly load?: Load;
  readonly servers: readonly Contender[];
}

/** CEPs in an array, the maximum. */
const CEPS = 1000;

/** CEPs in a stream. */
const LINES = 500_000;

const PINNED = { pinned: true };
const BARE: Contender = {
  name: "bare server",
  command: [
    Deno.execPath(),
    "run",
    "-A",
    `${ROOT}scripts/bench/bare_server.ts`,
  ],
  ratio: { atLeast: 0.6 },
  ...PINNED,
};
const GZIP = { headers: { "Accept-Encoding": "gzip" } };
const NO_SNAPSHOT = { API_SNAPSHOT: "false" };

const SERVING: readonly Comparison[] = [
  { servers: [{ name: "plain", ...PINNED }, BARE] },
  { load: GZIP, servers: [{ name: "gzip accepted", ...PINNED }, BARE] },
  {
    servers: [{ name: "no snapshot", settings: NO_SNAPSHOT, ...PINNED }, BARE],
  },
];

const TWO = { WORKERS: "2" };
const LIMITED = {
  API_RATE_LIMIT_ENABLE: "true",
  // Never reached.
  API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "1000000000",
};
const GOAL = { ratio: { atLeast: 1.6 } };

const THREADS: readonly Comparison[] = [
  {
    servers: [
      { name: "two threads", settings: TWO },
      { name: "one thread", ...GOAL },
    ],
  },
  {
    load: { batch: CEPS },
    servers: [
      { name: "two, batches of 1,000", settings: TWO },
      { name: "one, batches of 1,000", ...GOAL },
    ],
  },
  {
    servers: [
      { name: "two, rate limited", settings: { ...TWO, ...LIMITED } },
      { name: "one, rate limited", settings: LIMITED, ...GOAL },
    ],
  },
];

/** Requests random CEPs from the service, and from a server that does less. */
export async function benchServing(bench: Bench): Promise<void> {
  bench.title(`Serving random CEPs over ${CONNECTIONS} connections`);
  await compare(bench, SERVING);
}

/** Requests random CEPs from one thread and from two. */
export async function benchWorkers(bench: Bench): Promise<void> {
  bench.title(`One thread and two, over ${CONNECTIONS} connections`);
  await compare(bench, THREADS);
  bench.note("the load generator runs on the same processors");
}

/** Requests random CEPs from the package on the oldest Node. */
export async function benchNode(bench: Bench): Promise<void> {
  const path = `/cep/${await bench.drawCodes(50_000)}`;
  const [major] = NODE_MAJORS;
  const node = await nodeBinary(major);
  bench.title(`Serving random CEPs on Node ${major}`);
  const packages = await buildPackages(join(bench.folder, "packages"));
  await withInstalled(packages, async ({ folder }) => {
    const program = join(folder, "node_modules/@carteiro/cep/bin.js");
    const bare = `${ROOT}scripts/bench/bare_node_server.mjs`;
    const pinned = { path, pinned: true };
    await using service = await bench.startServer({
      ...pinned,
      command: [node, program],
    });
    await using other = await bench.startServer({
      ...pinned,
      command: [node, bare, service.url + path],
    });
    await bench.measure([{
      name: "service",
      unit: "req/s",
      run: async () => (await bench.loadServer(service)).rate,
    }, {
      name: "bare node:http",
      unit: "req/s",
      ratio: { atLeast: 0.6 },
      run: async () => (await bench.loadServer(other)).rate,
    }], { warmUp: 1 });
  });
  bench.note("the bare server sends the bytes of one response of the service");
}

async function compare(
  bench: Bench,
  comparisons: readonly Comparison[],
): Promise<void> {
  const path = `/cep/${await bench.drawCodes(50_000)}`;
  for (const { load = {}, servers } of comparisons) {
    await using stack = new AsyncDisposableStack();
    const cases = [];
    for (const { name, ratio, ...options } of servers) {
      const server = stack.use(await bench.startServer({ ...options, path }));
      const run = async () => (await bench.loadServer(server, load)).rate;
      cases.push({ name, unit: "req/s", ratio, run });
    }
    await bench.measure(cases, { warmUp: 1 });
  }
}

/** Requests records of many CEPs, as arrays and as lines. */
export async function benchBatch(bench: Bench): Promise<void> {
  const path = `/cep/${await bench.drawCodes(50_000)}`;
  bench.title(`POST /ceps with ${format(CEPS)} random CEPs`);
  await using server = await bench.startServer({ path, ...PINNED });
  const codes = (await Deno.readTextFile(`${bench.folder}/codes.txt`))
    .trim().split("\n");
  await bench.measure([{
    name: "array",
    unit: "CEPs/s",
    limit: { atLeast: 200_000 },
    run: async () =>
      CEPS * (await bench.loadServer(server, { batch: CEPS })).rate,
  }], { warmUp: 1 });
  await bench.measure([{
    name: `stream of ${format(LINES)} lines`,
    unit: "CEPs/s",
    run: async () => LINES / await timed(() => readStream(server, codes)),
  }]);
}

async function readStream(
  { url }: Server,
  codes: readonly string[],
): Promise<void> {
  let sent = 0;
  const body = new ReadableStream<string>({
    pull(controller) {
      let part = "";
      for (let i = 0; i < CEPS; i++) {
        part += `"${codes[sent++ % codes.length]}"\n`;
      }
      controller.enqueue(part);
      if (sent >= LINES) controller.close();
    },
  });
  const response = await fetch(`${url}/ceps`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: body.pipeThrough(new TextEncoderStream()),
  });
  let lines = 0;
  for await (const chunk of response.body!) {
    for (const byte of chunk) if (byte === 0x0a) lines++;
  }
  assertEquals(lines, LINES);
}

/** Servers by name, with or without a search, and the goal for their memory. */
const RESIDENT = [
  ["with search", true, 160],
  ["without search", false, 130],
] as const;

/** Requests all CEPs in random order, then reads the memory of the server. */
export async function benchResident(bench: Bench): Promise<void> {
  bench.title("Memory while serving");
  if (NO_MEMORY) return bench.note(NO_MEMORY);
  const codes = await bench.countCodes(await bench.release());
  const path = `/cep/${await bench.drawCodes()}`;
  for (const [name, search, atMost] of RESIDENT) {
    const settings = { API_SEARCH_ENABLE: `${search}` };
    const options = { path, settings, ...PINNED };
    await using server = await bench.startServer(options);
    const first = await bench.loadServer(server);
    // A fifth longer than all CEPs take at the rate of the first seconds.
    const seconds = Math.ceil(1.2 * codes / first.rate);
    await bench.loadServer(server, { seconds });
    const resident = (await readMemory(server.pid, "VmRSS"))!;
    const peak = (await readMemory(server.pid, "VmHWM"))!;
    bench.show(`${name}, after the load`, "MB", resident, { atMost });
    bench.show(`${name}, peak`, "MB", peak);
  }
}
