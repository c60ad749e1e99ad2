import { seed } from "@carteiro/cep/seed";
import { openStore } from "@carteiro/cep/store";
import { parseArgs } from "node:util";
import {
  COEFFICIENTS,
  type Feature,
  featuresOf,
  sharesOf,
} from "../cep/search/reading/probability.ts";
import { AddressReader } from "../cep/search/reading/address_reader.ts";
import { MAX_CANDIDATES, sameStreetOf } from "../cep/search/search.ts";
import { Stretches } from "../cep/search/stretches.ts";
import { connectImmutable } from "../cep/release/local_connection.ts";
import { SearchIndex } from "../cep/search/search_index.ts";
import { loadParts } from "../cep/release/release_parts.ts";
import { parseNumber, runCommandLine } from "./command_line.ts";
import { Directory } from "./evaluate_search/directory.ts";
import { addressQuestions, exactQuestions } from "./evaluate_search/kinds.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: fit_probability.ts [options] DNE

Prints coefficients of the probability that an address's record is right, fitted
on questions of "deno task evaluate" with another seed.

Options:
  --count N  questions of each kind (default 150)
  --seed N   (default 1009)
  --help     show this text
`;

/** Steps of the descent, their size, and the pull of coefficients to zero. */
const STEPS = 4000;
const RATE = 0.5;
const DECAY = 1e-4;

const NAMES = Object.keys(COEFFICIENTS) as Feature[];

interface Plan {
  readonly directory: string;
  readonly count: number;
  readonly seed: number;
}

interface Example {
  readonly features: readonly number[];
  readonly isRight: boolean;
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

async function listExamples({ directory, ...options }: Plan) {
  using folder = new TemporaryFolder("fit-probability");
  const store = await openStore({ path: folder.path });
  const tolerance = { maxRejectedPercent: 100, maxDanglingPercent: 100 };
  await seed({ directory, store, ...tolerance });
  const records = new Directory(
    await Array.fromAsync(store.scan()).then(
      (batches) => batches.flat(),
    ),
  );
  await store.close();
  const connection = await connectImmutable(`${folder.path}/cep.db`);
  const index = new SearchIndex(await loadParts(connection, "busca"));
  const reader = new AddressReader(index, new Stretches(index.arrays));
  const examples: Example[] = [];
  const questions = [
    ...addressQuestions(records, options),
    ...exactQuestions(records, { ...options, count: 10 * options.count }),
  ];
  for (const { body, hasNone, isAnswer } of questions) {
    const { endereco: text = "", ...parts } = body;
    const { found } = reader.read({ text, parts }, { limit: MAX_CANDIDATES });
    const [best] = found;
    if (best === undefined) continue;
    const shares = sharesOf(found, sameStreetOf(index));
    // Coefficients do not tell the CEPs of a street apart.
    if (shares.cep < 0.8) continue;
    const features = featuresOf(found, shares.street);
    const cep = String(index.arrays.ceps[best.record]).padStart(8, "0");
    examples.push({
      features: NAMES.map((name) => features[name]),
      isRight: !hasNone && isAnswer(cep),
    });
  }
  connection.close();
  return examples;
}

/** Returns the coefficients with the least logistic loss. */
function fit(examples: readonly Example[]): number[] {
  const coefficients = NAMES.map((name): number => COEFFICIENTS[name]);
  for (let step = 0; step < STEPS; step++) {
    const gradient = NAMES.map(() => 0);
    for (const { features, isRight } of examples) {
      const sum = features.reduce(
        (sum, it, i) => sum + it * coefficients[i]!,
        0,
      );
      const error = 1 / (1 + Math.exp(-sum)) - Number(isRight);
      features.forEach((it, i) => gradient[i]! += error * it);
    }
    gradient.forEach((slope, i) => {
      const pull = DECAY * coefficients[i]!;
      coefficients[i]! -= RATE * (slope / examples.length + pull);
    });
  }
  return coefficients;
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
