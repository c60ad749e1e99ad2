import { ConnectionError } from "../core/error.ts";
import { OAuth2Error } from "../core/response.ts";
import { describeError } from "../core/errors.ts";
import { TokenManagerError } from "./manager_error.ts";

/** First and longest interval in milliseconds; it doubles in between. */
const FIRST = 1000;
const LONGEST = 60_000;
/** Maximum interval that a server may set, in milliseconds. */
export const MAX_RETRY_AFTER = 3_600_000;

/** Failures of the attempts to renew a token. */
export class Backoff {
  #failures = 0;
  #last: unknown;
  #retryAt = 0;

  /** Time of the next attempt in milliseconds, or 0. */
  get retryAt(): number {
    return this.#retryAt;
  }

  /**
   * Counts a failure, and returns the time of the next attempt, after at least
   * `minimum` milliseconds.
   */
  fail(error: unknown, now: number, minimum = 0): number {
    this.#last = error;
    const { retryAfter = 0 } = describeError(error);
    const interval = Math.min(LONGEST, FIRST * 2 ** this.#failures++);
    const wait = Math.max(retryAfter * 1000, interval, minimum);
    return this.#retryAt = now + Math.min(MAX_RETRY_AFTER, wait);
  }

  /** Forgets the failures. */
  succeed(): void {
    this.#failures = this.#retryAt = 0;
    this.#last = undefined;
  }

  /**
   * Creates the error of a call before the next attempt. Without a cause,
   * another process has failed.
   */
  createError(now: number, retryAt: number): TokenManagerError {
    const cause = this.#last;
    const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000));
    const { kind, retryable, message } = cause === undefined
      ? {
        kind: "http",
        retryable: true,
        message: "another process failed",
      } as const
      : describeError(cause);
    return new TokenManagerError(
      `Cannot get a token: ${message}; next attempt in ${seconds} s`,
      { code: "refresh_failed", kind, retryable, retryAfter: seconds, cause },
    );
  }
}

/**
 * Returns true if the server may have acted, or may still act, on a refresh
 * that failed: it may have replaced the refresh token.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof OAuth2Error) return [502, 504].includes(error.status);
  // It is retryable if nothing was sent.
  if (!(error instanceof ConnectionError) || error.retryable) return false;
  return !/certificate|CERT_/.test(error.message);
}
