/**
 * Requests that the supervisor has lent to this worker.
 *
 * @module
 */
import {
  type Allowance,
  type Quota,
  QuotaTimes,
  type Sharing,
} from "../http/rate_limiter.ts";
import type { SharedLimits } from "../limits/open_limits.ts";
import type { Loan } from "./lender.ts";

/** Lender, on the other side of a connection. */
export interface LenderLink {
  /** Calls a function with every loan. */
  onLent(listener: (client: string, loan: Loan) => void): void;
  /** Calls a function that returns unused requests of clients, all if none. */
  onRecall(listener: (clients?: readonly string[]) => Unused): void;
}

/** Unused requests by client. */
export type Unused = readonly (readonly [client: string, count: number])[];

interface Held {
  count: number;
  /** Time of the requests left that are not lent. */
  readonly left: number;
}

/** Quotas of clients that are spent from loans first. */
export class Loans implements SharedLimits {
  readonly #times: QuotaTimes;
  readonly #shared: SharedLimits;
  readonly #loans = new Map<string, Held>();

  /** @param shared Limits that ask the supervisor. */
  constructor(quota: Quota, shared: SharedLimits, link: LenderLink) {
    this.#times = new QuotaTimes(quota);
    this.#shared = shared;
    link.onLent((client, { lent, left }) => {
      // Requests that had to wait may ask although another one was lent some.
      const unused = this.#loans.get(client)?.count ?? 0;
      this.#loans.set(client, {
        count: unused + lent,
        left: left - lent * this.#times.interval,
      });
    });
    link.onRecall((clients) => this.#giveBack(clients));
  }

  get sharing(): Sharing | undefined {
    return this.#shared.sharing;
  }

  /** Takes one request from the quota of a client. */
  spend(client: string, now: number): Allowance | Promise<Allowance> {
    const lent = this.#spendLent(client);
    if (lent !== undefined) return lent;
    const spent = this.#shared.spend(client, now);
    if (!(spent instanceof Promise)) return spent;
    // Meanwhile, another request may have been lent some.
    return spent.then((it) => it.allowed ? it : this.#spendLent(client) ?? it);
  }

  #spendLent(client: string): Allowance | undefined {
    const held = this.#loans.get(client);
    if (held === undefined || held.count === 0) return undefined;
    held.count--;
    return this.#times.allowance({
      allowed: true,
      left: held.left + held.count * this.#times.interval,
    });
  }

  close(): void {
    this.#shared.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #giveBack(clients: readonly string[] = [...this.#loans.keys()]): Unused {
    return clients.map((client) => {
      const count = this.#loans.get(client)?.count ?? 0;
      this.#loans.delete(client);
      return [client, count];
    });
  }
}
