/**
 * Cross-origin requests of browsers (Fetch Standard, CORS protocol).
 *
 * @module
 */
import { addVary, type Exchange, type Middleware } from "./exchange.ts";

/** Options of {@linkcode cors}. */
export interface CorsOptions {
  /** Origins that may call, `*` for all. */
  readonly origins: readonly string[];
  /** Methods they may use. */
  readonly methods: readonly string[];
  /** Request headers they may send. */
  readonly headers: readonly string[];
}

const PREFLIGHT_SECONDS = "600";

/** Tells browsers who may read the answers, and answers their preflights. */
export function cors({ origins, methods, headers }: CorsOptions): Middleware {
  const anyOrigin = origins.includes("*");
  const preflight = {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": headers.join(", "),
    "access-control-max-age": PREFLIGHT_SECONDS,
  };

  function allowOrigin(exchange: Exchange): void {
    if (anyOrigin) {
      exchange.headers["access-control-allow-origin"] = "*";
      return;
    }
    addVary(exchange, "Origin");
    const origin = exchange.request.headers.get("origin");
    if (origin === null || !origins.includes(origin)) return;
    exchange.headers["access-control-allow-origin"] = origin;
  }

  return (next) => async (exchange) => {
    allowOrigin(exchange);
    if (!isPreflight(exchange.request)) return await next(exchange);
    Object.assign(exchange.headers, preflight);
    return { status: 204 };
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") &&
    headers.has("access-control-request-method");
}
