const ZERO = 0x30;
const MINUS = 0x2D;
const POINT = 0x2E;

/** Fraction digits of a coordinate. Further ones are cut off. */
const FRACTION_DIGITS = 6;

/** Value of bytes that are not a number. */
export const NO_NUMBER = -1;

/** Value of bytes that are not a coordinate. */
export const NO_COORDINATE = 0x7FFFFFFF;

/**
 * Reads digits from one position up to another.
 *
 * @returns The number, {@linkcode NO_NUMBER} for no digits, more than 9, or
 * another byte.
 */
export function readDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end <= start || end - start > 9) return NO_NUMBER;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit < 0 || digit > 9) return NO_NUMBER;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Reads a coordinate in degrees, with at most three digits before the point.
 *
 * @returns Millionths of a degree, or {@linkcode NO_COORDINATE}.
 */
export function readCoordinate(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let point = first;
  while (point < end && bytes[point] !== POINT) point++;
  const degrees = readDigits(bytes, first, point);
  if (degrees === NO_NUMBER || degrees > 180) return NO_COORDINATE;
  let value = degrees;
  const last = point + FRACTION_DIGITS;
  for (let i = point + 1; i <= last || i < end; i++) {
    const digit = i < end ? bytes[i]! - ZERO : 0;
    if (digit < 0 || digit > 9) return NO_COORDINATE;
    if (i <= last) value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}
