/** Statuses of failures that may pass. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Longest wait before the first retry; it doubles with each. */
const FIRST_DELAY_MS = 500;

/** True if a later try may succeed. */
export function isPassing(status: number): boolean {
  return PASSING.has(status);
}

/**
 * Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
 *
 * @returns Seconds, or `undefined` for any other text.
 */
export function parseRetryAfter(
  text: string | null,
  now: number,
): number | undefined {
  if (text === null) return undefined;
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed);
  // Date.parse would accept numbers and other forms.
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(trimmed)) return undefined;
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/**
 * Returns the milliseconds to wait before a retry, at random in the upper half
 * of a range that doubles.
 *
 * @param retry Number of the retry, from 0.
 */
export function backoff(retry: number, random: () => number): number {
  const limit = FIRST_DELAY_MS * 2 ** retry;
  return limit / 2 + random() * limit / 2;
}
