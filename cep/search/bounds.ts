/**
 * Lower bounds of scores, from the terms that a name matches.
 *
 * @module
 */
import { DIFFERENCES, UNIT } from "./differences.ts";
import type { Term } from "./terms.ts";

/** Least costs of the terms of one query. */
export class Bounds {
  #required = 0;
  /** Least cost of each term in a name, by its number. */
  #inNames: readonly number[] = [];
  /** Least cost of each term in a place, by its number. */
  #inPlaces: readonly number[] = [];
  // Last result of #compute.
  #mask = -1;
  #matched = 0;
  #lacking = 0;

  /** Begins a query. */
  begin(terms: readonly Term[]): void {
    this.#required = 0;
    for (const { isRequired, bit } of terms) {
      if (isRequired) this.#required |= bit;
    }
    const costs = terms.map(({ forms }) =>
      forms.reduce((least, { cost }) => Math.min(least, cost), Infinity)
    );
    // A term may match a word of the type, or be left over.
    this.#inNames = costs.map((cost) =>
      Math.min(cost, DIFFERENCES.writtenType, DIFFERENCES.extraTerm)
    );
    this.#inPlaces = costs.map((cost) =>
      Math.min(DIFFERENCES.inPlace + cost, DIFFERENCES.extraTerm)
    );
    this.#mask = -1;
  }

  /** Returns the least score of some required terms in a place. */
  ofPlace(mask: number): number {
    return sum(this.#inPlaces, mask) * UNIT;
  }

  /** Returns the least score of some required terms, wherever they are. */
  ofTerms(mask: number): number {
    return Math.min(sum(this.#inNames, mask), DIFFERENCES.wholeName) * UNIT;
  }

  /**
   * Returns the least cost, in units, of the records of a name.
   *
   * @param mask Terms that the name matches.
   * @param missing Words of the name that match no term, or less.
   */
  ofName(mask: number, missing: number): number {
    if (mask !== this.#mask) this.#compute(mask);
    const cost = missing > 0
      ? this.#matched + missing * DIFFERENCES.missingWord
      : this.#matched;
    return this.#lacking + Math.min(cost, DIFFERENCES.wholeName);
  }

  #compute(mask: number): void {
    this.#mask = mask;
    this.#matched = sum(this.#inNames, mask & this.#required);
    this.#lacking = sum(this.#inPlaces, this.#required & ~mask);
  }
}

function sum(costs: readonly number[], mask: number): number {
  let total = 0;
  for (; mask !== 0; mask &= mask - 1) {
    total += costs[31 - Math.clz32(mask & -mask)]!;
  }
  return total;
}
