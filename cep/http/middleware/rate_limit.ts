/**
 * Rate limit per client.
 *
 * @module
 */
import type { Config } from "../../config.ts";
import { HttpError } from "../errors.ts";
import {
  type Exchange,
  expose,
  isShareable,
  type Middleware,
} from "../exchange.ts";
import { parseAddress } from "../networks.ts";
import { RateLimiter } from "../rate_limiter.ts";

/** Settings of {@linkcode rateLimit}. */
export type RateLimitOptions = Pick<
  Config,
  "rateLimitMax" | "rateLimitBurst" | "rateLimitMinutes"
>;

/**
 * Limits the requests of each client and reports its quota
 * (draft-ietf-httpapi-ratelimit-headers-11). Requests to free endpoints, and
 * requests from an unknown address, are not limited.
 *
 * @param clientOf Returns the address of the client.
 * @param now Returns the time in milliseconds, like the start of an exchange.
 */
export function rateLimit(
  config: RateLimitOptions,
  clientOf: (exchange: Exchange) => string | undefined,
  now: () => number,
): Middleware {
  const {
    rateLimitMax: max,
    rateLimitBurst: burst,
    rateLimitMinutes: minutes,
  } = config;
  const limiter = new RateLimiter({ max, burst, minutes });
  const windowSeconds = Math.ceil(minutes * 60);
  const policy = `"default";q=${limiter.capacity};w=${windowSeconds}`;
  return {
    before(exchange) {
      if (exchange.route.free) return undefined;
      const client = clientOf(exchange);
      if (client === undefined) return undefined;
      const payer = network(client);
      const allowance = limiter.spend(payer, exchange.start);
      exchange.allowance = allowance;
      if (exchange.method === "POST") {
        exchange.charge = () => limiter.spend(payer, now());
      }
      if (allowance.allowed) return undefined;
      exchange.headers["ratelimit-policy"] = policy;
      exchange.headers["retry-after"] = `${allowance.waitSeconds}`;
      expose(exchange, "RateLimit-Policy");
      expose(exchange, "Retry-After");
      throw new HttpError("rate_limited");
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
