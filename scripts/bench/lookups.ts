/**
 * Lookups: their rate compared with servers that do less, the memory of a
 * server that has answered every CEP, the startup time, and the store without a
 * server.
 */
import { openStore } from "@carteiro/cep/store";
import { assertEquals } from "@std/assert";
import { ROOT } from "../root.ts";
import type { Replay } from "./bare_server.ts";
import {
  type Bench,
  type Case,
  format,
  type Limit,
  NO_MEMORY,
  readMemory,
  timed,
} from "./harness.ts";
import { findCores } from "./cores.ts";
import type { Load, ServerOptions } from "./programs.ts";
import { checkRows, countCodes, drawRows, type Row } from "./rows.ts";
import { CONNECTIONS } from "./wrk.ts";

/** Number of responses to compare with the database after a load. */
const COMPARED = 3000;

/** Number of client addresses under the rate limit. */
const CLIENTS = 10_000;

/** Server under load. */
interface Contender extends Pick<ServerOptions, "args" | "settings"> {
  readonly name: string;
  readonly ratio?: Limit;
}

/** Service under load, then servers that do less under the same load. */
interface Comparison {
  readonly load?: Load;
  readonly contenders: readonly Contender[];
}

/** Server that does less. */
export const SCRIPT = `${ROOT}scripts/bench/bare_server.ts`;
const BARE: Contender = { name: "bare server", args: ["-A", SCRIPT] };
const BARE_AND_REPLAY: readonly Contender[] = [
  { ...BARE, ratio: { atLeast: 0.6 } },
  {
    name: "replay server",
    args: ["-A", SCRIPT, "replay.json"],
    ratio: { atLeast: 0.85 },
  },
];
const GZIP: Load = { headers: { "Accept-Encoding": "gzip" } };
const NO_SNAPSHOT = { API_SNAPSHOT: "false" };
const NO_LIMIT = { API_TRUSTED_PROXIES: "127.0.0.1" };
const RATE_LIMIT = {
  ...NO_LIMIT,
  API_RATE_LIMIT_ENABLE: "true",
  // Never reached.
  API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "100000000",
};

const COMPARISONS: readonly Comparison[] = [
  { contenders: [{ name: "plain" }, ...BARE_AND_REPLAY] },
  { load: GZIP, contenders: [{ name: "gzip accepted" }, ...BARE_AND_REPLAY] },
  { contenders: [{ name: "no snapshot", settings: NO_SNAPSHOT }, BARE] },
  {
    load: { clients: CLIENTS },
    contenders: [
      { name: "rate limited", settings: RATE_LIMIT },
      { name: "no limit", settings: NO_LIMIT, ratio: { atLeast: 0.85 } },
    ],
  },
];

/** Draws CEPs for the loads, and returns their rows. */
export async function drawCodes(bench: Bench): Promise<Row[]> {
  const rows = await drawRows(bench, 50_000);
  const codes = rows.map(({ cep }) => cep).join("\n");
  await Deno.writeTextFile(`${bench.folder}/codes.txt`, codes);
  return rows;
}

/** Requests random CEPs. */
export async function benchServing(bench: Bench): Promise<void> {
  const rows = await drawCodes(bench);
  const path = `/cep/${rows[0]!.cep}`;
  bench.title(`Serving random CEPs over ${CONNECTIONS} connections`);
  for (const { load = {}, contenders } of COMPARISONS) {
    await using servers = new AsyncDisposableStack();
    const cases: Case[] = [];
    let ours: string | undefined;
    for (const { name, ratio, ...options } of contenders) {
      const pinned = { ...options, path, pinned: true };
      const server = servers.use(await bench.startServer(pinned));
      const run = async () => (await bench.loadServer(server, load)).rate;
      cases.push({ name, unit: "req/s", ratio, run });
      if (ours !== undefined) continue;
      // The service is first; a replay server sends its responses.
      ours = server.url;
      await writeReplay(bench, rows, load, ours);
    }
    await bench.measure(cases, { warmUp: 1 });
    await checkAnswers(ours!, rows.slice(0, COMPARED));
  }
  bench.note(`${format(rows.length)} random CEPs in turn`);
  bench.note(`${format(CLIENTS)} clients under the rate limit`);
  const compared = format(COMPARED);
  bench.note(
    `no request failed; ${compared} responses after each load were right`,
  );
  bench.note((await findCores()).note);
}

