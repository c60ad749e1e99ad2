/**
 * Marks of the terms that names match, without reading the names.
 *
 * @module
 */
import type { SearchIndex } from "./search_index.ts";
import type { Term } from "./terms.ts";

/** Terms of each name, whose memory serves one search after another. */
export class NameMarks {
  readonly #index: SearchIndex;
  /** Terms of each name, below the number of the search. */
  readonly #marks: Uint32Array;
  #search = 0;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#marks = new Uint32Array(index.arrays.typeLengths.length);
  }

  /** Removes all marks. */
  clear(): void {
    this.#search = this.#search + 1 & 0xFFFF;
    if (this.#search === 0) {
      this.#marks.fill(0);
      this.#search = 1;
    }
  }

  /** Marks the names of a term. */
  add({ forms, bit }: Term): void {
    const { namesOfWords, namesOfWordStarts } = this.#index.arrays;
    const marks = this.#marks;
    const search = this.#search;
    const base = search << 16 >>> 0;
    for (const { start, end } of forms) {
      const last = namesOfWordStarts[end]!;
      for (let i = namesOfWordStarts[start]!; i < last; i++) {
        const name = namesOfWords[i]!;
        const mark = marks[name]!;
        marks[name] = mark >>> 16 === search ? mark | bit : base | bit;
      }
    }
  }

  /** Returns the terms with which a name is marked. */
  of(name: number): number {
    const mark = this.#marks[name]!;
    return mark >>> 16 === this.#search ? mark & 0xFFFF : 0;
  }
}
