import type { Logger } from "../../util/logger.ts";
import type { Exchange, Middleware } from "../exchange.ts";

/**
 * Logs every request at debug level.
 *
 * @param clientOf Returns the address of the client.
 * @param now Returns the time in milliseconds.
 */
export function accessLog(
  logger: Logger,
  clientOf: (exchange: Exchange) => string | undefined,
  now: () => number,
): Middleware {
  return {
    after(exchange, answer) {
      logger.debug("Request", {
        request_id: exchange.id,
        client: clientOf(exchange),
        method: exchange.method,
        path: exchange.path,
        status: answer.status,
        milliseconds: now() - exchange.start,
      });
      return answer;
    },
  };
}
