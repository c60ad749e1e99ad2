import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCensus } from "../cep/import/cnefe/read_census.ts";
import {
  type Agreement,
  agreementPercent,
} from "../cep/import/compare/agreement.ts";
import { compareRelease } from "../cep/import/compare/compare_release.ts";
import { seed as importBoth } from "../cep/import/seed.ts";
import { openStore } from "../cep/store/mod.ts";
import { runCommandLine } from "./command_line.ts";
import {
  compareWithTruth,
  isComplete,
  type TruthAgreement,
} from "./evaluate_census/compare_with_truth.ts";
import { MAX_ROWS, writeCensus } from "./generate_cnefe.ts";
import { Truth } from "./generate_cnefe/truth.ts";
import {
  MAX_ROWS as MAX_STREETS,
  MIN_ROWS as MIN_STREETS,
  writeDirectory,
} from "./generate_dne.ts";
import { parseNumber } from "./parse_number.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: evaluate_census.ts [options]

Generates a DNE and a CNEFE that belong together, reads the CNEFE, imports both,
and prints how many CEPs agree. The exit code is 1 if the reader finds anything
other than what was generated, 2 for an invalid argument.

Options:
  --rows N       rows of the CNEFE (default 300000)
  --streets N    street rows of the DNE (default 20000)
  --seed N       another seed gives another pair (default 7)
  --help         show this text
`;

/** Parsed command line. */
interface Plan {
  readonly rows: number;
  readonly streets: number;
  readonly seed: number;
}

/** Agreement of a generated pair. */
export interface PairAgreement {
  /** Rows of the CNEFE that were read in a second. */
  readonly rowsPerSecond: number;
  /** Agreement of the reader with the generator. */
  readonly reader: TruthAgreement;
  /** CEPs of the generator by their relation to the DNE. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Agreement of the CNEFE with the DNE. */
  readonly sources: Agreement;
}

/** Reads the arguments; returns `undefined` for `--help`. */
function parsePlan(args: string[]): Plan | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "300000" },
      streets: { type: "string", default: "20000" },
      seed: { type: "string", default: "7" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const { rows, streets, seed } = values;
  return {
    rows: parseNumber("--rows", rows, 1, MAX_ROWS),
    streets: parseNumber("--streets", streets, MIN_STREETS, MAX_STREETS),
    seed: parseNumber("--seed", seed, 0, 2 ** 32 - 1),
  };
}

/** Generates a pair, imports it and compares. */
export async function evaluatePair(
  { rows, streets, seed }: Plan,
): Promise<PairAgreement> {
  using folder = new TemporaryFolder("census");
  const dne = join(folder.path, "dne");
  const cnefe = join(folder.path, "cnefe");
  const truth = new Truth();
  writeDirectory(dne, { rows: streets, seed });
  writeCensus(cnefe, { rows, streets, seed }, { zip: true, truth });
  const data = await readCensus({ paths: [cnefe] });
  const reader = compareWithTruth(data.rows(), truth.codes());
  const kinds: Record<string, number> = { missing: truth.missing.length };
  for (const { kind } of truth.codes()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    rowsPerSecond: Math.round(rows / data.report.milliseconds * 1000),
    reader,
    kinds,
    sources: await compareSources(join(folder.path, "db"), dne, cnefe),
  };
}

async function compareSources(
  database: string,
  dne: string,
  cnefe: string,
): Promise<Agreement> {
  const store = await openStore({
    path: database,
    snapshot: false,
    search: false,
  });
  try {
    await importBoth({ store, directory: dne, cnefe: [cnefe] });
    const dump = await store.dump();
    if (dump === undefined) throw new Error("Cannot compare: nothing imported");
    const { total } = await compareRelease(
      { records: dump.pages, census: dump.census },
      () => Promise.resolve(),
    );
    return total;
  } finally {
    await store.close();
  }
}

async function run(plan: Plan): Promise<number> {
  const { reader, kinds, rowsPerSecond, sources } = await evaluatePair(plan);
  const { codes, differences, ties } = reader;
  console.log(`Read ${rowsPerSecond} rows a second.\n`);
  console.log(`Reader and generator agree, of ${codes} CEPs (${ties} ties):`);
  for (
    const name of ["municipality", "addresses", "streets", "street"] as const
  ) {
    const percent = (100 * reader[name] / codes).toFixed(2);
    console.log(`  ${name.padEnd(14)}${percent} %`);
  }
  console.log("\nCEPs of the CNEFE as generated:", kinds);
  console.log("\nCNEFE and DNE as imported:", sources);
  console.log(`\nOf the CEPs of both, ${agreementPercent(sources)} % agree.`);
  for (const difference of differences) console.error(difference);
  return isComplete(reader) ? 0 : 1;
}

if (import.meta.main) {
  Deno.exit(
    await runCommandLine(Deno.args, { usage: USAGE, parse: parsePlan, run }),
  );
}
