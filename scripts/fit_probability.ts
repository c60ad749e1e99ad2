import { parseArgs } from "node:util";
import { connectImmutable } from "../cep/release/local_connection.ts";
import { loadParts } from "../cep/release/release_parts.ts";
import { AddressReader } from "../cep/search/reading/address_reader.ts";
import {
  COEFFICIENTS,
  type Feature,
  featuresOf,
  sharesOf,
} from "../cep/search/reading/probability.ts";
import { SearchIndex } from "../cep/search/search_index.ts";
import { MAX_CANDIDATES, sameStreetOf } from "../cep/search/search.ts";
import { Stretches } from "../cep/search/stretches.ts";
import { parseNumber, runCommandLine } from "./command_line.ts";
import { readDirectory } from "./evaluate_search/directory.ts";
import {
  chooseHeldOut,
  copyWithout,
  HELD_OUT_PERCENT,
  heldOutQuestions,
} from "./evaluate_search/held_out.ts";
import {
  type AddressQuestion,
  addressQuestions,
} from "./evaluate_search/kinds.ts";
import { openSeeded } from "./evaluate_search/service.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: fit_probability.ts [options] DNE

Prints coefficients of the probability that an address's record is right, fitted
on questions of "deno task evaluate" with another seed, among them those about
streets that the directory lacks.

Options:
  --count N  questions of each kind (default 150)
  --seed N   (default 1009)
  --help     show this text
`;

/** Steps to the best coefficients, and the pull to those of today. */
const STEPS = 50;
const DECAY = 1e-4;

/**
 * Features of which the questions tell too little: they have no street of another
 * type and no words of a chat, and misspell less than people do.
 */
const KEPT: readonly Feature[] = [
  "constant",
  "name",
  "type",
  "otherRest",
  "otherCity",
  "noCity",
  "otherState",
  "otherNumber",
  "location",
  "identifier",
];

const NAMES = Object.keys(COEFFICIENTS) as Feature[];

interface Plan {
  readonly directory: string;
  readonly count: number;
  readonly seed: number;
}

interface Example {
  readonly features: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

function parsePlan(args: string[]): Plan | undefined {
  const { values, positionals: [directory] } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: "string", default: "150" },
      seed: { type: "string", default: "1009" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  if (directory === undefined) throw new TypeError("DNE is missing");
  return {
    directory,
    count: parseNumber("--count", values.count, 1, 100_000),
    seed: parseNumber("--seed", values.seed, 0, 2 ** 32 - 1),
  };
}

/** Asks for streets of a DNE, and for some without which it was imported. */
async function listExamples({ directory: folder, ...options }: Plan) {
  using parts = new TemporaryFolder("fit-probability");
  const [full, rest] = [`${parts.path}/full`, `${parts.path}/rest`];
  const store = await openSeeded({ directory: folder }, full);
  const directory = await readDirectory(folder, store);
  await store.close();
  const heldOut = chooseHeldOut(directory, options.seed);
  copyWithout(heldOut, folder, `${parts.path}/dne`);
  await openSeeded({ directory: `${parts.path}/dne` }, rest)
    .then((store) => store.close());
  const others = [...heldOutQuestions(directory, heldOut, options)];
  const questions = [...addressQuestions(directory, options)];
  const share = HELD_OUT_PERCENT / (100 - HELD_OUT_PERCENT);
  return [
    ...await readAll(full, questions, 1),
    ...await readAll(rest, others, share * questions.length / others.length),
  ];
}

async function readAll(
  path: string,
  questions: readonly AddressQuestion[],
  weight: number,
): Promise<Example[]> {
  const connection = await connectImmutable(`${path}/cep.db`);
  const index = new SearchIndex(await loadParts(connection, "busca"));
  const reader = new AddressReader(index, new Stretches(index.arrays));
  const examples: Example[] = [];
  for (const { body, hasNone, isAnswer } of questions) {
    const { endereco: text = "", ...parts } = body;
    const { found } = reader.read({ text, parts }, { limit: MAX_CANDIDATES });
    const [best] = found;
    if (best === undefined) continue;
    const shares = sharesOf(found, sameStreetOf(index));
    // Coefficients do not tell the CEPs of a street apart.
    if (shares.cep < 0.8) continue;
    const features = featuresOf(best, shares.street);
    const cep = String(index.arrays.ceps[best.record]).padStart(8, "0");
    examples.push({
      features: NAMES.map((name) => features[name]),
      isRight: !hasNone && isAnswer(cep),
      weight,
    });
  }
  connection.close();
  return examples;
}

/** Returns the coefficients with the least logistic loss, by Newton's method. */
function fit(examples: readonly Example[]): number[] {
  const known = NAMES.map((name): number => COEFFICIENTS[name]);
  const pulls = NAMES.map((name) => KEPT.includes(name) ? 1 : DECAY);
  const coefficients = [...known];
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = coefficients.map((it, i) => pulls[i]! * (it - known[i]!));
    const slopes = NAMES.map((_, i) =>
      NAMES.map((_, j) => i === j ? pulls[i]! : 0)
    );
    for (const { features, isRight, weight } of examples) {
      const sum = features.reduce(
        (sum, it, i) => sum + it * coefficients[i]!,
        0,
      );
      const likely = 1 / (1 + Math.exp(-sum));
      const share = weight / total;
      features.forEach((one, i) => {
        gradient[i]! += share * (likely - Number(isRight)) * one;
        features.forEach((other, j) => {
          slopes[i]![j]! += share * likely * (1 - likely) * one * other;
        });
      });
    }
    solve(slopes, gradient).forEach((it, i) => coefficients[i]! -= it);
  }
  return coefficients;
}

/** Solves linear equations, whose matrix is positive definite. */
function solve(matrix: number[][], values: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, values[i]!]);
  rows.forEach((row, i) => {
    const scale = row[i]!;
    for (let k = i; k < row.length; k++) row[k]! /= scale;
    rows.forEach((other, j) => {
      const factor = other[i]!;
      if (i === j || factor === 0) return;
      for (let k = i; k < row.length; k++) other[k]! -= factor * row[k]!;
    });
  });
  return rows.map((row) => row.at(-1)!);
}

async function execute(plan: Plan): Promise<number> {
  const examples = await listExamples(plan);
  const right = examples.filter(({ isRight }) => isRight).length;
  console.log(`${examples.length} examples, ${right} right`);
  fit(examples).forEach((coefficient, i) => {
    console.log(`  ${NAMES[i]}: ${coefficient.toFixed(2)},`);
  });
  return 0;
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
