import type { Span } from "../active_span.ts";
import type { Middleware } from "../exchange.ts";
import { UNKNOWN } from "../routes/unknown.ts";

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
