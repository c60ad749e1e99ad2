import type { CensusRow } from "../record/census.ts";

/** Numbers by the first two digits of the IBGE code. */
export type ByState = ReadonlyMap<string, number>;

/** Numbers of CEPs by state. */
export class StateCounts {
  readonly #codes = new Map<string, number>();
  readonly #places = new Map<string, number>();

  /** CEPs. */
  get codes(): ByState {
    return this.#codes;
  }

  /** CEPs with coordinates. */
  get places(): ByState {
    return this.#places;
  }

  /** Counts a row. */
  add({ ibge, point }: Pick<CensusRow, "ibge" | "point">): void {
    const state = ibge.slice(0, 2);
    increment(this.#codes, state);
    if (point !== null) increment(this.#places, state);
  }
}

function increment(counts: Map<string, number>, state: string): void {
  counts.set(state, (counts.get(state) ?? 0) + 1);
}
