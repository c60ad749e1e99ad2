/**
 * A name for every request.
 *
 * @module
 */
import type { Middleware } from "./exchange.ts";

const SANE = /^[\w.:-]{1,64}$/;

/**
 * Gives each request its `X-Request-Id`: a sane one of the client's, else a new
 * one that is unlikely to be another process' too.
 */
export function requestId(): Middleware {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const prefix = random.toString(36).slice(-4).padStart(4, "0");
  let count = 0;
  return (next) => (exchange) => {
    const given = exchange.request.headers.get("x-request-id");
    exchange.id = given !== null && SANE.test(given)
      ? given
      : prefix + (count++).toString(36);
    exchange.headers["x-request-id"] = exchange.id;
    return next(exchange);
  };
}
