/**
 * Sets of terms, as masks.
 *
 * @module
 */
import type { Term } from "./terms.ts";

/** Returns the bits of terms. */
export function toMask(terms: readonly Term[]): number {
  return terms.reduce((mask, { bit }) => mask | bit, 0);
}

/** Returns the number of terms in a mask. */
export function countBits(mask: number): number {
  let count = 0;
  for (; mask !== 0; mask &= mask - 1) count++;
  return count;
}

/** Returns the first of the terms with the least value. */
export function least(
  terms: readonly Term[],
  value: (term: Term) => number,
): Term | undefined {
  let best: Term | undefined;
  for (const term of terms) {
    if (best === undefined || value(term) < value(best)) best = term;
  }
  return best;
}
