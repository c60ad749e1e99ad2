import { invalid } from "../core/type_error.ts";

/** Lifetime of the values of a store. */
export interface TtlOptions {
  /**
   * Seconds after the last change at which a value is deleted.
   *
   * @default {never}
   */
  ttl?: number | undefined;
  /**
   * Function that returns the time in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
}

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
