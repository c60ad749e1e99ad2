/**
 * Measures speed, memory and size of the modules. Figures of different machines do not
 * compare, so that most limits are ratios of two things measured in turns in one
 * run.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Data, LARGE, prepareData } from "./bench/data.ts";
import { formatSection, type Section, TABLE_HEAD } from "./bench/figures.ts";
import { benchFile } from "./bench/file.ts";
import { benchImport } from "./bench/import.ts";
import { benchLookup } from "./bench/lookup.ts";
import { benchMemory } from "./bench/memory.ts";
import { endAll, findMissing } from "./bench/processes.ts";
import { benchResident } from "./bench/resident.ts";
import { benchServing } from "./bench/serve.ts";
import { benchSize } from "./bench/size.ts";
import { benchStall } from "./bench/stall.ts";
import { benchStart } from "./bench/start.ts";
import { benchToken } from "./bench/token.ts";
import { MAX_ROWS } from "./generate_dne.ts";
import { parseNumber } from "./parse_number.ts";

const TOOLS = ["wrk", "sqlite3"];

/** The parts of the bench, each of which can be run alone. */
const SECTIONS = [
  "token",
  "size",
  "import",
  "memory",
  "serve",
  "resident",
  "start",
  "lookup",
  "stall",
  // Imports once more into the database that the others read.
  "file",
] as const;

/** Name of a part. */
export type SectionName = typeof SECTIONS[number];

/** Parts that run in this process alone. */
const WITHOUT_TOOLS: readonly SectionName[] = ["token", "size"];

/** Fewer codes are too few to be drawn from, and for a client each. */
const FEWEST_ROWS = 10_000;

/** More cannot be generated for the largest of the imports. */
const MOST_ROWS = Math.floor(MAX_ROWS / LARGE);

const USAGE = `Usage: bench.ts [options]

Measures token calls and bundles beside other libraries; imports of generated
directories beside the sqlite3 shell; lookups beside servers that do less;
memory, files and stalls. All but ${WITHOUT_TOOLS.join(" and ")} need ${
  TOOLS.join(" and ")
}; with
taskset, a server and its load get a processor each. Limits that are missed are
only reported, because machines differ. The exit status is 1 for wrong or failed
answers and 2 for arguments that cannot be used.

Options:
  --rows N       street rows, ${FEWEST_ROWS} to ${MOST_ROWS} (default 1000000)
  --pairs N      times each pair is measured (default 3)
  --seconds N    duration of each run of wrk (default 5)
  --only LIST    some of ${SECTIONS.join(",")}
                 (default: all)
  --help         show this text
`;

/** What is to be measured and how thoroughly. */
export interface Plan {
  /** Street rows of the generated directory. */
  readonly rows: number;
  /** Times each pair is measured. */
  readonly pairs: number;
  /** Duration of each run of wrk. */
  readonly seconds: number;
  /** The sections to be run. */
  readonly only: readonly SectionName[];
}

/** What the arguments ask for. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "mistake"; readonly message: string }
  | { readonly kind: "measure"; readonly plan: Plan };

/** Reads the arguments; mistakes are returned, not thrown. */
export function parseCommand(args: string[]): Command {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rows: { type: "string", default: "1000000" },
        pairs: { type: "string", default: "3" },
        seconds: { type: "string", default: "5" },
        only: { type: "string", default: SECTIONS.join(",") },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const plan: Plan = {
      rows: parseNumber("--rows", values.rows, FEWEST_ROWS, MOST_ROWS),
      pairs: parseNumber("--pairs", values.pairs, 1, 100),
      seconds: parseNumber("--seconds", values.seconds, 1, 600),
      only: values.only.split(",").map(parseSection),
    };
    return { kind: "measure", plan };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "mistake", message: error.message };
  }
}

function parseSection(text: string): SectionName {
  const section = SECTIONS.find((name) => name === text);
  if (section !== undefined) return section;
  throw new TypeError(`--only must list ${SECTIONS.join(",")}, not "${text}"`);
}

/** Runs the sections in their order and prints each as soon as it is done. */
async function measure(plan: Plan, directory: string): Promise<void> {
  let prepared: Promise<Data> | undefined;
  const data = () => prepared ??= prepareData(directory, plan.rows);
  const sections: Record<SectionName, () => Promise<Section>> = {
    token: () => benchToken(plan),
    size: () => benchSize(),
    import: async () => benchImport(await data(), plan),
    memory: () => benchMemory(directory, plan),
    serve: async () => benchServing(await data(), plan),
    resident: async () => benchResident(await data(), plan),
    start: async () => benchStart(await data()),
    lookup: async () => benchLookup(await data(), plan),
    stall: () => benchStall(directory, plan),
    file: async () => benchFile(await data()),
  };
  console.log(TABLE_HEAD);
  for (const name of SECTIONS) {
    if (!plan.only.includes(name)) continue;
    console.log(formatSection(await sections[name]()));
  }
}

/** Load average above which the processors are not free for the bench. */
const BUSY = 0.5;

function warnIfBusy(): void {
  const [load = 0] = Deno.loadavg();
  if (load < BUSY) return;
  console.error(
    `The machine has other work (load ${
      load.toFixed(2)
    }), which distorts the ` +
      "ratios: a server and wrk need a processor each",
  );
}

/** Measures in a directory of its own and tells the exit status. */
async function run(plan: Plan): Promise<number> {
  const directory = await Deno.makeTempDir({ prefix: "cep-bench-" });
  let interrupted = false;
  // Whatever waits for one of the processes then fails, and ends up below.
  const interrupt = () => {
    interrupted = true;
    endAll();
  };
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    warnIfBusy();
    await measure(plan, directory);
    return interrupted ? 130 : 0;
  } catch (error) {
    if (interrupted) return 130;
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await endAll();
    await Deno.remove(directory, { recursive: true });
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

/** Runs the command line and returns the exit status. */
export async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.kind === "help") {
    console.log(USAGE);
    return 0;
  }
  if (command.kind === "mistake") {
    console.error(`${command.message}\n\n${USAGE}`);
    return 2;
  }
  const needsTools = command.plan.only
    .some((name) => !WITHOUT_TOOLS.includes(name));
  const missing = needsTools ? await findMissing(TOOLS) : [];
  if (missing.length > 0) {
    console.error(
      `Cannot find ${missing.join(" and ")}: apt-get install ${
        TOOLS.join(" ")
      }`,
    );
    return 2;
  }
  return await run(command.plan);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
