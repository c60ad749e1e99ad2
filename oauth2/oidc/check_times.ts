import { type Fail, failing } from "../core/validation_error.ts";

/** Rules for times. */
export interface TimeRules {
  /** Name of the JWT in messages, e.g. `ID token`. */
  readonly name: string;
  /** Time in seconds since 1970. */
  readonly now: number;
  /** Maximum difference between the clocks, in seconds. */
  readonly tolerance: number;
  /** Claims that must not be missing. */
  readonly required: readonly string[];
}

/** Returns true for a time in seconds since 1970. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * Validates `exp`, `iat` and `nbf`.
 *
 * @throws {ValidationError} If the JWT has expired, is not valid yet, or has a
 * time that is not a number.
 */
export function checkTimes(
  claims: Readonly<Record<string, unknown>>,
  { name, now, tolerance, required }: TimeRules,
): void {
  const fail: Fail = failing(`validate the ${name}`);
  const allowed = `clockTolerance allows ${tolerance}`;
  for (const claim of ["exp", "iat", "nbf"] as const) {
    const time = claims[claim];
    if (time === undefined && !required.includes(claim)) continue;
    if (!isTime(time)) fail(`invalid_${claim}`, `${claim} is not a number`);
    const ahead = Number(time) - now;
    if (claim === "exp") {
      if (ahead > -tolerance) continue;
      fail("expired", `it expired ${-ahead} s ago; ${allowed}`);
    }
    if (ahead <= tolerance) continue;
    fail(`invalid_${claim}`, `${claim} is ${ahead} s ahead; ${allowed}`);
  }
}
