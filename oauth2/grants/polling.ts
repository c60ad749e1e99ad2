import type { GrantParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { ConnectionError } from "../core/error.ts";
import { OAuth2Error } from "../core/response.ts";
import { parseSeconds } from "../core/seconds.ts";
import { SharedCall } from "../core/shared_call.ts";
import type { AccessToken } from "../core/token.ts";

/** Waits for some milliseconds, or rejects with the reason of the signal. */
export type Wait = (
  milliseconds: number,
  signal: AbortSignal,
) => Promise<unknown>;

/** Options for polling. */
export interface PollingOptions {
  /**
   * Waits between two requests.
   *
   * @default {a timer}
   */
  wait?: Wait | undefined;
}

/** Names of {@linkcode PollingOptions}. */
export const POLLING_OPTIONS: {
  readonly [name in keyof PollingOptions]-?: true;
} = { wait: true };

/** Expiry of a login and the interval of its token requests, in seconds. */
export interface PollingLimits extends PollingOptions {
  /** Time of expiry in seconds since 1970. */
  readonly expiresAt: number;
  readonly interval: number;
}

/** Request that is repeated, and its limits. */
export interface Polling<T> extends PollingLimits {
  /** Requests the token. */
  readonly request: (signal: AbortSignal) => Promise<T>;
  /**
   * Seconds before the first request.
   *
   * @default {`interval`}
   */
  readonly delay?: number | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Default of `interval` in seconds (RFC 8628 section 3.2). */
const DEFAULT_INTERVAL = 5;
/** Shortest interval in seconds. */
const SHORTEST_INTERVAL = 1;
/** Seconds that `slow_down` adds to the interval (RFC 8628 section 3.5). */
const SLOW_DOWN = 5;
/** Longest interval in seconds after failed connections. */
const LONGEST_BACKOFF = 60;
/** Maximum delay of `setTimeout` in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/**
 * Expiry of a request before the user answered it. Start another one.
 */
export class ExpiredError extends Error {
  /** Always `ExpiredError`. */
  override readonly name = "ExpiredError";
  /** Always `timeout`. */
  readonly kind = "timeout";
  /** Always `expired_token`. */
  readonly code = "expired_token";
  /** Always false: the same request stays expired. */
  readonly retryable = false;

  /** Creates an error; the cause is the error of the server, if any. */
  constructor(options?: ErrorOptions) {
    super("Cannot get a token: the request expired before an answer", options);
  }
}

/** Token of a login that the user approves on another device. */
export class PolledToken<T extends AccessToken> {
  readonly #client: Client<T>;
  readonly #grant: GrantParams;
  readonly #limits: PollingLimits;
  readonly #polling = new SharedCall<T>();

  /** `grant` has the parameters of the token requests. */
  constructor(client: Client<T>, grant: GrantParams, limits: PollingLimits) {
    this.#client = client;
    this.#grant = grant;
    this.#limits = limits;
  }

  /**
   * Waits for the token. Concurrent calls with equal parameters share the
   * requests.
   */
  async get(params: GrantParams, delay?: number): Promise<T> {
    const client = this.#client;
    const { signal = client.connectionOpts.signal, ...sent } = params;
    return await this.#polling.join(
      (signal) =>
        poll({
          ...this.#limits,
          delay,
          signal,
          now: () => client.now(),
          request: (signal) =>
            client.getToken({
              ...sent,
              ...this.#grant,
              raiseErrors: true,
              signal,
            }),
        }),
      signal,
      sent,
    );
  }
}

/**
 * Repeats a token request until the user has answered.
 *
 * `slow_down` makes the interval longer for good; a failed connection or a
 * temporary error doubles it until the next answer.
 *
 * @throws {ExpiredError} If the request expires.
 * @throws {OAuth2Error} If the server or the user refuses.
 * @throws {ConnectionError} If a connection fails for good, e.g. for its
 * certificate.
 */
export async function poll<T>(polling: Polling<T>): Promise<T> {
  const { request, expiresAt, now, signal, wait = waitFor } = polling;
  let pause = polling.delay ?? polling.interval;
  // With an interval of 0, a pending request would be repeated at full speed.
  let interval = Math.max(SHORTEST_INTERVAL, polling.interval);
  for (;;) {
    const left = Math.max(0, expiresAt * 1000 - now());
    await wait(Math.min(pause * 1000, left, MAX_DELAY), signal);
    signal.throwIfAborted();
    if (expiresAt * 1000 <= now()) throw new ExpiredError();
    try {
      return await request(signal);
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof OAuth2Error ? error.code : undefined;
      if (code === "expired_token") throw new ExpiredError({ cause: error });
      if (code === "slow_down") pause = interval += SLOW_DOWN;
      else if (code === "authorization_pending") pause = interval;
      else if (isTemporary(error)) {
        const { retryAfter = 0 } = error as Partial<OAuth2Error>;
        const longest = Math.max(interval, LONGEST_BACKOFF);
        pause = Math.min(Math.max(interval, 2 * pause), longest);
        pause = Math.max(pause, retryAfter);
      } else throw error;
    }
  }
}

function isTemporary(error: unknown): boolean {
  return (error instanceof OAuth2Error || error instanceof ConnectionError) &&
    error.retryable;
}

/** Reads `interval`: its default if it is missing or unusable. */
export function readInterval(value: unknown): number {
  const seconds = parseSeconds(value) ?? DEFAULT_INTERVAL;
  return seconds >= 0 ? seconds : DEFAULT_INTERVAL;
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
