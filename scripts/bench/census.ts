import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { ROOT } from "../root.ts";
import { findMissing } from "./environment.ts";
import { type Bench, type Case, format, NO_MEMORY, timed } from "./harness.ts";
import type { ReadingCost } from "./read_census.ts";

/** States whose files are generated, one per thread. */
const STATES = "SP,MG";

/** Addresses, as a multiple of the rows of the plan. */
const MULTIPLE = 2;

/** Addresses per street of the DNE, which bounds the number of CEPs. */
const ADDRESSES_PER_STREET = 40;

/**
 * Addresses per street where memory is measured: with far more of them for each
 * CEP than the points that are kept.
 */
const MANY_PER_STREET = 400;

/** Rows of the smaller files, as a share of the others. */
const FEWER = 0.2;

/** Counts the CEPs in the simplest way. The lowest one is 01000000. */
const COUNT =
  `for f in *.zip; do unzip -p "$f"; done | mawk -F';' '$9 + 0 >= 1000000 ` +
  `{ n[$9]++ } END { for (cep in n) c++; print c }'`;

/** Reads the files of two states. */
export async function benchCensus(bench: Bench): Promise<void> {
  const rows = MULTIPLE * bench.plan.rows;
  const streets = streetsOf(rows, ADDRESSES_PER_STREET);
  const folder = await generate(bench, rows, streets);
  const cost = await read(bench, 1, folder);
  bench.title(
    `Reading of ${format(cost.rows)} addresses with ${format(cost.codes)} CEPs`,
  );
  const missing = await findMissing({ unzip: "-v", mawk: "-Wversion" });
  const cases: Case[] = [1, 2].map((threads) => ({
    name: threads === 1 ? "one thread" : `${threads} threads`,
    unit: "rows/s",
    run: async () => {
      const { rows, seconds } = await read(bench, threads, folder);
      return rows / seconds;
    },
  }));
  if (missing === undefined) {
    cases.push({
      name: "unzip -p | mawk, CEPs only",
      unit: "rows/s",
      run: async () =>
        rows / await timed(async () => {
          const counted = await bench.run(["sh", "-c", COUNT], { cwd: folder });
          assertEquals(Number(counted), cost.codes);
        }),
    });
  } else bench.note(missing);
  await bench.measure(cases);
  await bench.measure([{
    // Whatever else keeps the machine busy.
    name: "per second of a processor",
    unit: "rows/s",
    limit: { atLeast: 350_000 },
    run: async () => {
      const { rows, processorSeconds } = await read(bench, 1, folder);
      return rows / processorSeconds;
    },
  }]);
  await benchMemory(bench, rows);
}

/** Measures the memory of files with as many CEPs, but more addresses. */
async function benchMemory(bench: Bench, rows: number): Promise<void> {
  const streets = streetsOf(rows, MANY_PER_STREET);
  bench.title("Peak memory, by addresses with the same CEPs");
  if (NO_MEMORY) return bench.note(NO_MEMORY);
  const cases: Case[] = [];
  for (const count of [rows, Math.round(rows * FEWER)]) {
    const folder = await generate(bench, count, streets);
    const { codes } = await read(bench, 1, folder);
    cases.push({
      name: `${format(count)} rows, ${format(codes)} CEPs`,
      unit: "MB",
      ratio: { atMost: 1.5 },
      run: async () => (await read(bench, 1, folder)).memory,
    });
  }
  await bench.measure(cases);
}

function streetsOf(rows: number, addresses: number): number {
  return Math.max(1000, Math.round(rows / addresses));
}

/** Generates the files. Returns the path of their folder. */
async function generate(
  bench: Bench,
  rows: number,
  streets: number,
): Promise<string> {
  const folder = `${bench.folder}/cnefe-${rows}-${streets}`;
  if (existsSync(folder)) return folder;
  console.error(`Generating ${format(rows)} addresses ...`);
  const args = ["--rows", `${rows}`, "--streets", `${streets}`];
  await bench.run([
    Deno.execPath(),
    ...["run", "-A", `${ROOT}scripts/generate_cnefe.ts`, ...args],
    ...["--states", STATES, "--zip", folder],
  ]);
  return folder;
}

async function read(
  bench: Bench,
  threads: number,
  folder: string,
): Promise<ReadingCost> {
  const script = `${ROOT}scripts/bench/read_census.ts`;
  return JSON.parse(
    await bench.run(
      [Deno.execPath(), "run", "-A", script, `${threads}`, folder],
      { cwd: ROOT },
    ),
  );
}
