import { seed } from "@carteiro/cep/seed";
import { openStore } from "@carteiro/cep/store";
import { assertEquals } from "@std/assert";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Child } from "../process.ts";
import {
  type Bench,
  type Case,
  format,
  NO_MEMORY,
  readMemory,
  timed,
} from "./harness.ts";
import { LARGE } from "./programs.ts";

/** Import whose search index remains empty. */
const NO_INDEX = { preload: ["scripts/bench/without_index.ts"] };

/** Rows of a smaller DNE, as a multiple of the rows of the plan. */
const SMALL = 0.3;

/** Times imports, from text files to a closed database. */
export async function benchImport(bench: Bench): Promise<void> {
  const release = await bench.release();
  const rawPath = await bench.generate();
  const codes = await bench.countCodes(release);
  // The order of an import: files by precedence, then lines by their numbers.
  const entries = `
    SELECT cep.* FROM cep JOIN origem ON origem.id = cep.origem ORDER BY
      instr('localidade logradouro grande_usuario unid_oper cpc', tipo_origem),
      nome_origem, numero`;
  // A field of .import is never NULL, so 0 stands for it.
  const dump = [".mode ascii", ".nullvalue 0", ".output entries.txt", entries];
  await bench.sqlite(release, ...dump);
  const pageSize = await bench.sqlite(release, "PRAGMA page_size");
  const schema = await bench.sqlite(release, ".schema cep");
  const [table = "", index = ""] = schema.split(/^(?=CREATE INDEX)/m);
  const pragmas = `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = OFF;
    PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384`;
  const load = [pragmas, table, ".import --ascii entries.txt cep", index];
  const rows = format(bench.plan.rows);
  bench.title(`Import of ${rows} street rows, ${format(codes)} CEPs in total`);
  await bench.measure([{
    name: "import",
    unit: "s",
    run: () => withNew(bench, (path) => timed(() => bench.seed(rawPath, path))),
  }, {
    name: "without search index",
    unit: "s",
    ratio: { atMost: 2 },
    run: () =>
      withNew(
        bench,
        (path) => timed(() => bench.seed(rawPath, path, NO_INDEX)),
      ),
  }, {
    // Only the largest table, with entries that are already joined.
    name: "sqlite3 .import",
    unit: "s",
    ratio: { atMost: 3.3 },
    run: () =>
      withNew(bench, async (path) => {
        const seconds = await timed(() => bench.sqlite(path, ...load));
        // The shell continues after a row that it cannot import.
        assertEquals(await bench.countCodes(path), codes);
        return seconds;
      }),
  }]);
}

/** Measures with the path of a new database, which is then removed. */
async function withNew(
  { folder }: Bench,
  measure: (path: string) => Promise<number>,
): Promise<number> {
  const path = `${folder}/new`;
  const value = await measure(path);
  await Deno.remove(path, { recursive: true });
  return value;
}

/** Measures the peak memory of imports. */
export async function benchMemory(bench: Bench): Promise<void> {
  bench.title("Peak memory of an import, by street rows");
  if (NO_MEMORY) return bench.note(NO_MEMORY);
  const cases: Case[] = [];
  for (const multiple of [LARGE, SMALL]) {
    const rows = Math.round(bench.plan.rows * multiple);
    const rawPath = await bench.generate(rows);
    cases.push({
      name: `${format(rows)} rows`,
      unit: "MB",
      limit: { atMost: 400 },
      ratio: { atMost: 2.1 },
      run: () => withNew(bench, (path) => peakOfSeed(bench, rawPath, path)),
    });
  }
  await bench.measure(cases);
}

async function peakOfSeed(
  bench: Bench,
  rawPath: string,
  databasePath: string,
): Promise<number> {
  let peak = 0;
  let ended = false;
  const onStart = async ({ pid }: Child) => {
    while (!ended) {
      peak = await readMemory(pid!, "VmHWM") ?? peak;
      await delay(10);
    }
  };
  await bench.seed(rawPath, databasePath, { onStart })
    .finally(() => ended = true);
  return peak;
}

/** Milliseconds between two ticks. */
const TICK_MS = 5;

/** Imports into an open store, and measures the longest delay of a timer. */
export async function benchStall(bench: Bench): Promise<void> {
  const rows = Math.round(bench.plan.rows * SMALL);
  const directory = await bench.generate(rows);
  bench.title(`Import of ${format(rows)} street rows in process`);
  const store = await openStore({ path: `${bench.folder}/stalled` });
  const { signal } = bench;
  const seedAndAnswer = async () => {
    const { seededAt } = await seed({ directory, store, signal });
    // A release is used only after it is loaded.
    while ((await store.release())?.seededAt !== seededAt) await delay(TICK_MS);
    await store.findJson("00000000");
  };
  try {
    await bench.measure([{
      name: "longest stall",
      unit: "ms",
      limit: { atMost: 50 },
      run: () => longestStall(seedAndAnswer),
    }]);
  } finally {
    await store.close();
  }
  bench.note(`the longest time between two ticks of a ${TICK_MS} ms timer`);
}

/** Longest time between two ticks while an action runs. */
async function longestStall(action: () => Promise<void>): Promise<number> {
  const ticks = [performance.now()];
  const tick = () => ticks.push(performance.now());
  const timer = setInterval(tick, TICK_MS);
  await action().finally(() => clearInterval(timer));
  tick();
  return Math.max(...ticks.slice(1).map((time, i) => time - ticks[i]!));
}

/** Applies a delta to a copy of the database, and imports its release. */
export async function benchUpdate(bench: Bench): Promise<void> {
  const release = await bench.release();
  const { rows } = bench.plan;
  const next = await bench.generate(rows, "--release", "1");
  const delta = await bench.generate(rows, "--release", "1", "--since", "0");
  const updated = `${bench.folder}/updated`;
  const codes = format(await bench.countCodes(release));
  bench.title(`Update of ${codes} CEPs to the next release`);
  await bench.measure([{
    name: "import",
    unit: "s",
    run: () => withNew(bench, (path) => timed(() => bench.seed(next, path))),
  }, {
    name: "update",
    unit: "s",
    ratio: { atLeast: 1 },
    run: async () => {
      await rm(updated, { recursive: true, force: true });
      await mkdir(updated);
      await copyFile(release, `${updated}/cep.db`);
      const options = { env: { MODE: "update" } };
      return await timed(() => bench.seed(delta, updated, options));
    },
  }]);
}
