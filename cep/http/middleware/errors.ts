import type { Logger } from "../../util/logger.ts";
import {
  BusyError,
  DatabaseError,
  UnreachableError,
} from "../../store/store.ts";
import { describeError, HttpError } from "../errors.ts";
import { type Answer, type Exchange, expose, json } from "../exchange.ts";

/** Seconds after which a client should try again: a store polls more often. */
const RETRY_SECONDS = 5;

/** Converts an error into a response. */
export type ToAnswer = (exchange: Exchange, error: unknown) => Answer;

/**
 * Converts errors into responses, and logs those that the client did not cause.
 */
export function errors(logger: Logger): ToAnswer {
  return (exchange, thrown) => {
    const error = thrown instanceof BusyError
      ? new HttpError("service_busy")
      : thrown;
    if (error instanceof HttpError) {
      const { status, body } = describeError(error.code);
      if (status === 503) askToRetry(exchange);
      return json({ ...body, ...error.details }, status);
    }
    // The store logs once that the server is away.
    const level = error instanceof UnreachableError ? "debug" : "error";
    logger[level]("Request failed", {
      request_id: exchange.id,
      route: exchange.route.pattern,
      error: error instanceof Error ? error.stack ?? error.message : `${error}`,
    });
    const isDatabase = error instanceof DatabaseError;
    if (isDatabase) askToRetry(exchange);
    const { status, body } = describeError(
      isDatabase ? "database_not_ready" : "internal",
    );
    return json({ ...body, request_id: exchange.id }, status);
  };
}

function askToRetry(exchange: Exchange): void {
  exchange.headers["retry-after"] = `${RETRY_SECONDS}`;
  expose(exchange, "Retry-After");
}
