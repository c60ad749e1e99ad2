/**
 * Measures the share of streets that the search finds, asked for as written,
 * abbreviated, half typed and misspelt, and the share of numbers with the right
 * CEP. It reads any DNE, so that it can run by hand over a real one.
 *
 * @module
 */
import { seed } from "@carteiro/cep/seed";
import { openStore, type Store } from "@carteiro/cep/store";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { runCommandLine } from "./command_line.ts";
import { type Kind, KINDS, type Question } from "./evaluate_search/kinds.ts";
import { drawSubjects, type Subjects } from "./evaluate_search/subjects.ts";
import { Random } from "./generate_dne/random.ts";
import { parseNumber } from "./parse_number.ts";
import { ROOT } from "./root.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: evaluate_search.ts [options] [DNE]

Imports a DNE, asks the search for random streets of it in several ways, and
prints the percentage found among the first ten results. DNE is the folder of
its text files (default: samples/dne). The exit code is 1 if a goal is missed or
the DNE cannot be imported, 2 for an invalid argument.

Options:
  --count N      questions of each kind (default 1000)
  --seed N       another seed draws other streets (default 7)
  --misses N     misses to print of each kind (default 3)
  --database DB  folder of the database, kept for the next run; imports only if
                 it is empty
  --cnefe PATH   import this CNEFE in place of the DNE, which only asks the
                 questions; without goals
  --help         show this text
`;

/** Number of results among which a street counts as found. */
const LIMIT = 10;

/** Parsed command line. */
interface Plan {
  readonly directory: string;
  readonly count: number;
  readonly seed: number;
  readonly misses: number;
  readonly database: string | undefined;
  /** Path of the CNEFE to search, in place of the DNE. */
  readonly cnefe: string | undefined;
}

/** Question without its answer among the first results. */
interface Miss {
  readonly question: Question;
  /** First results. */
  readonly got: readonly string[];
}

/** Reads the arguments; returns `undefined` for `--help`. */
function parsePlan(args: string[]): Plan | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: "string", default: "1000" },
      seed: { type: "string", default: "7" },
      misses: { type: "string", default: "3" },
      database: { type: "string" },
      cnefe: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const [directory = `${ROOT}samples/dne`, ...more] = positionals;
  if (more.length > 0) {
    throw new TypeError(`"${more[0]}" is one argument too many`);
  }
  return {
    directory,
    count: parseNumber("--count", values.count, 1, 1_000_000),
    seed: parseNumber("--seed", values.seed, 0, 2 ** 32 - 1),
    misses: parseNumber("--misses", values.misses, 0, 1000),
    database: values.database,
    cnefe: values.cnefe,
  };
}

/** Opens the database, and imports the DNE or the CNEFE if it is empty. */
async function openSeeded(
  { directory, cnefe }: Plan,
  path: string,
): Promise<Store> {
  const store = await openStore({ path });
  if (await store.release() !== undefined) return store;
  // Even a sample whose streets refer to localities outside it.
  const tolerance = { maxRejectedPercent: 100, maxDanglingPercent: 100 };
  const source = cnefe === undefined ? { directory } : { cnefe };
  await seed({ ...source, store, ...tolerance });
  // A release is noticed within a second.
  while (await store.release() === undefined) await delay(10);
  return store;
}

/** Asks all questions of a kind, and prints the result. */
async function evaluate(
  store: Store,
  subjects: Subjects,
  [name, kind]: [string, Kind],
  plan: Plan,
): Promise<boolean> {
  const random = new Random(plan.seed, name);
  const misses: Miss[] = [];
  let asked = 0;
  for (const subject of subjects[kind.of]) {
    const question = kind.ask(subject, random);
    if (question === undefined) continue;
    asked++;
    const page = await store.search({ ...question.query, limit: LIMIT });
    const got = page?.data.map(({ json }) => JSON.parse(json)) ?? [];
    const among = kind.first ? got.slice(0, 1) : got;
    if (among.some((record) => question.isAnswer(record))) continue;
    misses.push({ question, got: got.slice(0, 3).map(describe) });
  }
  const share = asked === 0 ? 100 : 100 * (asked - misses.length) / asked;
  const least = plan.cnefe === undefined ? kind.goal : undefined;
  const isMet = least === undefined || share >= least;
  const goal = least === undefined
    ? ""
    : `at least ${least} %: ${isMet ? "met" : "MISSED"}`;
  const figures = [`${asked}`.padStart(8), `${share.toFixed(1)} %`.padStart(9)];
  console.log([name.padEnd(28), ...figures, ` ${goal}`].join(" "));
  for (const { question, got } of misses.slice(0, plan.misses)) {
    console.log(`    ${JSON.stringify(question.query)}`);
    console.log(`      not ${describe(question.record)}`);
    console.log(`      but ${got.join("; ") || "nothing"}`);
  }
  return isMet;
}

function describe(record: Question["record"]): string {
  const { cep, logradouro, complemento, bairro, cidade, uf } = record;
  const street = [logradouro, complemento].filter(Boolean).join(" ");
  return `${cep} ${street}, ${bairro}, ${cidade}/${uf}`;
}

/** Runs the evaluation. Returns the exit code. */
async function execute(plan: Plan): Promise<number> {
  return await evaluateAll(plan) ? 0 : 1;
}

/** Asks all questions; returns true if every goal is met. */
async function evaluateAll(plan: Plan): Promise<boolean> {
  using folder = new TemporaryFolder("evaluate-search");
  const store = await openSeeded(plan, plan.database ?? folder.path);
  try {
    const { directory, count } = plan;
    const random = new Random(plan.seed, "subjects");
    const subjects = await drawSubjects(directory, store, { count, random });
    let isMet = true;
    for (const kind of Object.entries(KINDS)) {
      isMet = await evaluate(store, subjects, kind, plan) && isMet;
    }
    return isMet;
  } finally {
    await store.close();
  }
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
