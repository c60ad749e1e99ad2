import {
  distanceFromSeen,
  rangeOnSide,
  type SeenNumbers,
} from "../record/seen_numbers.ts";
import {
  containsNumber,
  type Side,
  STREET_END,
  type StreetNumber,
  type Stretch,
  type Unit,
} from "../record/street_number.ts";
import { type IndexArrays, STRETCH_KINDS } from "./index_layout.ts";

import { readSeen } from "./seen_column.ts";
import { lowerBound } from "../util/bisect.ts";

/** Score of a record about whose numbers nothing is known. */
export const UNIT = 32;

/** Stretches of the records of an index, and the numbers that were seen. */
export class Stretches {
  readonly #arrays: IndexArrays;
  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
  }

  /**
   * Returns how well a number fits a record: the less, the narrower its stretch;
   * more if the number is only between those that were seen, {@linkcode UNIT} if
   * nothing is known, and more if it is beyond those; `Infinity` if it is on none
   * of the stretches.
   */
  fit(record: number, number: StreetNumber): number {
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
    if (isKnown) return least;
    const seen = this.seen(record);
    return seen === undefined ? UNIT : scoreSeen(seen, number);
  }

  /** Returns the numbers that were seen at a record without a stretch. */
  seen(record: number): SeenNumbers | undefined {
    return readSeen(this.#arrays.seenNumbers, record);
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

/** Score of a narrow range of numbers that were seen: above every stretch. */
const SEEN = MAX_CLOSED + 4;

/** Highest score of a distance from the numbers that were seen. */
const MAX_DISTANCE = 8;

/** Returns a score below a unit only for a number between those seen. */
function scoreSeen(seen: SeenNumbers, number: StreetNumber): number {
  const distance = distanceFromSeen(seen, number);
  if (distance === undefined) return UNIT;
  if (distance > 0) {
    return UNIT + Math.min(Math.ceil(Math.log2(distance + 1)), MAX_DISTANCE);
  }
  const [from, to] = rangeOnSide(seen, number.value)!;
  return SEEN + scoreWidth({ from, to, side: "P", unit: "number" });
}
