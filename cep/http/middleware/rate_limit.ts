import type { Config } from "../../settings/config.ts";
import type { Logger } from "../../util/logger.ts";
import { HttpError } from "../errors.ts";
import {
  type Answer,
  type Exchange,
  expose,
  isShareable,
  type Middleware,
} from "../exchange.ts";
import { parseAddress } from "../networks.ts";
import type { Allowance, Quota, RateLimitStore } from "../rate_limiter.ts";
import { LRUCache } from "lru-cache";

/** Settings of {@linkcode quotaOf}. */
type RateLimitOptions = Pick<
  Config,
  "rateLimitMax" | "rateLimitBurst" | "rateLimitMinutes"
>;

/** Returns the quota of each client. */
export function quotaOf(
  {
    rateLimitMax: max,
    rateLimitBurst: burst,
    rateLimitMinutes: minutes,
  }: RateLimitOptions,
): Quota {
  return { max, burst, minutes };
}

/**
 * Limits the requests of each client and reports its quota
 * (draft-ietf-httpapi-ratelimit-headers-11). Requests to free endpoints, and
 * requests from an unknown address, are not limited.
 *
 * @param limits Quotas of the clients.
 * @param clientOf Returns the address of the client.
 * @param now Returns the time in milliseconds, like the start of an exchange.
 * @param logger Logger of the first refusal of a client that may be a proxy.
 */
export function rateLimit(
  { max, burst, minutes }: Quota,
  limits: RateLimitStore,
  clientOf: (exchange: Exchange) => string | undefined,
  now: () => number,
  logger: Logger,
): Middleware {
  let hasWarned = false;
  const windowSeconds = Math.ceil(minutes * 60);
  const typing = new Typing();
  const policy = `"default";q=${max + burst};w=${windowSeconds}`;

  function enforce(
    exchange: Exchange,
    payer: string,
    allowance: Allowance,
  ): undefined {
    exchange.allowance = allowance;
    if (allowance.allowed) {
      if (isTyped(exchange)) typing.cover(payer, exchange.start);
      return undefined;
    }
    exchange.headers["ratelimit-policy"] = policy;
    exchange.headers["retry-after"] = `${allowance.waitSeconds}`;
    expose(exchange, "RateLimit-Policy");
    expose(exchange, "Retry-After");
    warnOfProxy(exchange);
    throw new HttpError("rate_limited", { retry_after: allowance.waitSeconds });
  }

  function warnOfProxy(exchange: Exchange): void {
    if (hasWarned || !exchange.requestHeaders.has("x-forwarded-for")) return;
    hasWarned = true;
    logger.warn(
      "Refused requests of a client that sends X-Forwarded-For: if it is a " +
        "proxy, name it in API_TRUSTED_PROXIES",
      { client: clientOf(exchange) },
    );
  }

  return {
    before(exchange): Answer | undefined | Promise<Answer | undefined> {
      const { method, route } = exchange;
      // The handler of a free endpoint may charge a request with a query.
      if (route.free && exchange.query === "") return undefined;
      const client = clientOf(exchange);
      if (client === undefined) return undefined;
      const payer = network(client);
      if (route.free || method === "POST") {
        exchange.charge = () => limits.spend(payer, now());
      }
      if (route.free) return undefined;
      if (isTyped(exchange) && typing.take(payer, exchange.start)) {
        return undefined;
      }
      const allowance = limits.spend(payer, exchange.start);
      return allowance instanceof Promise
        ? allowance.then((it) => enforce(exchange, payer, it))
        : enforce(exchange, payer, allowance);
    },
    after(exchange, answer) {
      const { allowance, headers } = exchange;
      if (allowance === undefined || isShareable(exchange, answer)) {
        return answer;
      }
      const { remaining, waitSeconds } = allowance;
      headers["ratelimit"] = `"default";r=${remaining};t=${waitSeconds}`;
      expose(exchange, "RateLimit");
      return answer;
    },
  };
}

/** Returns the unit of the limit: an IPv4 address or an IPv6 /64 network. */
function network(address: string): string {
  if (!address.includes(":")) return address;
  return parseAddress(address)?.slice(0, 4).join(":") ?? address;
}

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
function isTyped({ route, method, requestHeaders }: Exchange): boolean {
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
