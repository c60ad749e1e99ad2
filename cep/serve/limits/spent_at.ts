import type { Spent } from "../../http/rate_limiter.ts";

/** Quotas of clients by the clock of the server. */
export interface SpentAt {
  /** Time in milliseconds. */
  readonly now: number;
  readonly spent: readonly Spent[];
}

/** Options of {@linkcode readSpentAt}. */
export interface ReadSpentAtOptions {
  /** Number of requests. */
  readonly count: number;
  /** Time in which a full quota is regained, in milliseconds. */
  readonly room: number;
}

/** Tolerance for sums of times since 1970, in milliseconds. */
const TOLERANCE_MS = 1;

/**
 * Reads the answer of the script: the time, then two numbers per request.
 *
 * @throws {RangeError} If a number is missing, or outside the quota: one such
 * answer would refuse a client for ever.
 */
export function readSpentAt(
  answer: unknown,
  { count, room }: ReadSpentAtOptions,
): SpentAt {
  const [now, ...numbers] = Array.isArray(answer) ? answer.map(toNumber) : [];
  if (now === undefined || !(now > 0) || numbers.length !== 2 * count) {
    throw unexpected();
  }
  const spent = Array.from(
    { length: count },
    (_, i) => toSpent(numbers[2 * i]!, numbers[2 * i + 1]!, room),
  );
  return { now, spent };
}

function toSpent(allowed: number, left: number, room: number): Spent {
  const isInQuota = left >= -TOLERANCE_MS && left <= room + TOLERANCE_MS;
  if (!isInQuota || (allowed !== 0 && allowed !== 1)) throw unexpected();
  return { allowed: allowed === 1, left };
}

/** Converts an integer or text; `Number` would convert nil to 0. */
function toNumber(value: unknown): number {
  const isNumber = typeof value === "number" ||
    (typeof value === "string" && /^-?[\d.]+(?:e[+-]?\d+)?$/.test(value));
  const number = isNumber ? Number(value) : NaN;
  return Number.isFinite(number) ? number : NaN;
}

function unexpected(): RangeError {
  return new RangeError("unexpected answer of the script");
}
