/**
 * How long an import keeps the process around it from anything else.
 *
 * @module
 */
import { seed } from "@carteiro/cep/seed";
import { openStore, type Reader } from "@carteiro/cep/store";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { generateDirectory, SMALL } from "./data.ts";
import { repeat, type Section, withCommas } from "./figures.ts";

const TICK_MS = 5;

/**
 * Imports a directory into an open store, over and over, and takes the longest
 * time between two ticks of a timer.
 */
export async function benchStall(
  parent: string,
  { rows: all, pairs }: { readonly rows: number; readonly pairs: number },
): Promise<Section> {
  const rows = Math.round(all * SMALL);
  const directory = await generateDirectory(parent, rows);
  const path = join(parent, "stalled");
  console.error("Importing in this process ...");
  const store = await openStore({ path });
  try {
    const values = await repeat(pairs, () =>
      longestStall(async () => {
        const { seededAt } = await seed({ directory, store });
        await answersFrom(store, seededAt);
      }));
    return {
      title: `Import of ${withCommas(rows)} street rows in process`,
      figures: [{
        name: "longest stall",
        unit: "ms",
        values,
        limit: { side: "at most", value: 50 },
      }],
      notes: [`the longest time between two ticks of a ${TICK_MS} ms timer`],
    };
  } finally {
    await store.close();
    for (const used of [path, directory]) {
      await Deno.remove(used, { recursive: true });
    }
  }
}

/** Waits until a release answers, for a store may load it first. */
async function answersFrom(store: Reader, seededAt: string): Promise<void> {
  while ((await store.release())?.seededAt !== seededAt) await delay(TICK_MS);
  await store.findJson("00000000");
}

/** The longest time between two ticks while an action runs. */
async function longestStall(action: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  tick();
  return longest;
}
