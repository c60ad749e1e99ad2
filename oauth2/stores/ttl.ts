/**
 * Lifetime of stored values.
 *
 * @module
 */
import { invalid } from "../type_error.ts";

/**
 * Checks a lifetime in seconds.
 *
 * @throws {TypeError} If it is not a whole number, 1 or more.
 */
export function checkTtl(ttl: number | undefined): void {
  if (ttl === undefined || Number.isSafeInteger(ttl) && ttl >= 1) return;
  throw invalid(
    `Cannot use ttl ${ttl}: it must be a whole number of seconds, 1 or more`,
  );
}
