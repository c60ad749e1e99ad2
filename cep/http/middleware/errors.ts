import type { Logger } from "../../util/logger.ts";
import {
  BusyError,
  DatabaseError,
  OutdatedError,
  UnreachableError,
} from "../../store/store.ts";
import { describeError, ERRORS, HttpError } from "../errors.ts";
import { type Answer, type Exchange, expose, json } from "../exchange.ts";

/** Seconds after which a client should try again: a store polls more often. */
const RETRY_SECONDS = 5;

/** Converts an error into a response. */
export type ToAnswer = (exchange: Exchange, error: unknown) => Answer;

/**
 * Converts errors into responses, and logs those that the client did not cause.
 * What the operator can do about an error is logged once.
 */
export function errors(logger: Logger): ToAnswer {
  const hinted = new Set<string>();
  return (exchange, thrown) => {
    const error = thrown instanceof BusyError
      ? new HttpError("service_busy")
      : thrown;
    if (error instanceof HttpError) {
      const { code, details } = error;
      const { hint } = ERRORS[code];
      if (hint !== undefined && !hinted.has(code)) {
        hinted.add(code);
        logger.warn(hint, { route: exchange.route.pattern });
      }
      const { status, body } = describeError(code, details);
      if (status === 503) askToRetry(exchange);
      return json(body, status);
    }
    // Logged once: that the server is away, and that the release is too old.
    const isKnown = error instanceof UnreachableError ||
      error instanceof OutdatedError;
    const level = isKnown ? "debug" : "error";
    logger[level]("Request failed", {
      request_id: exchange.id,
      route: exchange.route.pattern,
      error: error instanceof Error ? error.stack ?? error.message : `${error}`,
    });
    const isDatabase = error instanceof DatabaseError;
    if (isDatabase) askToRetry(exchange);
    const { status, body } = describeError(
      isDatabase ? "database_not_ready" : "internal",
      { request_id: exchange.id },
    );
    return json(body, status);
  };
}

function askToRetry(exchange: Exchange): void {
  exchange.headers["retry-after"] = `${RETRY_SECONDS}`;
  expose(exchange, "Retry-After");
}
