/**
 * Places of the terms of a query, as intervals of records.
 *
 * @module
 */
import { STATE } from "./index_layout.ts";
import { intersect, merge } from "./intervals.ts";
import type { Interval, SearchIndex } from "./search_index.ts";
import type { Term } from "./terms.ts";

/** Places of a term above which they are not listed. */
const MAX_PLACES = 3000;

/** Records in the places of terms, one query at a time. */
export class TermPlaces {
  readonly #index: SearchIndex;
  #terms: readonly Term[] = [];
  readonly #ofTerms = new Map<number, readonly Interval[]>();
  readonly #ofMasks = new Map<number, readonly Interval[] | undefined>();

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** Begins a query. */
  begin(terms: readonly Term[]): void {
    this.#terms = terms;
    this.#ofTerms.clear();
    this.#ofMasks.clear();
  }

  /** Returns the records in places of all terms, `undefined` if too many. */
  ofMask(mask: number): readonly Interval[] | undefined {
    if (this.#ofMasks.has(mask)) return this.#ofMasks.get(mask);
    let found: readonly Interval[] | undefined;
    for (const term of this.#terms) {
      if ((mask & term.bit) === 0) continue;
      const places = this.of(term);
      if (places !== undefined) found = intersect(found, places);
      if (found?.length === 0) break;
    }
    this.#ofMasks.set(mask, found);
    return found;
  }

  /** Returns the records in the places of a term, `undefined` if too many. */
  of(term: Term): readonly Interval[] | undefined {
    if (term.places > MAX_PLACES) return undefined;
    let found = this.#ofTerms.get(term.bit);
    if (found === undefined) {
      found = this.#list(term);
      this.#ofTerms.set(term.bit, found);
    }
    return found;
  }

  #list({ forms }: Term): Interval[] {
    const {
      placesOfWords,
      placesOfWordStarts,
      placeStarts,
      placeEnds,
      placeLevels,
    } = this.#index.arrays;
    const all: Interval[] = [];
    for (const { start, end } of forms) {
      const last = placesOfWordStarts[end]!;
      for (let i = placesOfWordStarts[start]!; i < last; i++) {
        const place = placesOfWords[i]!;
        if (placeLevels[place] === STATE) {
          all.push(...this.#index.recordsIn(place));
        } else {
          all.push([placeStarts[place]!, placeEnds[place]!]);
        }
      }
    }
    return merge(all);
  }
}
