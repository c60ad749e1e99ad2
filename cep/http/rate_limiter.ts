import { type Allocate, plainMemory } from "../util/memory.ts";
import { QuotaTable } from "./quota_table.ts";

/** Limit of the requests of each client. */
export interface Quota {
  /** Requests that a client regains per window. */
  readonly max: number;
  /** Additional requests that a client may send in a burst. */
  readonly burst: number;
  /** Length of the window in minutes. */
  readonly minutes: number;
}

/** Clients that are remembered at least. */
const CLIENTS = 100_000;

/** Options of {@linkcode RateLimiter}. */
export interface RateLimiterOptions extends Quota {
  /**
   * Memory of the quotas, from {@linkcode RateLimiter.allocate}. Limiters of
   * several threads that share it are one.
   *
   * @default {memory of this limiter alone}
   */
  readonly memory?: ArrayBufferLike;
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

/** Quotas of clients, in this process or shared with others. */
export interface RateLimitStore {
  /**
   * Takes one request from the quota of a client.
   *
   * @param now Current time in milliseconds, by a monotonic clock.
   */
  spend(client: string, now: number): Allowance | Promise<Allowance>;
  /** State of a store that is shared with other processes. */
  readonly sharing?: Sharing | undefined;
}

/** State of a store that is shared with other processes. */
export interface Sharing {
  /** False while requests are counted in this process alone. */
  readonly isShared: boolean;
  /** Number of requests counted in this process alone. */
  readonly localRequests: number;
}

/** Quota of a client after a request, by the time that it represents. */
export interface Spent {
  /** True if the request is allowed. */
  readonly allowed: boolean;
  /** Time of the requests left, in milliseconds. */
  readonly left: number;
}

/** Tolerance for rounding errors in sums of intervals. */
export const ROUNDING_MS = 0.01;

/** Times of a {@linkcode Quota}, in milliseconds. */
export class QuotaTimes {
  /** Requests in a full bucket. */
  readonly capacity: number;
  /** Time in which one request is regained. */
  readonly interval: number;
  /** Time in which a full bucket is regained. */
  readonly room: number;

  constructor({ max, burst, minutes }: Quota) {
    this.capacity = max + burst;
    this.interval = minutes * 60_000 / max;
    this.room = this.capacity * this.interval;
  }

  /** Converts times into requests and seconds. */
  allowance({ allowed, left }: Spent): Allowance {
    const remaining = Math.max(
      0,
      Math.floor((left + ROUNDING_MS) / this.interval),
    );
    const wait = (remaining + 1) * this.interval - left;
    return {
      allowed,
      remaining,
      waitSeconds: Math.ceil((wait - ROUNDING_MS) / 1000),
    };
  }
}

/**
 * Token bucket per client, stored as the time at which it will be full again
 * (generic cell rate algorithm). Each request moves that time by one interval.
 */
export class RateLimiter implements RateLimitStore {
  readonly #times: QuotaTimes;
  readonly #fullAt: QuotaTable;

  constructor({ memory, ...quota }: RateLimiterOptions) {
    this.#times = new QuotaTimes(quota);
    this.#fullAt = new QuotaTable(memory ?? RateLimiter.allocate(plainMemory));
  }

  /** Allocates the memory of the quotas. */
  static allocate(allocate: Allocate, clients = CLIENTS): ArrayBufferLike {
    return QuotaTable.allocate(clients, allocate);
  }

  /** Requests in a full bucket. */
  get capacity(): number {
    return this.#times.capacity;
  }

  /**
   * Takes one request from the quota of a client.
   *
   * @param now Current time in milliseconds.
   */
  spend(client: string, now: number): Allowance {
    return this.#times.allowance(this.take(client, now));
  }

  /** Takes one request from the quota of a client, like `spend`. */
  take(client: string, now: number): Spent {
    const { room, interval } = this.#times;
    const span = room + ROUNDING_MS;
    const before = this.#fullAt.advance(client, now, interval, span);
    const after = before + interval;
    const allowed = after - now <= span;
    return { allowed, left: room - ((allowed ? after : before) - now) };
  }

  /** Returns the refusal of a request, `undefined` if it would be allowed. */
  refusal(client: string, now: number): Allowance | undefined {
    const fullAt = this.#fullAt.get(client);
    if (fullAt === undefined) return undefined;
    const { room, interval } = this.#times;
    if (fullAt + interval - now <= room + ROUNDING_MS) return undefined;
    return this.#times.allowance({
      allowed: false,
      left: room - (fullAt - now),
    });
  }

  /** Sets the quota of a client to that of another store at a time. */
  learn(client: string, left: number, now: number): void {
    this.#fullAt.set(client, now, now + this.#times.room - left);
  }
}
