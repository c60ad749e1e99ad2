/**
 * Handling of a request by middleware and route.
 *
 * @module
 */
import { HttpError } from "./errors.ts";
import {
  type Answer,
  type Exchange,
  type Middleware,
  sentBody,
} from "./exchange.ts";
import type { ToAnswer } from "./middleware/errors.ts";
import { refuseUnknownParameters } from "./parameters.ts";
import { UNKNOWN } from "./routes/unknown.ts";

const ALLOWED_METHODS = { GET: ["GET", "HEAD"], POST: ["POST"] };

/**
 * Creates the function that handles a request. It is synchronous if the route
 * and the middleware are: a promise would make a response a tenth slower.
 *
 * @param middleware Middleware of every route, the outermost first.
 * @param toAnswer Converts errors of middleware and routes into responses.
 */
export function pipeline(
  middleware: readonly Middleware[],
  toAnswer: ToAnswer,
): (exchange: Exchange) => Response | Promise<Response> {
  const before = middleware.flatMap((it) => it.before ?? []);
  const after = middleware.toReversed().flatMap((it) => it.after ?? []);

  /** Runs the `before` hooks, beginning with the given one, and the route. */
  function start(exchange: Exchange, first = 0): Answer | Promise<Answer> {
    for (let i = first; i < before.length; i++) {
      const answer = before[i]!(exchange);
      if (answer instanceof Promise) {
        return answer.then((it) => it ?? start(exchange, i + 1));
      }
      if (answer !== undefined) return answer;
    }
    refuseMethod(exchange);
    refuseUnknownParameters(exchange);
    return exchange.route.handle(exchange);
  }

  /** Runs the `after` hooks, beginning with the given one. */
  function complete(
    exchange: Exchange,
    answer: Answer,
    first = 0,
  ): Response | Promise<Response> {
    for (let i = first; i < after.length; i++) {
      const completed = after[i]!(exchange, answer);
      if (completed instanceof Promise) {
        return completed.then((it) => complete(exchange, it, i + 1));
      }
      answer = completed;
    }
    return toResponse(exchange, answer);
  }

  function startSafely(exchange: Exchange): Answer | Promise<Answer> {
    try {
      const answer = start(exchange);
      return answer instanceof Promise
        ? answer.catch((error) => toAnswer(exchange, error))
        : answer;
    } catch (error) {
      return toAnswer(exchange, error);
    }
  }

  /** Converts an error of an `after` hook, without running the others. */
  function completeSafely(
    exchange: Exchange,
    answer: Answer,
  ): Response | Promise<Response> {
    try {
      const response = complete(exchange, answer);
      return response instanceof Promise
        ? response.catch((error) => fail(exchange, error))
        : response;
    } catch (error) {
      return fail(exchange, error);
    }
  }

  function fail(exchange: Exchange, error: unknown): Response {
    return toResponse(exchange, toAnswer(exchange, error));
  }

  return (exchange) => {
    const answer = startSafely(exchange);
    return answer instanceof Promise
      ? answer.then((it) => completeSafely(exchange, it))
      : completeSafely(exchange, answer);
  };
}

function refuseMethod({ method, route, headers }: Exchange): void {
  const allowed = ALLOWED_METHODS[route.method ?? "GET"];
  if (allowed.includes(method) || route === UNKNOWN) return;
  headers["allow"] = allowed.join(", ");
  throw new HttpError("method_not_allowed");
}

function toResponse(exchange: Exchange, answer: Answer): Response {
  const { status } = answer;
  // A 304 has no headers that describe a body (RFC 9110, 15.4.5).
  const body = status === 304 ? undefined : answer.body;
  const content = sentBody(exchange, answer)?.content ?? null;
  const response = new Response(content as BodyInit | null, {
    status,
    headers: body === undefined ? {} : { "content-type": body.type },
  });
  // Setting headers one by one is several times faster than passing an object.
  const { headers } = response;
  for (const name in exchange.headers) {
    headers.set(name, exchange.headers[name]!);
  }
  headers.set("cache-control", cacheControl(exchange, answer));
  // Not every server sets the length, and no server knows it for HEAD.
  if (body?.length !== undefined) {
    headers.set("content-length", `${body.length}`);
  }
  return response;
}

function cacheControl(
  { idGiven }: Exchange,
  { maxAge, immutable }: Answer,
): string {
  if (maxAge === undefined) return "no-store";
  const age = immutable ? `max-age=${maxAge}, immutable` : `max-age=${maxAge}`;
  return idGiven ? `private, ${age}` : age;
}
