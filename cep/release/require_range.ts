/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/**
 * Refuses a number out of a range.
 *
 * @param name Name of the option.
 * @throws {RangeError} If it is out of the range, or not a number.
 */
export function requireRange(
  name: string,
  value: number,
  [min, max]: readonly [min: number, max: number],
): void {
  if (typeof value === "number" && value >= min && value <= max) return;
  throw new RangeError(
    `Cannot open the database: ${name} is ${value}; it must be a number ` +
      `from ${min} to ${max}`,
  );
}
