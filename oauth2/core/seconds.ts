import { invalid } from "./type_error.ts";

/** Seconds of 300 years: more is a mistake, e.g. a time in milliseconds. */
const MAX_SECONDS = 1e10;

/**
 * Checks the maximum difference between clocks: with more than an hour, expired
 * tokens would be accepted.
 *
 * @throws {TypeError} If it is not a number from 0 to 3600.
 */
export function checkTolerance(clockTolerance: unknown): void {
  checkSeconds("clockTolerance", clockTolerance, 3600);
}

/**
 * Checks a number of seconds.
 *
 * @throws {TypeError} If it is not a number from 0 to `max`.
 */
export function checkSeconds(
  name: string,
  value: unknown,
  max = MAX_SECONDS,
): void {
  if (typeof value === "number" && value >= 0 && value <= max) return;
  throw invalid(
    `Cannot use ${name} ${value}: it must be a number of seconds, 0 to ${max}`,
  );
}
