/**
 * Measures the cost of lookups for `docs/scaling.md`, and draws its chart.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { clearSettings, findMissing, warnIfBusy } from "./bench/environment.ts";
import { LARGE, Programs } from "./bench/programs.ts";
import { countCodes } from "./bench/rows.ts";
import { interruptible, runCommandLine } from "./command_line.ts";
import { MAX_ROWS } from "./generate_dne.ts";
import { parseNumber } from "./parse_number.ts";
import { run } from "./process.ts";
import { withTables } from "./markdown.ts";
import { ROOT } from "./root.ts";
import { balance } from "./scaling/balancer.ts";
import { drawChart } from "./scaling/chart.ts";
import { readConditions } from "./scaling/conditions.ts";
import { measureCosts } from "./scaling/measure_costs.ts";
import {
  measureConnections,
  measureRecords,
} from "./scaling/measure_growth.ts";
import { measurePair } from "./scaling/measure_pair.ts";
import { measureSwaps } from "./scaling/measure_swaps.ts";
import type { Measurements } from "./scaling/measurements.ts";
import { measureRemoteSwaps, Primary, remoteWays } from "./scaling/remote.ts";
import { serveSite } from "./scaling/site.ts";
import { scalingTables } from "./scaling/tables.ts";
import { LOCAL_WAYS } from "./scaling/ways.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

/** Files of the documentation. */
const MEASUREMENTS = `${ROOT}docs/scaling.json`;
const CHART = `${ROOT}docs/scaling.svg`;
const DOCUMENT = `${ROOT}docs/scaling.md`;

/** Sections, in order. */
const SECTIONS: Readonly<
  Record<string, (programs: Programs) => Promise<Partial<Measurements>>>
> = {
  costs: async (programs) => {
    await using stack = new AsyncDisposableStack();
    const ways = {
      ...LOCAL_WAYS,
      ...remoteWays(new Primary(programs, stack)),
      balancer: balance,
      site: serveSite,
    };
    const database = await programs.imported();
    return { costs: await measureCosts(programs, database, ways) };
  },
  records: async (programs) => ({ records: await measureRecords(programs) }),
  connections: async (programs) => ({
    connections: await measureConnections(programs, await programs.imported()),
  }),
  pair: async (programs) => ({
    pair: await measurePair(programs, await programs.imported()),
  }),
  swaps: async (programs) => ({
    swaps: [
      ...await measureSwaps(programs),
      ...await measureRemoteSwaps(programs),
    ],
  }),
};
const LIST = Object.keys(SECTIONS).join(",");

/** Programs that are needed, with their options that print the version. */
const TOOLS = {
  wrk: "--version",
  sqlite3: "--version",
  nginx: "-v",
  gzip: "--version",
};

const MIN_ROWS = 10_000;
const MOST_ROWS = Math.floor(MAX_ROWS / LARGE);

const USAGE = `Usage: scaling.ts [measure | chart] [options]

measure (the default) measures the processor time, memory and response times of
lookups on this machine, by kind of server, number of records and connections,
for two instances under one load, and during a change of the release. chart
draws docs/scaling.svg, and writes the tables of docs/scaling.md. Only Linux reports the processor time of other processes.
The exit code is 1 for a failure, 2 for an invalid argument or a missing
program, 130 if interrupted.

Options:
  --rows N       street rows, ${MIN_ROWS} to ${MOST_ROWS} (default 1000000)
  --turns N      loads of each case (default 5)
  --seconds N    duration of a load (default 5)
  --only LIST    some of ${LIST}
                 (default: all); other sections of FILE stay as they are
  --out FILE     measurements in JSON (default docs/scaling.json)
  --folder PATH  folder for generated data, to use it again
  --help         show this text
`;

/** Parsed arguments. */
interface Plan {
  readonly rows: number;
  readonly pairs: number;
  readonly seconds: number;
  readonly only: readonly string[];
  readonly out: string;
  readonly folder: string | undefined;
  readonly verb: "measure" | "chart";
}

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If an argument is invalid.
 */
export function parsePlan(args: string[]): Plan | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rows: { type: "string", default: "1000000" },
      turns: { type: "string", default: "5" },
      seconds: { type: "string", default: "5" },
      only: { type: "string", default: LIST },
      out: { type: "string", default: MEASUREMENTS },
      folder: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const [verb = "measure", ...more] = positionals;
  if (more.length > 0 || (verb !== "measure" && verb !== "chart")) {
    const words = positionals.join(" ");
    throw new TypeError(`The verb must be measure or chart, not "${words}"`);
  }
  const only = values.only.split(",");
  const unknown = only.find((name) => !Object.hasOwn(SECTIONS, name));
  if (unknown !== undefined) {
    throw new TypeError(`--only must list some of ${LIST}, not "${unknown}"`);
  }
  return {
    rows: parseNumber("--rows", values.rows, MIN_ROWS, MOST_ROWS),
    pairs: parseNumber("--turns", values.turns, 1, 100),
    seconds: parseNumber("--seconds", values.seconds, 1, 600),
    only,
    out: values.out,
    folder: values.folder,
    verb,
  };
}

/** Formats a value like `deno fmt`, with short lists of numbers on one line. */
function toJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replace(
    /\[\s+([\d.,e\s-]+?)\s+\]/g,
    (all, items) => {
      const line = `[${items.replace(/\s+/g, " ")}]`;
      return line.length < 60 ? line : all;
    },
  );
  return `${json}\n`;
}

/** Runs the sections, and writes their figures after each. */
async function measure(plan: Plan, programs: Programs): Promise<void> {
  const { file } = await programs.imported();
  const codes = await countCodes(programs, file);
  const conditions = await readConditions(plan, codes);
  let measurements: Partial<Measurements> = { conditions };
  const isPart = plan.only.length < Object.keys(SECTIONS).length;
  if (isPart && existsSync(plan.out)) {
    const before: Measurements = JSON.parse(await Deno.readTextFile(plan.out));
    const same = ["rows", "codes", "cores"] as const;
    if (same.some((it) => before.conditions[it] !== conditions[it])) {
      throw new Error(
        `Cannot add to "${plan.out}": it has other rows or cores`,
      );
    }
    measurements = { ...before, conditions };
  }
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (!plan.only.includes(name)) continue;
    measurements = { ...measurements, ...await section(programs) };
    await Deno.writeTextFile(plan.out, toJson(measurements));
  }
}

/** Formats an image as the repository has its files. */
export function formatted(svg: string): Promise<string> {
  return run([Deno.execPath(), "fmt", "--ext", "svg", "-"], {
    input: svg,
    cwd: ROOT,
  });
}

/** Draws the chart, and writes the tables of the document. */
async function writeFigures(file: string): Promise<void> {
  const measurements: Measurements = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(CHART, await formatted(drawChart(measurements)));
  const text = await Deno.readTextFile(DOCUMENT);
  const tables = scalingTables(measurements);
  await Deno.writeTextFile(DOCUMENT, withTables(text, tables));
}

/** Measures, or draws the chart. Returns the exit code. */
async function execute(plan: Plan): Promise<number> {
  if (plan.verb === "chart") {
    await writeFigures(plan.out);
    return 0;
  }
  const missing = await findMissing(TOOLS);
  if (missing !== undefined) {
    console.error(missing);
    return 2;
  }
  warnIfBusy();
  clearSettings();
  using temporary = new TemporaryFolder("cep-scaling");
  const folder = plan.folder ?? temporary.path;
  await Deno.mkdir(folder, { recursive: true });
  return await interruptible(async (signal) => {
    await measure(plan, new Programs(plan, folder, signal));
    return 0;
  });
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
