import { expose, type Middleware } from "../exchange.ts";

const VALID_ID = /^[\w.:-]{1,64}$/;

/**
 * Assigns an id to each request: the client's `X-Request-Id` if it is valid,
 * otherwise a random prefix, the same for all requests, and a number. The id is
 * sent with errors, and with every response to a request that had a valid one.
 */
export function requestId(): Middleware {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const prefix = random.toString(36).slice(-4).padStart(4, "0");
  let count = 0;
  return {
    before(exchange) {
      const given = exchange.requestHeaders.get("x-request-id");
      exchange.idGiven = given !== null && VALID_ID.test(given);
      exchange.id = exchange.idGiven ? given! : `${prefix}${count++}`;
      return undefined;
    },
    after(exchange, answer) {
      if (exchange.idGiven || answer.status >= 400) {
        exchange.headers["x-request-id"] = exchange.id;
        expose(exchange, "X-Request-Id");
      }
      return answer;
    },
  };
}
