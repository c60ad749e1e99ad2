/**
 * Generates a complete DNE of any size.
 *
 * Large ones look like the country: its municipalities, and the shapes that
 * addresses have in real life. Small ones have a few invented municipalities in
 * each state. Everything is invented, except for names and codes that are
 * public, the CEP ranges of the states and, on request, a few well-known
 * addresses. The same options give the same bytes on every machine.
 */
import {
  countryFiles,
  largeUserFiles,
  localityFiles,
  neighbourhoodFiles,
  noticeFile,
  postFiles,
  stateFiles,
  streetFile,
  type StreetOutput,
  unitFiles,
} from "./generate_dne/files.ts";
import { deltaFiles } from "./generate_dne/delta.ts";
import {
  COUNTRY_ROWS,
  type GenerateOptions,
  planDirectory,
} from "./generate_dne/plan.ts";
import { evolve } from "./generate_dne/release.ts";
import {
  type Chunk,
  TextFile,
  toTables,
  toTextFile,
  writeFiles,
} from "./generate_dne/text_file.ts";
import { flag, readOptions, runCommandLine, whole } from "./command_line.ts";

export type { Chunk, GenerateOptions };

/** Minimum number of rows, for every shape to occur. */
export const MIN_ROWS = 500;
/**
 * Maximum number of rows that fit into the CEP ranges of the smallest states.
 */
export const MAX_ROWS = 2_000_000;
const MAX_SEED = 2 ** 32 - 1;
const MAX_RELEASE = 24;
const MAX_WORDS = 1_000_000;
const DEFAULT_ROWS = 1_000_000;
const DEFAULT_SEED = 7;

const USAGE = `Usage: generate_dne.ts [options] OUT

Writes the text files of an invented DNE to the folder OUT, which is created if
needed and may contain only *.TXT files.

Options:
  --rows N       street rows over all states, ${MIN_ROWS} to ${MAX_ROWS}
                 (default ${DEFAULT_ROWS})
  --seed N       another seed gives another DNE (default ${DEFAULT_SEED})
                 From ${COUNTRY_ROWS} on, a DNE has all municipalities and looks like
                 the country.
  --well-known   add a few dozen well-known addresses to these rows
  --shapes       add streets of every shape that is hard to find to fewer rows
                 than that
  --words N      invented words in the names of streets of a DNE like the
                 country, up to ${MAX_WORDS} (default: as many as suit its rows)
  --release N    the Nth release after the first, 0 to ${MAX_RELEASE}, each with
                 about one row in a hundred changed; adds LEIAME.TXT
  --since N      the delta from release N to --release, instead of the release
  --help         show this text
`;

/**
 * Generates the files one after another, each in chunks of at most 1 MiB.
 *
 * @example
 * ```ts no-eval
 * import { generate } from "./generate_dne.ts";
 *
 * let bytes = 0;
 * for (const { chunk } of generate({ rows: 500, seed: 7 })) {
 *   bytes += chunk.length;
 * }
 * ```
 */
export function* generate(options: GenerateOptions): Iterable<Chunk> {
  const { rows, release, since } = options;
  if (!Number.isInteger(rows) || rows < MIN_ROWS || rows > MAX_ROWS) {
    throw new RangeError(
      `Cannot generate ${rows} rows: from ${MIN_ROWS} to ${MAX_ROWS} expected`,
    );
  }
  if (release === undefined) return yield* generateFirst(options);
  yield* noticeFile(release).chunks();
  if (since === undefined) yield* generateRelease(options, release);
  else {
    const before = toTables(generateRelease(options, since));
    const after = toTables(generateRelease(options, release));
    yield* chunksOf(deltaFiles(before, after));
  }
}

/** Generates the files of a release from those of the one before. */
function* generateRelease(
  options: GenerateOptions,
  release: number,
): Iterable<Chunk> {
  if (release === 0) return yield* generateFirst(options);
  const before = toTables(generateRelease(options, release - 1));
  for (const table of evolve(before, { ...options, release })) {
    yield* toTextFile(table).chunks();
  }
}

function* generateFirst(options: GenerateOptions): Iterable<Chunk> {
  const plan = planDirectory(options);
  yield* chunksOf(countryFiles());
  yield* chunksOf(stateFiles(plan));
  yield* chunksOf(localityFiles(plan));
  yield* chunksOf(neighbourhoodFiles(plan));
  const output: StreetOutput = {
    sections: new TextFile("LOG_NUM_SEC.TXT"),
    variants: new TextFile("LOG_VAR_LOG.TXT"),
    sites: [],
    next: 1,
  };
  for (const state of plan.states) {
    yield* streetFile(plan, state, output).chunks();
  }
  yield* chunksOf([output.sections, output.variants]);
  yield* chunksOf(largeUserFiles(plan, output.sites));
  yield* chunksOf(unitFiles(plan, output.sites));
  yield* chunksOf(postFiles(plan, output.sites));
}

function* chunksOf(files: Iterable<TextFile>): Iterable<Chunk> {
  for (const file of files) yield* file.chunks();
}

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If they are wrong.
 */
export function parsePlan(
  args: string[],
): { out: string; options: GenerateOptions } | undefined {
  const found = readOptions(args, {
    rows: whole(MIN_ROWS, MAX_ROWS, DEFAULT_ROWS),
    seed: whole(0, MAX_SEED, DEFAULT_SEED),
    "well-known": flag,
    shapes: flag,
    words: whole(0, MAX_WORDS, 0),
    release: whole(0, MAX_RELEASE, undefined),
    since: whole(0, MAX_RELEASE, undefined),
  }, "OUT");
  if (found === undefined) return undefined;
  const { "well-known": wellKnown, ...others } = found.values;
  const { release, since, ...options } = others;
  if (since !== undefined && since >= (release ?? 0)) {
    throw new TypeError("--since needs a later --release");
  }
  return {
    out: found.operand,
    options: {
      ...options,
      wellKnown,
      ...release !== undefined && { release },
      ...since !== undefined && { since },
    },
  };
}

/** Writes the files and returns the number of bytes of each, by name. */
export function writeDirectory(
  out: string,
  options: GenerateOptions,
): Map<string, number> {
  const own = /\.txt$/i;
  return writeFiles(out, generate(options), { own, allowed: "*.TXT files" });
}

/** Writes the files, and prints their number. Returns the exit code. */
function execute(
  { out, options }: NonNullable<ReturnType<typeof parsePlan>>,
): number {
  const sizes = writeDirectory(out, options);
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`Wrote ${sizes.size} files, ${bytes} bytes, to ${out}`);
  return 0;
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
