import type { Random } from "./random.ts";

const RESOLUTION = 1_000_000;

/**
 * Items whose frequency falls with their rank, as that of words does: the nth
 * occurs about 1 / (n + flat) times as often as the first.
 */
export class Zipf<T> {
  readonly #items: readonly T[];
  readonly #sums: readonly number[];

  /** @param flat The number of first items with nearly the same frequency. */
  constructor(items: readonly T[], flat: number) {
    let sum = 0;
    this.#items = items;
    this.#sums = items.map((_, i) =>
      sum += Math.round(RESOLUTION / (i + flat))
    );
  }

  /** Draws an item. */
  pick(random: Random): T {
    const sums = this.#sums;
    const drawn = random.int(sums[sums.length - 1]!);
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return this.#items[low]!;
  }
}

/** Choices, each with its weight. */
export class Choices<T> {
  readonly #items: readonly T[];
  readonly #sums: readonly number[];

  constructor(choices: readonly (readonly [T, number])[]) {
    let sum = 0;
    this.#items = choices.map(([item]) => item);
    this.#sums = choices.map(([, weight]) => sum += weight);
  }

  /** Draws an item. */
  pick(random: Random): T {
    const drawn = random.int(this.#sums.at(-1)!);
    return this.#items[this.#sums.findIndex((sum) => sum > drawn)]!;
  }
}
