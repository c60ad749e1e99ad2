/**
 * How much memory an import takes, and whether more rows take more.
 *
 * @module
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSeed } from "./cep.ts";
import { generateDirectory } from "./data.ts";
import { inPairs, type Limit, type Section, withCommas } from "./figures.ts";
import { finish } from "./processes.ts";

/** Rows of the smaller directory, as a multiple of the rows asked for. */
const SMALL = 0.3;

/** Rows of the larger directory. */
export const LARGE = 1.5;

const LIMIT: Limit = { side: "at most", value: 350 };
const POLL_MS = 10;

/** Takes the peak of whole processes. */
export async function benchMemory(
  directory: string,
  { rows, pairs: count }: { readonly rows: number; readonly pairs: number },
): Promise<Section> {
  const title = "Peak memory of an import";
  if (Deno.build.os !== "linux") {
    const notes = ["not measured: only Linux tells the peak of a process"];
    return { title, figures: [], notes };
  }
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
      { name: "large / small", unit: "ratio", values: pairs.ratios },
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
    peak = await readPeak(process.pid) ?? peak;
    await delay(POLL_MS);
  }
  return peak;
}

/** The most memory a process has had so far, in MB of a million bytes. */
async function readPeak(pid: number): Promise<number | undefined> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const [, kibibytes] = status.match(/^VmHWM:\s+(\d+) kB$/m) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024 / 1e6;
  } catch {
    // The process has ended.
    return undefined;
  }
}