/** Writes responses of the service for a replay server. */
export async function writeReplay(
  { folder }: Bench,
  rows: readonly Row[],
  { headers }: Load,
  url: string,
): Promise<void> {
  const answer = await fetch(`${url}/cep/${rows[0]!.cep}`, {
    // By default, fetch accepts compressed responses.
    headers: { "Accept-Encoding": "identity", ...headers },
  });
  await answer.body?.cancel();
  // Deno adds these headers.
  const added = ["date", "content-length"];
  const replay: Replay = {
    // The ETag of one record serves for all: every ETag has the same length.
    headers: [...answer.headers].filter(([name]) => !added.includes(name)),
    bodies: rows.map((row) => [`/cep/${row.cep}`, JSON.stringify(row)]),
  };
  await Deno.writeTextFile(`${folder}/replay.json`, JSON.stringify(replay));
}

async function checkAnswers(url: string, rows: readonly Row[]): Promise<void> {
  await checkRows(rows, async (cep) => {
    const response = await fetch(`${url}/cep/${cep}`);
    return await response.text();
  });
}

/** Servers by name, with or without a search, and the goal for their memory. */
const RESIDENT = [
  ["with search", true, 240],
  ["without search", false, 160],
] as const;

/** Requests all CEPs in random order, then reads the memory of the server. */
export async function benchResident(bench: Bench): Promise<void> {
  bench.title("Memory while serving");
  if (NO_MEMORY) return bench.note(NO_MEMORY);
  const release = await bench.release();
  const codes = await countCodes(bench, release);
  const query = "SELECT printf('%08d', cep) FROM cep ORDER BY random()";
  await bench.sqlite(release, ".output codes.txt", query);
  const rows = await drawRows(bench, COMPARED);
  const path = `/cep/${rows[0]!.cep}`;
  for (const [name, search, atMost] of RESIDENT) {
    const settings = { API_SEARCH_ENABLE: `${search}` };
    await using server = await bench.startServer({
      path,
      settings,
      pinned: true,
    });
    const first = await bench.loadServer(server);
    // A fifth longer than all CEPs take at the rate of the first seconds.
    const seconds = Math.ceil(1.2 * codes / first.rate);
    const round = await bench.loadServer(server, { seconds });
    const resident = (await readMemory(server.pid, "VmRSS"))!;
    const peak = (await readMemory(server.pid, "VmHWM"))!;
    await checkAnswers(server.url, rows);
    bench.show(`${name}, after the load`, "MB", resident, { atMost });
    bench.show(`${name}, peak`, "MB", peak);
    bench.note(
      `${format(first.requests + round.requests)} requests, of which ` +
        `${format(round.requests)} in turn for ${format(codes)} CEPs`,
    );
  }
  bench.note((await findCores()).note);
}

/** Starts the server several times, each time as a new process. */
export async function benchStart(bench: Bench): Promise<void> {
  const [row] = await drawRows(bench, 1);
  const path = `/cep/${row!.cep}`;
  bench.title("Startup with a seeded database");
  await bench.measure([{
    name: "until the first response",
    unit: "s",
    limit: { atMost: 0.4 },
    run: async () => {
      const start = performance.now();
      await using _server = await bench.startServer({
        path,
      });
      return (performance.now() - start) / 1000;
    },
  }], { turns: 5 });
}

/** Looks up CEPs, one after another, and reads all records. */
export async function benchLookup(bench: Bench): Promise<void> {
  const rows = await drawRows(bench, 50_000);
  const codes = await countCodes(bench, await bench.release());
  bench.title("The store in process");
  for (const snapshot of [true, false]) {
    const store = await openStore({ path: bench.databasePath, snapshot });
    try {
      // Also warms up the code.
      await checkRows(rows, async (cep) => {
        const found = await store.findJson(cep);
        if (found?.fromMemory === snapshot) return found.json;
        throw new Error(`Cannot find ${cep} with { snapshot: ${snapshot} }`);
      });
      const findAll = async () => {
        for (const { cep } of rows) await store.findJson(cep);
      };
      await bench.measure([{
        name: `findJson, ${snapshot ? "snapshot" : "SQL"}`,
        unit: "/s",
        run: async () => rows.length / await timed(findAll),
      }]);
      if (!snapshot) continue;
      const scanAll = async () => {
        let count = 0;
        for await (const records of store.scan()) count += records.length;
        assertEquals(count, codes, "scan()");
      };
      await bench.measure([{
        name: "records of scan",
        unit: "/s",
        run: async () => codes / await timed(scanAll),
      }]);
    } finally {
      await store.close();
    }
  }
}
