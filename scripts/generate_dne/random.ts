import data from "./names.json" with { type: "json" };

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

/** Texts to draw from: a list, choices, or a function that draws. */
type Source<Args extends unknown[]> =
  | readonly string[]
  | Choices<string>
  | ((random: Random, ...args: Args) => string);

/** Returns a function that draws from one of several sources, by weight. */
export function mixed<Args extends unknown[] = []>(
  sources: readonly (readonly [source: Source<Args>, weight: number])[],
): (random: Random, ...args: Args) => string {
  const choices = new Choices(sources);
  return (random, ...args) => {
    const source = choices.pick(random);
    if (source instanceof Choices) return source.pick(random);
    if (typeof source === "function") return source(random, ...args);
    return random.pick(source);
  };
}

/**
 * Returns items whose frequency falls with their rank, as that of words does:
 * the nth occurs about 1 / (n + flat) times as often as the first.
 *
 * @param flat The number of first items with nearly the same frequency.
 */
export function ranked<T>(items: readonly T[], flat: number): Choices<T> {
  return new Choices(
    items.map((item, i) => [item, Math.round(1_000_000 / (i + flat))]),
  );
}

/** Lists by name, read from texts of several lines: `José, João, Antônio`. */
export function readLists<Name extends string>(
  lists: Readonly<Record<Name, readonly string[]>>,
): Readonly<Record<Name, readonly string[]>> {
  const entries = Object.entries<readonly string[]>(lists).map((
    [name, lines],
  ) => [name, lines.join(" ").split(/,\s+/)]);
  return Object.fromEntries(entries);
}

/** Names and parts of names in a DNE that looks like the country. */
export const COUNTRY = readLists(data.country);

/** Parts of invented names, chosen by hand, not from address data. */
export const WORDS = readLists(data.miniature);

/** Large municipalities of each state after its capital, the largest first. */
export const LARGE_CITIES: Readonly<Record<string, readonly string[]>> =
  readLists(data.largeCities);

/** Nicknames of cities. */
export const NICKNAMES: Readonly<Record<string, readonly string[]>> =
  data.nicknames;

/** Reads frequencies: `Rua 770`. */
export function weights(
  items: readonly string[],
): (readonly [string, number])[] {
  return items.map((item) => {
    const end = item.lastIndexOf(" ");
    return [item.slice(0, end), Number(item.slice(end))];
  });
}

/** Returns items to draw by their frequencies. */
export function choices(items: readonly string[]): Choices<string> {
  return new Choices(weights(items));
}
