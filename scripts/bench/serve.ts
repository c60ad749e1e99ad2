/**
 * How many lookups are answered, beside a bare server, and whether rightly.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkAnswers } from "./answers.ts";
import { startListening } from "./cep.ts";
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
import { CONNECTIONS, loadWithCodes } from "./wrk.ts";

const BARE_SERVER = fileURLToPath(new URL("bare_server.ts", import.meta.url));

/** Answers that are compared with the database after the load. */
const COMPARED = 3000;

/** How thoroughly to measure. */
export interface ServingOptions {
  /** How often each pair is measured. */
  readonly pairs: number;
  /** How long each run of wrk takes. */
  readonly seconds: number;
}

/** Under which conditions to measure. */
interface Case {
  readonly name: string;
  readonly settings: Record<string, string>;
  /** Codes drawn from the database, to be asked for in turn. */
  readonly codes: number;
  /** Whether each has been asked for before. */
  readonly askedBefore: boolean;
  /** The least ratio. */
  readonly limit: number;
}

const CASES: readonly Case[] = [
  {
    name: "nothing cached",
    settings: { API_CACHE_RECORDS: "0" },
    codes: 50_000,
    askedBefore: false,
    limit: 0.3,
  },
  {
    name: "cached",
    settings: {},
    codes: 20_000,
    askedBefore: true,
    limit: 0.6,
  },
];

/**
 * Asks for random codes.
 *
 * @throws {Error} If an answer is wrong or fails.
 */
export async function benchServing(
  data: Data,
  options: ServingOptions,
): Promise<Section> {
  const figures: Figure[] = [];
  for (const it of CASES) {
    const rows = await drawRows(data.databasePath, it.codes);
    figures.push(...await measureCase(it, rows, data, options));
  }
  return {
    title: `Serving random codes over ${CONNECTIONS} connections`,
    figures,
    notes: [
      "no request failed, and after each load " +
      `${withCommas(COMPARED)} answers were right in every field`,
    ],
  };
}

function toFigures({ name, limit }: Case, pairs: Pairs): Figure[] {
  return [
    { name: `${name}: ours`, unit: "req/s", values: pairs.ours },
    { name: "bare Deno.serve", unit: "req/s", values: pairs.yardstick },
    {
      name: "ours / bare",
      unit: "ratio",
      values: pairs.ratios,
      limit: { side: "at least", value: limit },
    },
  ];
}

/** How much of the way to the yardstick the headers and the bodies take. */
function toReplayFigures(pairs: Pairs): Figure[] {
  return [
    {
      name: "bare, our headers and bodies",
      unit: "req/s",
      values: pairs.yardstick,
    },
    { name: "ours / that", unit: "ratio", values: pairs.ratios },
  ];
}

async function measureCase(
  it: Case,
  rows: readonly Row[],
  { directory, databasePath }: Data,
  options: ServingOptions,
): Promise<Figure[]> {
  console.error(`Asking for codes in turns, ${it.name} ...`);
  const codesFile = join(directory, "codes.txt");
  await Deno.writeTextFile(codesFile, rows.map(({ cep }) => cep).join("\n"));
  const ours = startListening(databasePath, it.settings);
  await firstAnswer(ours, `/cep/${rows[0]!.cep}`);
  if (it.askedBefore) await checkAnswers(ours.url, rows);

  const load = (server: Server) => () =>
    loadWithCodes(server.url, codesFile, options.seconds);
  const against = async (other: Server) => {
    await firstAnswer(other, `/cep/${rows[0]!.cep}`);
    // The first run of each does not count: the program is not compiled yet.
    await load(ours)();
    await load(other)();
    const pairs = await inPairs(options.pairs, load(ours), load(other));
    await stop(other.process);
    return pairs;
  };
  const figures = toFigures(it, await against(startBare()));
  if (it.askedBefore) {
    const bodiesFile = join(directory, "bodies.json");
    await Deno.writeTextFile(bodiesFile, JSON.stringify(toBodies(rows)));
    figures.push(...toReplayFigures(await against(startBare(bodiesFile))));
  }
  await checkAnswers(ours.url, rows.slice(0, COMPARED));
  await stop(ours.process);
  return figures;
}

function toBodies(rows: readonly Row[]): [path: string, body: string][] {
  return rows.map((row) => [`/cep/${row.cep}`, JSON.stringify(row)]);
}

function startBare(...bodiesFile: string[]): Server {
  const port = freePort();
  const args = ["run", "-A", BARE_SERVER, `${port}`, ...bodiesFile];
  const process = start(Deno.execPath(), { args });
  return { url: `http://127.0.0.1:${port}`, process };
}
