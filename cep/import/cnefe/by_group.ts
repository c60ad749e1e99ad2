import type { PairTable } from "./pair_table.ts";

/** Indexes of the pairs of each group, in the order in which they were added. */
export class ByGroup {
  readonly #starts: Uint32Array;
  readonly #indexes: Uint32Array;

  /** @param groups Number of groups: the first numbers of the pairs. */
  constructor({ size, firsts }: PairTable, groups: number) {
    const starts = this.#starts = new Uint32Array(groups + 1);
    const indexes = this.#indexes = new Uint32Array(size);
    for (let index = 0; index < size; index++) starts[firsts[index]! + 1]!++;
    for (let group = 0; group < groups; group++) {
      starts[group + 1]! += starts[group]!;
    }
    const next = starts.slice();
    for (let index = 0; index < size; index++) {
      indexes[next[firsts[index]!]!++] = index;
    }
  }

  /** Returns the indexes of a group. */
  of(group: number): Uint32Array {
    return this.#indexes.subarray(this.#starts[group], this.#starts[group + 1]);
  }
}
