/**
 * Quotas of clients, as the supervisor lends them to workers.
 *
 * @module
 */
import {
  type Quota,
  QuotaTimes,
  RateLimiter,
  type Spent,
} from "../http/rate_limiter.ts";

/** Requests taken, and lent in addition, after a {@linkcode Lender.spend}. */
export interface Loan extends Spent {
  /** Further requests that the worker may answer without asking. */
  readonly lent: number;
}

/** Options of {@linkcode Lender}. */
export interface LenderOptions {
  readonly quota: Quota;
  /** Number of workers. */
  readonly workers: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /**
   * Asks a worker to return what it was lent for clients. Resolves when it has
   * done so, has ended, or takes too long.
   */
  readonly recall: (
    worker: number,
    clients: readonly string[],
  ) => Promise<void>;
}

/**
 * Quotas of clients. A worker that asks for a request of a client is lent a
 * part of the client's other requests, so that it need not ask for each one. A
 * client is refused only after the other workers have returned what they were
 * lent for it: the workers together allow exactly what one process would.
 */
export class Lender {
  readonly #times: QuotaTimes;
  readonly #limiter: RateLimiter;
  readonly #options: LenderOptions;
  /** Number of recalls under way, by client. */
  readonly #recalls = new Map<string, number>();
  /** Requests lent, by client and worker, some of which may be used. */
  readonly #loans = new Map<string, Map<number, number>>();

  constructor(options: LenderOptions) {
    this.#options = options;
    this.#times = new QuotaTimes(options.quota);
    this.#limiter = new RateLimiter(options.quota);
  }

  /** Number of clients of which requests are lent. */
  get clients(): number {
    return this.#loans.size;
  }

  /** Takes one request per item, in order, from the quotas of clients. */
  async spend(worker: number, clients: readonly string[]): Promise<Loan[]> {
    const spent = this.#take(clients);
    const refused = clients.filter((_, i) => !spent[i]!.allowed);
    const lenders = this.#othersOf(worker, refused);
    if (lenders.size > 0) {
      await Promise.all(
        [...lenders].map(([other, some]) => this.#recall(other, some)),
      );
      const again = this.#take(refused);
      for (const [i, { allowed }] of spent.entries()) {
        if (!allowed) spent[i] = again.shift()!;
      }
    }
    return this.#lend(worker, clients, spent);
  }

  /** Returns requests that a worker was lent and has not used. */
  repay(worker: number, client: string, unused: number): void {
    const workers = this.#loans.get(client);
    const lent = workers?.get(worker);
    if (workers === undefined || lent === undefined) return;
    this.#limiter.repay(client, Math.min(unused, lent));
    workers.delete(worker);
    if (workers.size === 0) this.#loans.delete(client);
  }

  /** Counts what a worker was lent as used, because it has ended. */
  forget(worker: number): void {
    for (const client of [...this.#loans.keys()]) this.repay(worker, client, 0);
  }

  async #recall(worker: number, clients: readonly string[]): Promise<void> {
    const count = (client: string, change: number) => {
      const recalls = (this.#recalls.get(client) ?? 0) + change;
      if (recalls > 0) this.#recalls.set(client, recalls);
      else this.#recalls.delete(client);
    };
    for (const client of clients) count(client, +1);
    await this.#options.recall(worker, clients);
    for (const client of clients) count(client, -1);
  }

  #take(clients: readonly string[]): Spent[] {
    const now = this.#options.now();
    return clients.map((client) => this.#limiter.take(client, now));
  }

  /** Returns other workers with requests of clients, by number. */
  #othersOf(
    worker: number,
    clients: readonly string[],
  ): Map<number, string[]> {
    const others = new Map<number, string[]>();
    for (const client of new Set(clients)) {
      for (const other of this.#loans.get(client)?.keys() ?? []) {
        if (other === worker) continue;
        const some = others.get(other);
        if (some === undefined) others.set(other, [client]);
        else some.push(client);
      }
    }
    return others;
  }

  /** Lends with the last request of each client. */
  #lend(
    worker: number,
    clients: readonly string[],
    spent: readonly Spent[],
  ): Loan[] {
    const last = new Map(clients.map((client, i) => [client, i]));
    return spent.map(({ allowed, left }, i) => {
      const client = clients[i]!;
      if (!allowed) return { allowed, left, lent: 0 };
      const lent = last.get(client) === i ? this.#lent(client, left) : 0;
      // A worker must not count as used what others were lent.
      const elsewhere = this.#lentToOthers(worker, client);
      if (lent > 0) this.#note(worker, client, lent);
      return { allowed, left: left + elsewhere * this.#times.interval, lent };
    });
  }

  /** Lends a part of the requests left of a client; returns their number. */
  #lent(client: string, left: number): number {
    // A worker could receive a loan after the recall, and then repay it twice.
    if (this.#recalls.has(client)) return 0;
    const remaining = Math.floor(left / this.#times.interval);
    const lent = Math.floor(remaining / (2 * this.#options.workers));
    if (lent > 0) this.#limiter.lend(client, lent);
    return lent;
  }

  #note(worker: number, client: string, lent: number): void {
    const workers = this.#loans.get(client);
    if (workers) workers.set(worker, lent + (workers.get(worker) ?? 0));
    else this.#loans.set(client, new Map([[worker, lent]]));
  }

  #lentToOthers(worker: number, client: string): number {
    let sum = 0;
    for (const [other, lent] of this.#loans.get(client) ?? []) {
      if (other !== worker) sum += lent;
    }
    return sum;
  }
}
