/**
 * A limit on how often one client may ask.
 *
 * @module
 */
import { HttpError } from "../errors.ts";
import {
  type Exchange,
  expose,
  isShareable,
  type Middleware,
} from "../exchange.ts";
import { parseAddress } from "../networks.ts";
import { RateLimiter, type RateLimiterOptions } from "../rate_limiter.ts";

/**
 * Limits each client and tells it of its quota
 * (draft-ietf-httpapi-ratelimit-headers-11). Requests to free endpoints pass,
 * and so do all if the server does not tell where they come from.
 *
 * @param clientOf The address of the client.
 */
export function rateLimit(
  options: RateLimiterOptions,
  clientOf: (exchange: Exchange) => string | undefined,
): Middleware {
  const limiter = new RateLimiter(options);
  const windowSeconds = Math.ceil(options.minutes * 60);
  const policy = `"default";q=${limiter.capacity};w=${windowSeconds}`;
  return {
    before(exchange) {
      if (exchange.route.free) return undefined;
      const client = clientOf(exchange);
      if (client === undefined) return undefined;
      const allowance = limiter.spend(network(client), exchange.start);
      exchange.allowance = allowance;
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

/** One IPv6 customer has a whole /64 of addresses. */
function network(address: string): string {
  if (!address.includes(":")) return address;
  return parseAddress(address)?.slice(0, 4).join(":") ?? address;
}
