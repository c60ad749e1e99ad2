/**
 * Reads the value of an option that is a whole number.
 *
 * @throws {TypeError} If it is not a whole number from `least` to `most`.
 */
export function parseNumber(
  name: string,
  text: string,
  least: number,
  most: number,
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new TypeError(
    `${name} must be a whole number from ${least} to ${most}, not "${text}"`,
  );
}
