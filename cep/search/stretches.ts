/**
 * Building numbers of the records.
 *
 * @module
 */
import {
  containsNumber,
  type Side,
  STREET_END,
  type StreetNumber,
  type Stretch,
  type Unit,
} from "../street_number.ts";
import { type IndexArrays, STRETCH_KINDS } from "./index_layout.ts";
import { UNIT } from "./differences.ts";
import { lowerBound } from "./search_index.ts";

/** Stretches of the records of an index. */
export class Stretches {
  readonly #arrays: IndexArrays;

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
  }

  /**
   * Returns what a number adds to the score of a record: the less, the narrower
   * its stretch; more if nothing is known about its numbers; `Infinity` if the
   * number is on none of its stretches.
   */
  score(record: number, number: StreetNumber): number {
    const { stretchRecords, stretchFrom, stretchTo, stretchKinds } =
      this.#arrays;
    const { length } = stretchRecords;
    let isKnown = false;
    let least = Infinity;
    let i = lowerBound(stretchRecords, record, 0, length);
    for (; i < length && stretchRecords[i] === record; i++) {
      const kind = STRETCH_KINDS[stretchKinds[i]!]!;
      const [side, unit] = kind.split(" ") as [Side, Unit];
      const stretch = {
        from: stretchFrom[i]!,
        to: stretchTo[i]!,
        side,
        unit,
      };
      const contains = containsNumber(stretch, number);
      if (contains) least = Math.min(least, scoreWidth(stretch));
      isKnown ||= contains !== undefined;
    }
    return isKnown ? least : UNIT;
  }
}

/** Highest score of a stretch with an end, on one side. */
const MAX_CLOSED = 8;

/** Width up to which stretches are equal, as a power of two. */
const NARROW = 5;

/** Returns a score that, with the size of a municipality, is below a unit. */
function scoreWidth({ from, to, side }: Stretch): number {
  const bothSides = side === "A" && from < to ? 1 : 0;
  if (to === STREET_END) return MAX_CLOSED + (from > 2 ? 1 : 2) + bothSides;
  const width = Math.ceil(Math.log2(to - from + 1)) - NARROW;
  return Math.min(Math.max(width, 0), MAX_CLOSED) + bothSides;
}
