/**
 * Simulates instances of the service behind a balancer, with the measurements
 * of `docs/scaling.json`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { runCommandLine } from "./command_line.ts";
import { parseNumber } from "./parse_number.ts";
import { ROOT } from "./root.ts";
import type { Measurements } from "./scaling/measurements.ts";
import { withTables } from "./markdown.ts";
import { casesTable, useTable } from "./scaling/scenarios.ts";

const MEASUREMENTS = `${ROOT}docs/scaling.json`;
const DOCUMENT = `${ROOT}docs/scaling.md`;

const USAGE = `Usage: simulate_scaling.ts [options]

Simulates instances at several rates: without faults, with the loss of one, and
with a new release; then response times by the use of eight instances. The same
measurements give the same figures. The exit code is 1 for a failure, 2 for an
invalid argument.

Options:
  --rates LIST   requests per second, each from 1 to 2000000
                 (default 1000,100000,1000000)
  --from FILE    measurements of scaling.ts (default docs/scaling.json)
  --write        write the tables into docs/scaling.md, too
  --help         show this text
`;

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If an argument is invalid.
 */
export function parsePlan(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      rates: { type: "string", default: "1000,100000,1000000" },
      from: { type: "string", default: MEASUREMENTS },
      write: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { help, rates, from, write } = values;
  if (help) return undefined;
  return {
    rates: rates.split(",").map((it) => parseNumber("--rates", it, 1, 2e6)),
    from,
    write,
  };
}

/** Arguments of a run. */
type Plan = NonNullable<ReturnType<typeof parsePlan>>;

/** Prints the tables of the simulation. Returns the exit code. */
async function execute({ rates, from, write }: Plan): Promise<number> {
  const measurements: Measurements = JSON.parse(await Deno.readTextFile(from));
  const tables = {
    use: useTable(measurements),
    cases: casesTable(measurements, rates),
  };
  console.log(Object.values(tables).join("\n\n"));
  if (write) {
    const text = await Deno.readTextFile(DOCUMENT);
    await Deno.writeTextFile(DOCUMENT, withTables(text, tables));
  }
  return 0;
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
