import {
  type Allowance,
  type Quota,
  QuotaTimes,
  RateLimiter,
  type RateLimitStore,
  type Sharing,
  type Spent,
} from "../../http/rate_limiter.ts";
import { later, type Schedule } from "../../util/later.ts";
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";

/** Counter of requests outside this process. */
export interface SharedCounter {
  /** Name for the log, without secrets. */
  readonly name: string;
  /**
   * Kind for the log.
   *
   * @default {"Rate limit store"}
   */
  readonly kind?: string;
  /** Takes one request per item, in order, from the quotas of clients. */
  spend(clients: readonly string[]): Promise<readonly Spent[]>;
  /** Rejects unless requests can be counted again. */
  probe(): Promise<void>;
  /** Ends a connection that failed; the next one is opened by itself. */
  reconnect(): void;
  /** Ends its use. */
  close(): void;
}

/** Options of {@linkcode SharedLimiter}. */
export interface SharedLimiterOptions {
  readonly quota: Quota;
  readonly counter: SharedCounter;
  /** Logger of the loss of the counter, and of its return. */
  readonly logger: Logger;
  /**
   * Milliseconds to wait for the counter.
   *
   * @default {100}
   */
  readonly boundMs?: number;
  /**
   * Milliseconds between two attempts to use a lost counter; up to a minute
   * if it is lost again soon after it has come back.
   *
   * @default {1000}
   */
  readonly probeMs?: number;
  /**
   * Monotonic clock, in milliseconds.
   *
   * @default {performance.now}
   */
  readonly now?: () => number;
  /**
   * Calls a function later; returns a function that cancels the call.
   *
   * @default {setTimeout}
   */
  readonly schedule?: Schedule;
}

/** Maximum number of requests that are counted by one call. */
const MAX_BATCH = 500;

/**
 * Milliseconds between two calls while requests arrive faster than they are
 * counted. A call costs as much processor time as several requests.
 */
const PACE_MS = 1;

/** Most milliseconds until the first attempt to use a lost counter. */
const MAX_PROBE_MS = 60_000;

/** Times of the last wait within which another loss doubles the wait. */
const SOON = 10;

interface Waiting {
  readonly client: string;
  readonly now: number;
  readonly resolve: (allowance: Allowance) => void;
}

/**
 * Quotas in a shared counter. Requests that arrive together, or while the
 * counter is in use, are counted by one call. The last quota of each client is
 * also kept in this process, for two reasons: a client without requests left is
 * refused until it regains one, without asking the counter, because no other
 * process can change that; and if the counter is lost or late, requests are
 * counted here alone, from the last quotas on, until it is back.
 */
export class SharedLimiter implements RateLimitStore, Disposable {
  readonly #counter: SharedCounter;
  readonly #logger: Logger;
  readonly #times: QuotaTimes;
  readonly #local: RateLimiter;
  readonly #boundMs: number;
  readonly #probeMs: number;
  /** Wait after the last loss. */
  #waitMs = 0;
  /** Time at which the counter was last back. */
  #backAt = -Infinity;
  readonly #now: () => number;
  readonly #schedule: Schedule;
  #waiting: Waiting[] = [];
  #sent: readonly Waiting[] = [];
  #isSending = false;
  /** Time at which the counter was lost. */
  #lostAt: number | undefined;
  #localRequests = 0;
  readonly #kind: string;
  #cancelProbe = () => {};
  #isClosed = false;

  constructor(options: SharedLimiterOptions) {
    this.#counter = options.counter;
    this.#kind = options.counter.kind ?? "Rate limit store";
    this.#logger = options.logger;
    this.#times = new QuotaTimes(options.quota);
    this.#local = new RateLimiter(options.quota);
    this.#boundMs = options.boundMs ?? 100;
    this.#probeMs = options.probeMs ?? 1000;
    this.#now = options.now ?? (() => performance.now());
    this.#schedule = options.schedule ?? later;
  }

