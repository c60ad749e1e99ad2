/**
 * Conversion of errors into responses, the only place for it.
 *
 * @module
 */
import type { Logger } from "../../logger.ts";
import { DatabaseError } from "../../store/store.ts";
import { describeError, HttpError } from "../errors.ts";
import { type Answer, type Exchange, json } from "../exchange.ts";

/** Converts an error into a response. */
export type ToAnswer = (exchange: Exchange, error: unknown) => Answer;

/**
 * Converts errors into responses, and logs those that the client did not cause.
 */
export function errors(logger: Logger): ToAnswer {
  return (exchange, error) => {
    if (error instanceof HttpError) {
      const { status, body } = describeError(error.code);
      return json({ ...body, ...error.details }, status);
    }
    logger.error("Request failed", {
      request_id: exchange.id,
      route: exchange.route.pattern,
      error: error instanceof Error ? error.stack ?? error.message : `${error}`,
    });
    const { status, body } = describeError(
      error instanceof DatabaseError ? "database_not_ready" : "internal",
    );
    return json({ ...body, request_id: exchange.id }, status);
  };
}
