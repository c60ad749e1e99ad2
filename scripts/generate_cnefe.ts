/**
 * Generates files of a CNEFE of any size, which belong to a generated DNE: the
 * same streets and CEPs, with the traps of IBGE's files in known shares.
 *
 * Every address in it is invented, except for the places of a few well-known
 * ones. The same options give the same rows on every machine.
 */
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { planCodes, skipState, weightOf } from "./generate_cnefe/codes.ts";
import { stateRows } from "./generate_cnefe/addresses.ts";
import { Truth } from "./generate_cnefe/truth.ts";
import {
  MAX_ROWS as MAX_STREETS,
  MIN_ROWS as MIN_STREETS,
} from "./generate_dne.ts";
import { STATE_FACTS, type StatePlan } from "./generate_dne/locality.ts";
import { planDirectory } from "./generate_dne/plan.ts";
import { apportion } from "./generate_dne/random.ts";
import type { StreetOutput } from "./generate_dne/files.ts";
import { type Chunk, TextFile, writeFiles } from "./generate_dne/text_file.ts";
import { zip as zipOf } from "../tests/cep/_zip.ts";
import {
  flag,
  readOptions,
  runCommandLine,
  text,
  whole,
} from "./command_line.ts";

/** Maximum number of rows. */
export const MAX_ROWS = 12_000_000;
const MAX_SEED = 2 ** 32 - 1;
const MAX_WORDS = 1_000_000;
const DEFAULT_ROWS = 1_000_000;
const DEFAULT_STREETS = 100_000;
const DEFAULT_SEED = 7;
// As sparse as IBGE's: several times as many numbers as addresses.
const ID_STEP = 17;
const FIRST_ID = 10_000_019;

const USAGE = `Usage: generate_cnefe.ts [options] OUT

Writes the files of an invented CNEFE to the folder OUT, which is created if
needed and may contain only files of an earlier run: 35_SP.csv and so on.

Options:
  --rows N       addresses over all states, up to ${MAX_ROWS}
                 (default ${DEFAULT_ROWS})
  --states A,B   only these states
  --zip          35_SP.zip with 35_SP.csv, and so on
  --crlf         lines end with CRLF instead of LF
  --truth FILE   write what each CEP has: municipality, street, counts
  --alone        IBGE codes of real municipalities, for an import without a DNE

Options of the DNE that the files belong to, as for generate_dne.ts:
  --streets N    its --rows, ${MIN_STREETS} to ${MAX_STREETS} (default ${DEFAULT_STREETS})
  --seed N       its --seed (default ${DEFAULT_SEED})
  --well-known   its --well-known
  --words N      its --words (default 0)
  --help         show this text
`;

/** Options of {@linkcode generateCensus}. */
export interface CensusOptions {
  /** Rows of all files, without headers. */
  readonly rows: number;
  /** Street rows of the DNE. */
  readonly streets: number;
  /** Seed of the DNE. */
  readonly seed: number;
  /**
   * Contains the well-known addresses of the DNE.
   *
   * @default {false}
   */
  readonly wellKnown?: boolean;
  /**
   * Number of invented words of the DNE.
   *
   * @default {0}
   */
  readonly words?: number;
  /**
   * Abbreviations of states.
   *
   * @default {all}
   */
  readonly states?: readonly string[];
  /**
   * Real IBGE codes instead of those of the DNE.
   *
   * @default {false}
   */
  readonly alone?: boolean;
  /**
   * Line ends.
   *
   * @default {"\n"}
   */
  readonly lineEnd?: "\n" | "\r\n";
}

/**
 * Generates the files one after another, each in chunks of about 1 MiB.
 *
 * @param truth Counts the addresses.
 */
export function* generateCensus(
  options: CensusOptions,
  truth?: Truth,
): Iterable<Chunk> {
  const { rows, seed, streets, wellKnown = false, words = 0 } = options;
  const { alone = false, lineEnd = "\n" } = options;
  const plan = planDirectory({ rows: streets, seed, wellKnown, words });
  const chosen = chooseStates(plan.states, options.states);
  const shares = apportion(rows, chosen.map(weightOf), 0);
  const output: StreetOutput = {
    sections: new TextFile("LOG_NUM_SEC.TXT"),
    variants: new TextFile("LOG_VAR_LOG.TXT"),
    sites: [],
    next: 1,
  };
  let addresses = 0;
  const last = plan.states.indexOf(chosen.at(-1)!);
  for (const state of plan.states.slice(0, last + 1)) {
    const index = chosen.indexOf(state);
    if (index < 0) {
      skipState(plan, state, output);
      continue;
    }
    const { codes, missing } = planCodes(plan, state, output, { alone });
    const own = shares[index]!;
    if (own < codes.length) {
      throw new RangeError(
        `Cannot generate ${own} rows of ${state.uf}: its ${codes.length} ` +
          "CEPs need one each",
      );
    }
    for (const cep of missing) truth?.missing.push(cep);
    const name = `${state.state.capital.ibge.slice(0, 2)}_${state.uf}.csv`;
    const chunks = stateRows(codes, {
      rows: own,
      seed,
      uf: state.uf,
      lineEnd,
      nextId: () => FIRST_ID + ID_STEP * addresses++,
      truth,
    });
    for (const chunk of chunks) yield { name, chunk };
  }
}

