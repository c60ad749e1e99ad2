import { bisect } from "../util/bisect.ts";

/** Interval of numbers: its first, and its end, which is not part of it. */
export type Interval = readonly [start: number, end: number];

/** Texts, and lookups in them. */
export class SortedTexts {
  /** Number of texts. */
  readonly count: number;
  readonly #letters: Uint8Array;
  /** The letters as one string, of which texts are slices. */
  readonly #text: string;
  readonly #starts: Uint32Array;

  /**
   * @param starts First letter of each text, and the end.
   */
  constructor(letters: Uint8Array, starts: Uint32Array) {
    this.count = starts.length - 1;
    this.#letters = letters;
    this.#text = new TextDecoder().decode(letters);
    this.#starts = starts;
  }

  /** Returns a text. */
  at(i: number): string {
    return this.#text.slice(this.#starts[i], this.#starts[i + 1]);
  }

  /** Finds a text; -1 if it is not one of them. */
  find(text: string): number {
    const i = this.#lowerBound(text, 0, this.count, false);
    if (i === this.count) return -1;
    return this.#starts[i + 1]! - this.#starts[i]! === text.length &&
        this.#compare(i, text) === 0
      ? i
      : -1;
  }

  /** Finds the texts that begin with some letters, by default among all. */
  findPrefix(
    letters: string,
    [low, high]: Interval = [0, this.count],
  ): Interval {
    const start = this.#lowerBound(letters, low, high, false);
    return [start, this.#lowerBound(letters, start, high, true)];
  }

  /**
   * Finds the first text from `low` that is not before `letters`, or that is
   * after all texts that begin with them; `high` if there is none before it.
   */
  #lowerBound(
    letters: string,
    low: number,
    high: number,
    isAfter: boolean,
  ): number {
    return low + bisect(high - low, (i) => {
      const order = this.#compare(low + i, letters);
      return order < 0 || isAfter && order === 0;
    });
  }

  /** Compares the first letters of a text; 0 if it begins with `letters`. */
  #compare(i: number, letters: string): number {
    const start = this.#starts[i]!;
    const end = this.#starts[i + 1]!;
    for (let j = 0; j < letters.length; j++) {
      if (start + j === end) return -1;
      const order = this.#letters[start + j]! - letters.charCodeAt(j);
      if (order !== 0) return order;
    }
    return 0;
  }
}
