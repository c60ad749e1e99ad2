import type { Locality } from "./locality.ts";
import type { Random } from "./random.ts";

const ROWS_A_RUN = 64;
const RUNS_A_WINDOW = 32;

/** Generates all streets of a state, in shuffled runs of one locality each. */
export function* orderStreets(
  localities: readonly Locality[],
  random: Random,
): Iterable<[Locality, number]> {
  const runs: [Locality, number][] = [];
  for (const locality of localities) {
    for (let start = 0; start < locality.streets; start += ROWS_A_RUN) {
      runs.push([locality, start]);
    }
  }
  for (const [locality, start] of random.shuffle(runs, RUNS_A_WINDOW)) {
    const length = Math.min(ROWS_A_RUN, locality.streets - start);
    const run = Array.from({ length }, (_, i) => start + i);
    for (const index of random.shuffle(run, length)) yield [locality, index];
  }
}
