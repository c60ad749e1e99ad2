/**
 * Request quotas of clients.
 *
 * @module
 */
import { LRUCache } from "lru-cache";

/** Options of {@linkcode RateLimiter}. */
export interface RateLimiterOptions {
  /** Requests that a client regains per window. */
  readonly max: number;
  /** Additional requests that a client may send in a burst. */
  readonly burst: number;
  /** Length of the window in minutes. */
  readonly minutes: number;
  /**
   * Maximum number of clients; the least recently seen one is evicted.
   *
   * @default {100_000}
   */
  readonly maxClients?: number;
}

/** Quota of a client after a request. */
export interface Allowance {
  /** True if the request is allowed. */
  readonly allowed: boolean;
  /** Number of requests left. */
  readonly remaining: number;
  /** Seconds until one more request is regained. */
  readonly waitSeconds: number;
}

/** Tolerance for rounding errors in sums of intervals. */
const ROUNDING_MS = 0.01;

/**
 * Token bucket per client, stored as the time at which it will be full again
 * (generic cell rate algorithm). Each request moves that time by one interval.
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

  /** Number of clients in memory. */
  get clients(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes one request from the quota of a client.
   *
   * @param now Current time in milliseconds.
   */
  spend(client: string, now: number): Allowance {
    const room = this.capacity * this.#interval;
    const before = Math.max(this.#fullAt.get(client) ?? now, now);
    const after = before + this.#interval;
    const allowed = after - now <= room + ROUNDING_MS;
    if (allowed) this.#fullAt.set(client, after);
    const left = room - ((allowed ? after : before) - now);
    const remaining = Math.max(
      0,
      Math.floor((left + ROUNDING_MS) / this.#interval),
    );
    const wait = (remaining + 1) * this.#interval - left;
    return {
      allowed,
      remaining,
      waitSeconds: Math.ceil((wait - ROUNDING_MS) / 1000),
    };
  }
}
