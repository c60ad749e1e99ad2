/**
 * Measures speed, memory and size of the modules. Figures from different
 * machines are not comparable, so most limits are ratios of two cases that one
 * run measures in turn.
 */
import { SETTINGS } from "../cep/settings/config.ts";
import { Bench } from "./bench/harness.ts";
import * as imports from "./bench/imports.ts";
import * as lookups from "./bench/lookups.ts";
import { findMissing, LARGE } from "./bench/programs.ts";
import { benchMatch, benchSearch } from "./bench/searches.ts";
import { benchSize } from "./bench/sizes.ts";
import { benchToken } from "./bench/tokens.ts";
import { benchWaits } from "./bench/waits.ts";
import {
  interruptible,
  readOptions,
  runCommandLine,
  text,
  whole,
} from "./command_line.ts";
import { MAX_ROWS } from "./generate_dne.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

/** Sections, in order. */
const SECTIONS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  token: benchToken,
  size: benchSize,
  import: imports.benchImport,
  memory: imports.benchMemory,
  update: imports.benchUpdate,
  stall: imports.benchStall,
  serve: lookups.benchServing,
  node: lookups.benchNode,
  workers: lookups.benchWorkers,
  resident: lookups.benchResident,
  batch: lookups.benchBatch,
  search: benchSearch,
  waits: benchWaits,
  match: benchMatch,
};

/** Sections that need no other program. */
const ALONE = ["token", "size"];

const LIST = Object.keys(SECTIONS).join(",");

/** Minimum number of rows: a load needs as many CEPs as it has clients. */
const LEAST_ROWS = 10_000;
const MOST_ROWS = Math.floor(MAX_ROWS / LARGE);

const USAGE = `Usage: bench.ts [options]

Measures token calls and bundles, imports compared with the sqlite3 shell and
with updates, lookups compared with bare servers, with two threads and beside
searches, batches, searches compared with FTS5, matching, and memory. All
sections but token and size need wrk and sqlite3. With taskset, a server and its
load have a processor each. Limits are shown but not enforced, because machines
differ. The exit code is 1 for a failed response, 2 for an invalid argument or a
missing program, 130 if interrupted.

Options:
  --rows N       street rows, ${LEAST_ROWS} to ${MOST_ROWS} (default 1000000)
  --pairs N      number of turns per case (default 3)
  --seconds N    duration of each run of wrk (default 5)
  --only LIST    some of ${LIST}
                 (default: all)
  --help         show this text
`;

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If an argument is invalid.
 */
function parsePlan(args: string[]) {
  const found = readOptions(args, {
    rows: whole(LEAST_ROWS, MOST_ROWS, 1_000_000),
    pairs: whole(1, 100, 3),
    seconds: whole(1, 600, 5),
    only: text,
  });
  if (found === undefined) return undefined;
  const { values } = found;
  const only = (values.only ?? LIST).split(",");
  const unknown = only.find((name) => !Object.hasOwn(SECTIONS, name));
  if (unknown !== undefined) {
    throw new TypeError(`--only must list some of ${LIST}, not "${unknown}"`);
  }
  return { ...values, only };
}

/** Arguments of a run. */
type Plan = NonNullable<ReturnType<typeof parsePlan>>;

/** Runs the sections of a plan. Returns the exit code. */
async function execute(plan: Plan): Promise<number> {
  const { only } = plan;
  const missing = only.every((name) => ALONE.includes(name))
    ? undefined
    : await findMissing();
  if (missing !== undefined) {
    console.error(missing);
    return 2;
  }
  // They would affect servers.
  for (const { name, alias = name } of Object.values(SETTINGS)) {
    for (const variable of [name, alias]) Deno.env.delete(variable);
  }
  using folder = new TemporaryFolder("cep-bench");
  return await interruptible(async (signal) => {
    const bench = new Bench(plan, folder.path, signal);
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (only.includes(name)) await section(bench);
    }
    return 0;
  });
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
