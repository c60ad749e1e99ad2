import { type Middleware, sentBody } from "../exchange.ts";
import type { Traffic } from "../traffic.ts";

/**
 * Counts and times every request.
 *
 * @param now Returns the time in milliseconds.
 */
export function metrics(traffic: Traffic, now: () => number): Middleware {
  return {
    after(exchange, answer) {
      traffic.add({
        route: exchange.route.pattern,
        method: exchange.method,
        status: answer.status,
        bytes: sentBody(exchange, answer)?.length ?? 0,
        seconds: (now() - exchange.start) / 1000,
      });
      return answer;
    },
  };
}
