/**
 * Measures what the service makes of searches and addresses as people write
 * them: the share that is right, and the truth of the scores. It reads any DNE,
 * so that it can run by hand over a real one.
 */
import { parseArgs } from "node:util";
import { parseNumber, runCommandLine } from "./command_line.ts";
import { type Directory, readDirectory } from "./evaluate_search/directory.ts";
import {
  chooseHeldOut,
  copyWithout,
  heldOutQuestions,
} from "./evaluate_search/held_out.ts";
import {
  ADDRESS_KINDS,
  addressQuestions,
  exactQuestions,
  PARTS_EXACT,
  type QuestionOptions,
  SEARCH_KINDS,
  searchQuestions,
} from "./evaluate_search/kinds.ts";
import {
  askAddresses,
  evaluateAddresses,
  evaluateParts,
  evaluateSearches,
  formatMisses,
  formatTable,
  type Goal,
  type Outcome,
} from "./evaluate_search/report.ts";
import { openSeeded, Service } from "./evaluate_search/service.ts";
import { ROOT } from "./root.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: evaluate_search.ts [options] [DNE]

Imports a DNE, asks the service for random records of it as people write them,
and prints the share of right answers. Then imports it again without some of its
streets, and asks for these. DNE is the folder of its text files
(default: samples/dne). The exit code is 1 if a goal is missed or the DNE cannot
be imported, 2 for an invalid argument.

Options:
  --count N      questions of each kind (default 60)
  --seed N       another seed asks for other records (default 7)
  --only PART    only this part: searches, addresses, or parts (exact rows)
  --kind NAME    only this kind of questions; without goals
  --misses N     misses to print of each kind (default 0)
  --cnefe PATH   import this CNEFE in place of the DNE, which only adds what no
                 record has; only searches, without goals
  --help         show this text
`;

/** Kinds of each part. */
const KINDS = {
  searches: Object.keys(SEARCH_KINDS),
  addresses: Object.keys(ADDRESS_KINDS),
  parts: [PARTS_EXACT],
};

type Part = keyof typeof KINDS;

const PART_NAMES = Object.keys(KINDS) as Part[];

/** Exact rows for each question of a kind. */
const EXACT_ROWS = 50;

/** Parsed command line. */
export interface Plan {
  readonly directory: string;
  readonly count: number;
  readonly seed: number;
  /** Parts to ask. */
  readonly parts: readonly Part[];
  readonly kind: string | undefined;
  readonly misses: number;
  /** Path of the CNEFE to search, in place of the DNE. */
  readonly cnefe: string | undefined;
}

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If they are wrong.
 */
export function parsePlan(args: string[]): Plan | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: "string", default: "60" },
      seed: { type: "string", default: "7" },
      only: { type: "string" },
      kind: { type: "string" },
      misses: { type: "string", default: "0" },
      cnefe: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const [directory = `${ROOT}samples/dne`, ...more] = positionals;
  if (more.length > 0) {
    throw new TypeError(`"${more[0]}" is one argument too many`);
  }
  const { cnefe, kind, only = cnefe && "searches" } = values;
  return {
    directory,
    count: parseNumber("--count", values.count, 1, 1_000_000),
    seed: parseNumber("--seed", values.seed, 0, 2 ** 32 - 1),
    parts: parseParts(only, kind),
    kind,
    misses: parseNumber("--misses", values.misses, 0, 100_000),
    cnefe,
  };
}

/** Returns the parts to ask, of which one must have the kind. */
function parseParts(
  only: string | undefined,
  kind: string | undefined,
): readonly Part[] {
  const parts = PART_NAMES.filter((part) =>
    only === undefined || part === only
  );
  if (parts.length === 0) {
    throw new TypeError(
      `--only must be one of ${PART_NAMES.join(", ")}, not "${only}"`,
    );
  }
  if (kind === undefined) return parts;
  const withKind = parts.filter((part) => KINDS[part].includes(kind));
  if (withKind.length > 0) return withKind;
  const kinds = parts.map((part) => `${part}: ${KINDS[part].join("; ")}`);
  throw new TypeError(
    `--kind must be one of these, not "${kind}":\n${kinds.join("\n")}`,
  );
}

/** Asks all questions, and passes the outcome of each part on. */
export async function evaluate(
  plan: Plan,
  onOutcome: (part: Part, outcome: Outcome) => void,
): Promise<void> {
  using folder = new TemporaryFolder("evaluate-search");
  const { cnefe } = plan;
  const store = await openSeeded(
    cnefe === undefined ? plan : { cnefe },
    folder.path,
  );
  try {
    const directory = await readDirectory(plan.directory, store);
    const service = new Service(store);
    const options = { seed: plan.seed, count: plan.count, only: plan.kind };
    const many = { ...options, count: EXACT_ROWS * plan.count };
    const evaluations = {
      searches: () =>
        evaluateSearches(service, [...searchQuestions(directory, options)]),
      addresses: async () =>
        evaluateAddresses(
          await askAddresses(service, directory, [
            ...addressQuestions(directory, options),
          ]),
          await askHeldOut(plan, directory, options),
        ),
      parts: async () =>
        evaluateParts(
          await askAddresses(service, directory, [
            ...exactQuestions(directory, many),
          ]),
        ),
    };
    for (const part of plan.parts) onOutcome(part, await evaluations[part]());
  } finally {
    await store.close();
  }
}

/** Asks for streets without which the DNE was imported. */
async function askHeldOut(
  plan: Plan,
  directory: Directory,
  options: QuestionOptions,
) {
  using folder = new TemporaryFolder("evaluate-held-out");
  const heldOut = chooseHeldOut(directory, plan.seed);
  const rest = `${folder.path}/dne`;
  copyWithout(heldOut, plan.directory, rest);
  const store = await openSeeded({ directory: rest }, `${folder.path}/data`);
  try {
    return await askAddresses(new Service(store), directory, [
      ...heldOutQuestions(directory, heldOut, options),
    ]);
  } finally {
    await store.close();
  }
}

/** Runs the evaluation. Returns the exit code. */
async function execute(plan: Plan): Promise<number> {
  const goals: Goal[] = [];
  await evaluate(plan, (_part, outcome) => {
    goals.push(...outcome.goals);
    for (const miss of formatMisses(outcome.misses, plan.misses)) {
      console.log(miss);
    }
    for (const table of outcome.tables) console.log(`${formatTable(table)}\n`);
    console.log(`${outcome.lines.join("\n")}\n`);
  });
  if (plan.cnefe !== undefined || plan.kind !== undefined) return 0;
  return printGoals(goals);
}

/** Prints the goals. Returns 1 if one is missed. */
function printGoals(goals: readonly Goal[]): number {
  for (const { name, measured, isMet } of goals) {
    console.log(`${isMet ? "met   " : "MISSED"}  ${name}; ${measured}`);
  }
  return goals.every(({ isMet }) => isMet) ? 0 : 1;
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
