/**
 * How many lookups are answered, beside servers that do less, and whether
 * rightly.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkAnswers } from "./answers.ts";
import type { Replay } from "./bare_server.ts";
import { type Settings, startListening } from "./cep.ts";
import { type Cores, describeCores, findCores } from "./cores.ts";
import type { Data } from "./data.ts";
import { drawRows, type Row } from "./database.ts";
import {
  type Figure,
  inPairs,
  type Pairs,
  type Section,
  withCommas,
} from "./figures.ts";
import { start, stop } from "./processes.ts";
import { firstAnswer, freePort, type Server } from "./server.ts";
import { CONNECTIONS, type Load, loadServer } from "./wrk.ts";

const BARE_SERVER = fileURLToPath(new URL("bare_server.ts", import.meta.url));

/** Codes drawn from the whole database, to be asked for in turn. */
const DRAWN = 50_000;

/** Answers that are compared with the database after each load. */
const COMPARED = 3000;

/** Client addresses where they are told apart. */
const CLIENTS = 10_000;

/** How thoroughly to measure. */
export interface ServingOptions {
  /** Times each pair is measured. */
  readonly pairs: number;
  /** Duration of each run of wrk. */
  readonly seconds: number;
}

/** Under which conditions to measure. */
interface Case {
  readonly name: string;
  readonly settings: Settings;
  readonly load: Pick<Load, "headers" | "clients">;
  readonly baselines: readonly Baseline[];
}

/** A server under the same load. */
interface Baseline {
  readonly name: string;
  /** The least ratio, if there is one. */
  readonly limit?: number;
  readonly start: (
    setup: Setup,
    it: Case,
    ours: Server,
  ) => Server | Promise<Server>;
}

/** What a case is measured with. */
interface Setup {
  readonly databasePath: string;
  readonly rows: readonly Row[];
  /** The drawn codes, one a line. */
  readonly codesFile: string;
  readonly replayFile: string;
  readonly cores: Cores | undefined;
}

const TRUSTING: Settings = { API_TRUSTED_PROXIES: "127.0.0.1" };

const BARE: Baseline = {
  name: "bare server",
  start: ({ cores }) => startBare(cores),
};

const REPLAY: Baseline = { name: "replay server", start: startReplay };

const UNLIMITED: Baseline = {
  name: "ours, unlimited",
  start: ({ databasePath, cores }) =>
    startListening(databasePath, { settings: TRUSTING, core: cores?.server }),
};

const CASES: readonly Case[] = [
  {
    name: "plain",
    settings: {},
    load: {},
    baselines: [{ ...BARE, limit: 0.6 }, { ...REPLAY, limit: 0.85 }],
  },
  {
    name: "gzip accepted",
    settings: {},
    load: { headers: { "Accept-Encoding": "gzip" } },
    baselines: [{ ...BARE, limit: 0.6 }, { ...REPLAY, limit: 0.85 }],
  },
  {
    name: "no snapshot",
    settings: { API_SNAPSHOT: "false" },
    load: {},
    baselines: [BARE],
  },
  {
    name: "rate limited",
    settings: {
      ...TRUSTING,
      API_RATE_LIMIT_ENABLE: "true",
      // More than any client sends here.
      API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW: "100000000",
    },
    load: { clients: CLIENTS },
    baselines: [{ ...UNLIMITED, limit: 0.85 }],
  },
];

/**
 * Asks for random codes.
 *
 * @throws {Error} If an answer is wrong or fails.
 */
export async function benchServing(
  { directory, databasePath }: Data,
  options: ServingOptions,
): Promise<Section> {
  const setup: Setup = {
    databasePath,
    rows: await drawRows(databasePath, DRAWN),
    codesFile: join(directory, "codes.txt"),
    replayFile: join(directory, "replay.json"),
    cores: await findCores(),
  };
  const codes = setup.rows.map(({ cep }) => cep);
  await Deno.writeTextFile(setup.codesFile, codes.join("\n"));
  const figures: Figure[] = [];
  for (const it of CASES) {
    figures.push(...await measureCase(it, setup, options));
  }
  return {
    title: `Serving random codes over ${CONNECTIONS} connections`,
    figures,
    notes: [
      `${withCommas(codes.length)} codes in turn, drawn from all; where the ` +
      `rate is limited, from ${withCommas(CLIENTS)} clients`,
      "no request failed, and after each load " +
      `${withCommas(COMPARED)} answers were right in every field`,
      describeCores(setup.cores),
    ],
  };
}

async function measureCase(
  it: Case,
  setup: Setup,
  { pairs: count, seconds }: ServingOptions,
): Promise<Figure[]> {
  const { databasePath, rows, codesFile, cores } = setup;
  const { settings } = it;
  const ours = startListening(databasePath, { settings, core: cores?.server });
  const path = `/cep/${rows[0]!.cep}`;
  await firstAnswer(ours, path);

  const load = async ({ url }: Server) => {
    const options = { ...it.load, codesFile, seconds, core: cores?.load };
    return (await loadServer(url, options)).rate;
  };
  const figures: Figure[] = [];
  for (const baseline of it.baselines) {
    console.error(`Asking in turns, ${it.name}, beside ${baseline.name} ...`);
    const other = await baseline.start(setup, it, ours);
    await firstAnswer(other, path);
    // The first run of each does not count: the program is not compiled yet.
    await load(ours);
    await load(other);
    const pairs = await inPairs(count, () => load(ours), () => load(other));
    await stop(other.process);
    await checkAnswers(ours.url, rows.slice(0, COMPARED));
    figures.push(...toFigures(it, baseline, pairs));
  }
  await stop(ours.process);
  return figures;
}

function toFigures(
  it: Case,
  { name, limit }: Baseline,
  pairs: Pairs,
): Figure[] {
  return [
    { name: `${it.name}: ours`, unit: "req/s", values: pairs.ours },
    { name, unit: "req/s", values: pairs.yardstick },
    {
      name: `ours / ${name}`,
      unit: "ratio",
      values: pairs.ratios,
      ...limit !== undefined && { limit: { side: "at least", value: limit } },
    },
  ];
}

/** Starts a server that sends what ours sends. */
async function startReplay(
  { rows, replayFile, cores }: Setup,
  { load }: Case,
  { url }: Server,
): Promise<Server> {
  const replay: Replay = {
    headers: await readHeaders(`${url}/cep/${rows[0]!.cep}`, load.headers),
    bodies: rows.map((row) => [`/cep/${row.cep}`, JSON.stringify(row)]),
  };
  await Deno.writeTextFile(replayFile, JSON.stringify(replay));
  return startBare(cores, replayFile);
}

/** The headers of one answer, whose ETag is as long as that of any other. */
async function readHeaders(
  url: string,
  headers: Load["headers"] = {},
): Promise<[name: string, value: string][]> {
  // By itself fetch accepts compressed answers.
  const sent = { "Accept-Encoding": "identity", ...headers };
  const answer = await fetch(url, { headers: sent });
  await answer.body?.cancel();
  // Deno sends these two by itself.
  return [...answer.headers].filter(([name]) =>
    name !== "date" && name !== "content-length"
  );
}

function startBare(cores: Cores | undefined, ...replayFile: string[]): Server {
  const port = freePort();
  const args = ["run", "-A", BARE_SERVER, `${port}`, ...replayFile];
  const process = start(Deno.execPath(), { args, core: cores?.server });
  return { url: `http://127.0.0.1:${port}`, process };
}
