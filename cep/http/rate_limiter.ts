/**
 * Rate limit of each client.
 *
 * @module
 */
import { LRUCache } from "lru-cache";

/** Options of {@linkcode RateLimiter}. */
export interface RateLimiterOptions {
  /** Requests that a client regains per window. */
  readonly max: number;
  /** Requests that a client may spend at once on top of these. */
  readonly burst: number;
  /** Length of the window in minutes. */
  readonly minutes: number;
  /**
   * Clients that are remembered; of more, the least recently seen is forgotten.
   *
   * @default {100_000}
   */
  readonly maxClients?: number;
}

/** Requests that a client has left. */
export interface Allowance {
  /** True if this request may pass. */
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until one more may. */
  readonly waitSeconds: number;
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
