/**
 * A name for every request.
 *
 * @module
 */
import { expose, type Middleware } from "../exchange.ts";

const SANE = /^[\w.:-]{1,64}$/;

/**
 * Names each request: by a sane `X-Request-Id` of the client, else by a new
 * name that another process is unlikely to give, too. Errors and answers to
 * clients that brought a name carry it.
 */
export function requestId(): Middleware {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const prefix = random.toString(36).slice(-4).padStart(4, "0");
  let count = 0;
  return {
    before(exchange) {
      const given = exchange.requestHeaders.get("x-request-id");
      exchange.idGiven = given !== null && SANE.test(given);
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
