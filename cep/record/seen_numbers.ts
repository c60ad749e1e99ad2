import type { NumberRange } from "./census.ts";
import type { StreetNumber } from "./street_number.ts";

/** Lowest and highest building numbers that were seen, by side. */
export interface SeenNumbers {
  /** Odd numbers, `null` if none was seen. */
  readonly odd: NumberRange | null;
  /** Even numbers, `null` if none was seen. */
  readonly even: NumberRange | null;
}

/** Distance that is added where no number on the side was seen. */
const OTHER_SIDE = 100;

/** Returns the range of the numbers on the side of a number. */
export function rangeOnSide(
  { odd, even }: SeenNumbers,
  value: number,
): NumberRange | null {
  return value % 2 === 1 ? odd : even;
}

/**
 * Returns the distance of a number from those that were seen on its side; 0 if
 * it is between them. Buildings come after a census, so that a number beyond
 * them does not exclude a CEP.
 *
 * @returns `undefined` if nothing is known: for metres, or without any number.
 */
export function distanceFromSeen(
  seen: SeenNumbers,
  { value, unit }: StreetNumber,
): number | undefined {
  if (unit !== "number") return undefined;
  const side = rangeOnSide(seen, value);
  if (side !== null) return distance(side, value);
  const other = rangeOnSide(seen, value + 1);
  return other === null ? undefined : distance(other, value) + OTHER_SIDE;
}

function distance([from, to]: NumberRange, value: number): number {
  return Math.max(from - value, value - to, 0);
}
