import type { CensusRow, CensusStreet } from "../cep/record/census.ts";
import { unaccent } from "./generate_dne/names.ts";
import { type CodeFacts, Truth } from "./generate_cnefe/truth.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCensus } from "../cep/import/cnefe/read_census.ts";
import {
  type Agreement,
  agreementPercent,
  compareRelease,
} from "../cep/import/compare/compare_release.ts";
import { seed as importBoth } from "../cep/import/seed.ts";
import { openStore } from "../cep/store/mod.ts";
import { parseNumber, runCommandLine } from "./command_line.ts";
import { MAX_ROWS, writeCensus } from "./generate_cnefe.ts";
import {
  MAX_ROWS as MAX_STREETS,
  MIN_ROWS as MIN_STREETS,
  writeDirectory,
} from "./generate_dne.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

/** Number of CEPs that agree. */
interface TruthAgreement {
  /** CEPs that were written. */
  codes: number;
  /** CEPs that were read. */
  read: number;
  /** CEPs in the same municipality. */
  municipality: number;
  /** CEPs with the same number of addresses. */
  addresses: number;
  /** CEPs with the same number of streets. */
  streets: number;
  /** CEPs with the same most frequent street, or one of equally frequent. */
  street: number;
  /** CEPs of which several streets or municipalities are equally frequent. */
  ties: number;
  /** First differences. */
  readonly differences: string[];
}

const MAX_DIFFERENCES = 10;

/** Compares the rows that were read with the facts. */
export function compareWithTruth(
  rows: Iterable<readonly CensusRow[]>,
  truth: Iterable<CodeFacts>,
): TruthAgreement {
  const read = new Map<string, CensusRow>();
  for (const batch of rows) for (const row of batch) read.set(row.cep, row);
  const agreement: TruthAgreement = {
    codes: 0,
    read: read.size,
    municipality: 0,
    addresses: 0,
    streets: 0,
    street: 0,
    ties: 0,
    differences: [],
  };
  for (const facts of truth) {
    agreement.codes++;
    if (facts.isTie) agreement.ties++;
    const row = read.get(facts.cep);
    const street = row?.streets[0];
    const isSame = {
      municipality: row?.ibge === facts.ibge,
      addresses: row?.addresses === facts.addresses,
      streets: row?.streetCount === facts.streets,
      street: (facts.isTie && street?.addresses === facts.streetAddresses) ||
        row !== undefined && writtenOf(street) === facts.street,
    };
    for (const [name, same] of Object.entries(isSame)) {
      if (same) agreement[name as keyof typeof isSame]++;
    }
    const differs = !Object.values(isSame).every(Boolean);
    const { differences } = agreement;
    if (differs && differences.length < MAX_DIFFERENCES) {
      differences.push(`${JSON.stringify(facts)}\n  ${JSON.stringify(row)}`);
    }
  }
  return agreement;
}

/** True if everything agrees. */
export function isComplete(agreement: TruthAgreement): boolean {
  const { codes, read, municipality, addresses, streets, street } = agreement;
  return [read, municipality, addresses, streets, street]
    .every((count) => count === codes);
}

/** Writes a street as the files do. */
function writtenOf(street: CensusStreet | undefined): string {
  if (street === undefined) return "";
  return unaccent(`${street.type} ${street.name}`).toUpperCase()
    .replaceAll("'", " ").trim();
}

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
interface PairAgreement {
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