function chooseStates(
  states: readonly StatePlan[],
  names: readonly string[] | undefined,
): readonly StatePlan[] {
  if (names === undefined) return states;
  return states.filter(({ uf }) => names.includes(uf));
}

/** Parsed command line. */
export interface CensusPlan {
  readonly out: string;
  readonly zip: boolean;
  /** Path of the table of {@linkcode Truth}. */
  readonly truth: string | undefined;
  readonly options: CensusOptions;
}

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If they are wrong.
 */
export function parsePlan(args: string[]): CensusPlan | undefined {
  const found = readOptions(args, {
    rows: whole(1, MAX_ROWS, DEFAULT_ROWS),
    states: text,
    zip: flag,
    crlf: flag,
    truth: text,
    alone: flag,
    streets: whole(MIN_STREETS, MAX_STREETS, DEFAULT_STREETS),
    seed: whole(0, MAX_SEED, DEFAULT_SEED),
    "well-known": flag,
    words: whole(0, MAX_WORDS, 0),
  }, "OUT");
  if (found === undefined) return undefined;
  const { zip, truth, crlf, ...values } = found.values;
  const { "well-known": wellKnown, states: names, ...others } = values;
  const states = parseStates(names);
  return {
    out: found.operand,
    zip,
    truth,
    options: {
      ...others,
      wellKnown,
      lineEnd: crlf ? "\r\n" : "\n",
      ...states && { states },
    },
  };
}

function parseStates(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.toUpperCase().split(",").map((it) => it.trim());
  for (const name of names) {
    if (!STATE_FACTS.some(({ uf }) => uf === name)) {
      throw new TypeError(`--states: "${name}" is not a state`);
    }
  }
  return names;
}

/** Options of {@linkcode writeCensus}. */
export interface WriteOptions {
  /**
   * Writes zip files.
   *
   * @default {false}
   */
  readonly zip?: boolean;
  /** Counts the addresses. */
  readonly truth?: Truth | undefined;
}

/** Writes the files and returns the number of bytes of each, by name. */
export function writeCensus(
  out: string,
  options: CensusOptions,
  { zip = false, truth }: WriteOptions = {},
): Map<string, number> {
  const files = generateCensus(options, truth);
  return writeFiles(out, zip ? zipped(files) : files, {
    own: /^\d\d_[A-Z]{2}\.(?:csv|zip)$/,
    allowed: "files such as 35_SP.csv",
  });
}

/** Puts each file into a zip file of its own. */
function* zipped(files: Iterable<Chunk>): Iterable<Chunk> {
  let name: string | undefined;
  let chunks: Uint8Array[] = [];
  const finish = (member: string): Chunk => ({
    name: member.replace(/csv$/, "zip"),
    chunk: zipOf([{ name: member, content: Buffer.concat(chunks) }], {
      // As IBGE's file of this state.
      zip64: member === "35_SP.csv",
    }),
  });
  for (const file of files) {
    if (name !== undefined && name !== file.name) {
      yield finish(name);
      chunks = [];
    }
    name = file.name;
    chunks.push(file.chunk);
  }
  if (name !== undefined) yield finish(name);
}

/** Writes the files, and prints their number. Returns the exit code. */
export function execute(plan: CensusPlan): number {
  const truth = plan.truth === undefined ? undefined : new Truth();
  const { out, options, zip } = plan;
  const sizes = writeCensus(out, options, { zip, truth });
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`Wrote ${sizes.size} files, ${bytes} bytes, to ${out}`);
  if (truth !== undefined) writeTruth(plan.truth!, truth);
  return 0;
}

/** Writes the table, and prints the totals. */
function writeTruth(path: string, truth: Truth): void {
  writeFileSync(path, [...truth.lines()].join(""));
  const kinds = new Map<string, number>();
  for (const { kind } of truth.codes()) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  console.log({
    ...truth.totals,
    ...Object.fromEntries(kinds),
    missing: truth.missing.length,
  });
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