  /** State of the counter. */
  get sharing(): Sharing {
    return {
      isShared: this.#lostAt === undefined,
      localRequests: this.#localRequests,
    };
  }

  /**
   * Tries the counter before the first request. Without it, requests are
   * counted in this process.
   */
  async start(boundMs: number): Promise<void> {
    try {
      await this.#inTime(this.#counter.probe(), boundMs);
    } catch (error) {
      this.#lose(error);
    }
  }

  /** Takes one request from the quota of a client. */
  spend(client: string, now: number): Allowance | Promise<Allowance> {
    if (this.#lostAt !== undefined) return this.#spendLocally(client, now);
    const refusal = this.#local.refusal(client, now);
    if (refusal !== undefined) return refusal;
    return new Promise((resolve) => {
      this.#waiting.push({ client, now, resolve });
      if (this.#isSending) return;
      this.#isSending = true;
      // After all requests that have already arrived.
      setImmediate(() => this.#send());
    });
  }

  /** Closes the counter. Requests are then counted in this process. */
  close(): void {
    this.#isClosed = true;
    this.#cancelProbe();
    this.#counter.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #spendLocally(client: string, now: number): Allowance {
    this.#localRequests++;
    return this.#local.spend(client, now);
  }

  /** Has all waiting requests counted, one batch after another. */
  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const sent = this.#waiting.splice(0, MAX_BATCH);
      this.#sent = sent;
      try {
        const clients = sent.map(({ client }) => client);
        this.#answer(
          sent,
          await this.#inTime(this.#counter.spend(clients), this.#boundMs),
        );
      } catch (error) {
        this.#lose(error);
      } finally {
        this.#sent = [];
      }
      if (sent.length > 1) {
        this.#schedule(() => this.#send(), PACE_MS);
        return;
      }
    }
    this.#isSending = false;
  }

  #answer(sent: readonly Waiting[], answers: readonly Spent[]): void {
    for (const [i, { client, now, resolve }] of sent.entries()) {
      const spent = answers[i]!;
      // The counter's time of this request was not before `now`.
      this.#local.learn(client, spent.left, now);
      resolve(this.#times.allowance(spent));
    }
  }

  /** Counts in this process until the counter is back. */
  #lose(error: unknown): void {
    this.#lostAt = this.#now();
    const affected = [...this.#sent, ...this.#waiting.splice(0)];
    for (const { client, now, resolve } of affected) {
      resolve(this.#spendLocally(client, now));
    }
    if (this.#isClosed) return;
    this.#logger.warn(
      `${this.#kind} lost: this process counts requests alone`,
      { store: this.#counter.name, error: reasonOf(error) },
    );
    this.#counter.reconnect();
    this.#waitMs = this.#nextWait(this.#lostAt);
    this.#probeLater(this.#waitMs);
  }

  /** Returns a longer wait for a counter that works only for probes. */
  #nextWait(now: number): number {
    return now - this.#backAt < SOON * this.#waitMs
      ? Math.max(Math.min(2 * this.#waitMs, MAX_PROBE_MS), this.#probeMs)
      : this.#probeMs;
  }

  #probeLater(ms: number): void {
    this.#cancelProbe = this.#schedule(() => this.#probe(), ms);
  }

  async #probe(): Promise<void> {
    try {
      await this.#inTime(this.#counter.probe(), this.#boundMs);
    } catch {
      if (this.#isClosed) return;
      this.#counter.reconnect();
      this.#probeLater(this.#probeMs);
      return;
    }
    if (this.#isClosed || this.#lostAt === undefined) return;
    const seconds = Math.round((this.#now() - this.#lostAt) / 1000);
    this.#lostAt = undefined;
    this.#backAt = this.#now();
    this.#logger.info(`${this.#kind} is back: requests are counted there`, {
      store: this.#counter.name,
      seconds,
    });
  }

  /** Awaits a promise; rejects if it takes too long. */
  #inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#schedule(() => {
        // A late timer of a busy process: the answer may have arrived.
        setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
      }, ms);
      promise.then(resolve, reject).finally(cancel);
    });
  }
}
