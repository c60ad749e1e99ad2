/** Number of units in a degree. */
const UNITS = 100_000;

/** Rounds an angle in degrees to units. */
export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS);
}

/** Returns the degrees of a number of units. */
export function toDegrees(units: number): number {
  return units / UNITS;
}

/** Formats a number of units as degrees with five decimals. */
export function formatDegrees(units: number): string {
  const size = Math.abs(units);
  const whole = Math.floor(size / UNITS);
  const rest = size - whole * UNITS;
  const high = Math.floor(rest / 100);
  return (units < 0 ? "-" : "") + whole + POINTS[high]! +
    PAIRS[rest - high * 100]!;
}

/** Decimal point and three digits. */
const POINTS: readonly string[] = digits(3).map((text) => `.${text}`);

/** Two digits. */
const PAIRS: readonly string[] = digits(2);

function digits(length: number): string[] {
  return Array.from(
    { length: 10 ** length },
    (_, i) => `${i}`.padStart(length, "0"),
  );
}
