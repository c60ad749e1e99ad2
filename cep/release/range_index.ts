import type { CepRange } from "./gazetteer.ts";
import { bisect } from "../util/bisect.ts";

/** Range and its owner. */
export interface OwnedRange<T> extends CepRange {
  readonly owner: T;
}

/** Finds the narrowest range that contains a CEP. */
export class RangeIndex<T> {
  /** In order of the first CEP. */
  readonly #ranges: readonly OwnedRange<T>[];
  /** Highest last CEP of each range and all before it. */
  readonly #reach: readonly number[];

  constructor(ranges: readonly OwnedRange<T>[]) {
    this.#ranges = ranges.toSorted((a, b) => a.first - b.first);
    let reach = -1;
    this.#reach = this.#ranges.map(({ last }) => reach = Math.max(reach, last));
  }

  /** Returns the owner of the narrowest range that contains a CEP. */
  find(cep: number): T | undefined {
    let found: OwnedRange<T> | undefined;
    for (
      let i = this.#lastUpTo(cep);
      i >= 0 && this.#reach[i]! >= cep;
      i--
    ) {
      const range = this.#ranges[i]!;
      if (range.last < cep) continue;
      if (found === undefined || width(range) < width(found)) found = range;
    }
    return found?.owner;
  }

  /** Returns the index of the last range that begins at a CEP or before it. */
  #lastUpTo(cep: number): number {
    const { length } = this.#ranges;
    return bisect(length, (i) => this.#ranges[i]!.first <= cep) - 1;
  }
}

function width({ first, last }: CepRange): number {
  return last - first;
}
