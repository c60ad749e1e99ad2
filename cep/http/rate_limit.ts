/**
 * A limit on how often one client may ask.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { isIPv6 } from "node:net";
import { HttpError } from "./errors.ts";
import type { Exchange, Middleware } from "./exchange.ts";

/** Options of {@linkcode RateLimiter}. */
export interface RateLimiterOptions {
  /** Requests that a client regains per window. */
  readonly max: number;
  /** Requests that a client may spend at once on top of these. */
  readonly burst: number;
  /** Length of the window in minutes. */
  readonly minutes: number;
  /**
   * Clients that are remembered; of more, the one silent for longest is
   * forgotten.
   *
   * @default {100_000}
   */
  readonly maxClients?: number;
}

/** What a client may still spend. */
export interface Allowance {
  /** Whether this request may pass. */
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until everything is regained. */
  readonly resetSeconds: number;
  /** Seconds until a request may pass. */
  readonly retrySeconds: number;
}

/** Sums of intervals are not exact. */
const ROUNDING_MS = 0.01;

/**
 * A bucket a client, kept as the one moment when it will be full again (the
 * generic cell rate algorithm): a request moves it one interval ahead.
 */
export class RateLimiter {
  /** Requests in a full bucket. */
  readonly capacity: number;
  readonly #interval: number;
  readonly #fullAt: LRUCache<string, number>;

  constructor(
    { max, burst, minutes, maxClients = 100_000 }: RateLimiterOptions,
  ) {
    this.capacity = max + burst;
    this.#interval = minutes * 60_000 / max;
    this.#fullAt = new LRUCache({ max: maxClients });
  }

  /** Clients that are remembered. */
  get clients(): number {
    return this.#fullAt.size;
  }

  /**
   * Spends one request of a client.
   *
   * @param now The time in milliseconds.
   */
  spend(client: string, now: number): Allowance {
    const before = Math.max(this.#fullAt.get(client) ?? now, now);
    const after = before + this.#interval;
    const room = this.capacity * this.#interval;
    const excess = after - now - room;
    const allowed = excess <= ROUNDING_MS;
    if (allowed) this.#fullAt.set(client, after);
    const spent = (allowed ? after : before) - now;
    const left = Math.floor((room - spent + ROUNDING_MS) / this.#interval);
    return {
      allowed,
      remaining: Math.max(0, left),
      resetSeconds: Math.ceil((spent - ROUNDING_MS) / 1000),
      retrySeconds: allowed ? 0 : Math.ceil((excess - ROUNDING_MS) / 1000),
    };
  }
}

const HEADERS =
  "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After";

/**
 * Limits each client. Requests on routes that are free pass, and so do all when
 * the server does not tell where they come from.
 *
 * @param clientOf The address of the client.
 * @param now The time in milliseconds.
 */
export function rateLimit(
  options: RateLimiterOptions,
  clientOf: (exchange: Exchange) => string | undefined,
  now: () => number,
): Middleware {
  const limiter = new RateLimiter(options);
  return (next) => async (exchange) => {
    const client = exchange.route.free ? undefined : clientOf(exchange);
    if (client === undefined) return await next(exchange);
    const allowance = limiter.spend(network(client), now());
    const { headers } = exchange;
    // Scripts of other origins see these only when told so.
    headers["access-control-expose-headers"] = HEADERS;
    headers["ratelimit-limit"] = `${limiter.capacity}`;
    headers["ratelimit-remaining"] = `${allowance.remaining}`;
    headers["ratelimit-reset"] = `${allowance.resetSeconds}`;
    if (allowance.allowed) return await next(exchange);
    headers["retry-after"] = `${allowance.retrySeconds}`;
    throw new HttpError("rate_limited");
  };
}

/** One IPv6 customer has a whole /64 of addresses. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  if (tail !== undefined) {
    const after = tail.split(":").filter((group) => group !== "");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  return groups.slice(0, 4).map((group) => parseInt(group, 16)).join(":");
}
