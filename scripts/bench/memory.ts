/**
 * How much memory an import takes, and whether more rows take more.
 *
 * @module
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSeed } from "./cep.ts";
import { generateDirectory, LARGE, SMALL } from "./data.ts";
import { inPairs, type Limit, type Section, withCommas } from "./figures.ts";
import { CAN_READ_MEMORY, NOT_MEASURED, readMemory } from "./process_memory.ts";
import { finish } from "./processes.ts";

const LIMIT: Limit = { side: "at most", value: 300 };
const POLL_MS = 10;

/** Takes the peak of whole processes. */
export async function benchMemory(
  directory: string,
  { rows, pairs: count }: { readonly rows: number; readonly pairs: number },
): Promise<Section> {
  const title = "Peak memory of an import";
  if (!CAN_READ_MEMORY) return { title, figures: [], notes: [NOT_MEASURED] };
  const small = Math.round(rows * SMALL);
  const large = Math.round(rows * LARGE);
  const smallPath = await generateDirectory(directory, small);
  const largePath = await generateDirectory(directory, large);
  const databasePath = join(directory, "seeded");
  console.error("Importing in turns ...");
  const pairs = await inPairs(
    count,
    () => peakOfSeed(largePath, databasePath),
    () => peakOfSeed(smallPath, databasePath),
  );
  for (const path of [smallPath, largePath]) {
    await Deno.remove(path, { recursive: true });
  }
  const nameOf = (rows: number) => `${withCommas(rows)} street rows`;
  return {
    title,
    figures: [
      {
        name: nameOf(small),
        unit: "MB",
        values: pairs.yardstick,
        limit: LIMIT,
      },
      { name: nameOf(large), unit: "MB", values: pairs.ours, limit: LIMIT },
      {
        name: "large / small",
        unit: "ratio",
        values: pairs.ratios,
        limit: { side: "at most", value: 1.1 },
      },
    ],
  };
}

async function peakOfSeed(
  rawPath: string,
  databasePath: string,
): Promise<number> {
  const process = startSeed(rawPath, databasePath);
  const [peak] = await Promise.all([
    watchPeak(process),
    finish(process, "the import"),
  ]);
  await Deno.remove(databasePath, { recursive: true });
  return peak;
}

/** Asks for the peak until the process has ended and takes it along. */
async function watchPeak(process: Deno.ChildProcess): Promise<number> {
  let ended = false;
  process.status.then(() => ended = true);
  let peak = 0;
  while (!ended) {
    peak = (await readMemory(process.pid))?.peak ?? peak;
    await delay(POLL_MS);
  }
  return peak;
}
