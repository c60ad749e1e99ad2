import { LRUCache } from "lru-cache";
import type { Exchange } from "./exchange.ts";

/** Searches that count as one. */
const TOGETHER = 10;

/** Milliseconds after the first search in which the others may follow. */
const TYPING_MS = 30_000;

/** Maximum number of clients that type at the same time. */
const MAX_CLIENTS = 10_000;

/** Searches that are paid for with an earlier one. */
interface Covered {
  left: number;
  readonly until: number;
}

/**
 * True if a request is a search of the page, by a header that pages of other
 * sites cannot send. Browsers send `Sec-Fetch-Site` over TLS only.
 */
export function isTyped({ route, method, requestHeaders }: Exchange): boolean {
  return route.typed === true && method === "GET" &&
    requestHeaders.has("carteiro-page");
}

/**
 * Searches of the page by client: the first one counts against its quota, and
 * covers the next few of the following seconds. A program can pretend to be the
 * page, and then search ten times as often, never more.
 */
export class Typing {
  readonly #clients = new LRUCache<string, Covered>({ max: MAX_CLIENTS });

  /** Takes a search from those that an earlier one covers, if any is left. */
  take(client: string, now: number): boolean {
    const covered = this.#clients.get(client);
    if (covered === undefined) return false;
    if (covered.left === 0 || now > covered.until) {
      this.#clients.delete(client);
      return false;
    }
    covered.left--;
    return true;
  }

  /** Covers the next searches of a client, after one that has counted. */
  cover(client: string, now: number): void {
    this.#clients.set(client, { left: TOGETHER - 1, until: now + TYPING_MS });
  }
}
