/**
 * Small seeded generator (mulberry32). It computes with integers only, so the
 * same seed gives the same DNE on every machine.
 */
export class Random {
  #state: number;

  /**
   * Creates an independent stream, so that one file can change without the
   * others.
   */
  constructor(seed: number, stream: string) {
    let hash = (0x811c9dc5 ^ seed) >>> 0;
    for (let i = 0; i < stream.length; i++) {
      hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193) >>> 0;
    }
    this.#state = hash;
  }

  /** Returns a whole number from 0 up to, but not including, `limit`. */
  int(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns true in `percent` of the cases. */
  chance(percent: number): boolean {
    return this.int(100) < percent;
  }

  /** Returns one of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T;
  }

  /** Shuffles in place, with each item kept within its block of `size`. */
  shuffle<T>(items: T[], size: number): T[] {
    for (let start = 0; start < items.length; start += size) {
      const end = Math.min(start + size, items.length);
      for (let i = end - 1; i > start; i--) {
        const j = start + this.int(i - start + 1);
        [items[i], items[j]] = [items[j] as T, items[i] as T];
      }
    }
    return items;
  }
}

/** Returns a list with every item repeated by its weight. */
export function weighted<T>(items: readonly (readonly [T, number])[]): T[] {
  return items.flatMap(([item, weight]) => Array<T>(weight).fill(item));
}

/**
 * Splits `total` into parts by weight, each part at least `least`.
 *
 * Rounding the running sum, not the parts, makes the parts add up exactly.
 */
export function apportion(
  total: number,
  weights: readonly number[],
  least: number,
): number[] {
  const sum = weights.reduce((left, right) => left + right, 0);
  const free = total - least * weights.length;
  let running = 0;
  let given = 0;
  return weights.map((weight, i) => {
    running += weight;
    const upTo = i === weights.length - 1
      ? free
      : Math.floor(free * running / sum);
    const part = upTo - given;
    given = upTo;
    return least + part;
  });
}
