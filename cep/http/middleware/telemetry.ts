import {
  type Exchange,
  expose,
  type Middleware,
  sentBody,
} from "../exchange.ts";
import type { Logger } from "../../util/logger.ts";
import type { Traffic } from "../traffic.ts";
import { UNKNOWN } from "../router.ts";

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

/** Part of a span of OpenTelemetry. */
interface Span {
  /** Replaces the name. */
  updateName(name: string): unknown;
  /** Sets an attribute. */
  setAttribute(name: string, value: string): unknown;
}

/** Part of the registry of `@opentelemetry/api` 1. */
interface Registry {
  readonly context?: {
    active(): { getValue(key: symbol): unknown };
  };
}

const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");

/**
 * Returns the function that finds the active span, as
 * `trace.getActiveSpan` of `@opentelemetry/api` does, or `undefined` if
 * OpenTelemetry is off. Deno with `OTEL_DENO=true`, and the SDK on Node, put
 * themselves into a global registry, so that this needs no dependency.
 */
export function spanFinder(
  scope: object = globalThis,
): (() => Span | undefined) | undefined {
  const registry = (scope as Record<symbol, Registry | undefined>)[REGISTRY];
  const context = registry?.context;
  if (context === undefined) return undefined;
  return () => context.active().getValue(SPAN) as Span | undefined;
}

/** Methods that a name may contain; a client can send any other. */
const METHODS: ReadonlySet<string> = new Set(
  ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"],
);

/**
 * Gives the span of a request the route: `GET /cep/:cep`, and as `http.route`.
 * The server of the runtime creates the span, before there is a route.
 *
 * @param activeSpan Returns the span of the request in progress.
 */
export function tracing(activeSpan: () => Span | undefined): Middleware {
  return {
    before({ method, route }) {
      const span = activeSpan();
      if (span === undefined) return undefined;
      const verb = METHODS.has(method) ? method : "HTTP";
      if (route === UNKNOWN) {
        span.updateName(verb);
        return undefined;
      }
      span.updateName(`${verb} ${route.pattern}`);
      span.setAttribute("http.route", route.pattern);
      return undefined;
    },
  };
}
