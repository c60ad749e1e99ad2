import { HttpError } from "./errors.ts";
import {
  type Answer,
  type Exchange,
  expose,
  type Middleware,
  sentBody,
} from "./exchange.ts";
import type { ToAnswer } from "./middleware/errors.ts";
import { refuseUnknownParameters } from "./parameters.ts";
import type { Reply } from "./reply.ts";
import { UNKNOWN } from "./router.ts";

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
): (exchange: Exchange) => Reply | Promise<Reply> {
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
  ): Reply | Promise<Reply> {
    for (let i = first; i < after.length; i++) {
      const completed = after[i]!(exchange, answer);
      if (completed instanceof Promise) {
        return completed.then((it) => complete(exchange, it, i + 1));
      }
      answer = completed;
    }
    return toReply(exchange, answer);
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
  ): Reply | Promise<Reply> {
    try {
      const response = complete(exchange, answer);
      return response instanceof Promise
        ? response.catch((error) => fail(exchange, error))
        : response;
    } catch (error) {
      return fail(exchange, error);
    }
  }

  function fail(exchange: Exchange, error: unknown): Reply {
    return toReply(exchange, toAnswer(exchange, error));
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
  throw new HttpError("method_not_allowed", { aceitos: allowed });
}

/** Link to the next page, relative to the request (RFC 8288). */
function linkToNext(exchange: Exchange, next: string): void {
  const parameters = new URLSearchParams(exchange.query);
  parameters.set("cursor", next);
  exchange.headers["link"] = `<?${parameters}>; rel="next"`;
  expose(exchange, "Link");
}

function toReply(exchange: Exchange, answer: Answer): Reply {
  if (answer.next) linkToNext(exchange, answer.next);
  const { status } = answer;
  const { headers } = exchange;
  // A 304 has no headers that describe a body (RFC 9110, 15.4.5).
  const body = status === 304 ? undefined : answer.body;
  if (body !== undefined) headers["content-type"] = body.type;
  headers["cache-control"] = cacheControl(exchange, answer);
  // Not every server sets the length, and no server knows it for HEAD.
  if (body?.length !== undefined) headers["content-length"] = `${body.length}`;
  const content = sentBody(exchange, answer)?.content ?? null;
  return { status, headers, content };
}

function cacheControl(
  { idGiven }: Exchange,
  { maxAge, immutable }: Answer,
): string {
  if (maxAge === undefined) return "no-store";
  const age = immutable ? `max-age=${maxAge}, immutable` : `max-age=${maxAge}`;
  return idGiven ? `private, ${age}` : age;
}
