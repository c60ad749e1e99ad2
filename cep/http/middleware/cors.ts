/**
 * Cross-origin requests of browsers (Fetch Standard, CORS protocol).
 *
 * @module
 */
import { addVary, type Exchange, type Middleware } from "../exchange.ts";

/** Options of {@linkcode cors}. */
export interface CorsOptions {
  /**
   * Origins that may call: `*` for all, `https://loja.com.br`, or
   * `https://*.loja.com.br` for every subdomain, however deep, but not for
   * `https://loja.com.br` itself.
   */
  readonly origins: readonly string[];
  /** Methods they may use. */
  readonly methods: readonly string[];
  /** Request headers they may send. */
  readonly headers: readonly string[];
}

const PREFLIGHT_SECONDS = "600";

/** Tells browsers which origins may read the answers; answers preflights. */
export function cors({ origins, methods, headers }: CorsOptions): Middleware {
  const anyOrigin = origins.includes("*");
  const isAllowed = originMatcher(origins);
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
    const origin = exchange.requestHeaders.get("origin");
    if (origin === null || !isAllowed(origin)) return;
    exchange.headers["access-control-allow-origin"] = origin;
  }

  return {
    before(exchange) {
      allowOrigin(exchange);
      if (!isPreflight(exchange)) return undefined;
      Object.assign(exchange.headers, preflight);
      return { status: 204 };
    },
  };
}

function isPreflight({ method, requestHeaders }: Exchange): boolean {
  return method === "OPTIONS" && requestHeaders.has("origin") &&
    requestHeaders.has("access-control-request-method");
}

const WILDCARD = "://*.";

/** One label of a host and the dot behind it. */
const LABELS = "(?:[a-z0-9_-]+\\.)+";

function originMatcher(origins: readonly string[]): (text: string) => boolean {
  const patterns = origins.map((origin) => {
    const [scheme = "", domain] = origin.split(WILDCARD).map(escape);
    return domain === undefined
      ? `^${scheme}$`
      : `^${scheme}://${LABELS}${domain}$`;
  }).map((source) => new RegExp(source));
  return (origin) => patterns.some((pattern) => pattern.test(origin));
}

function escape(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gi, "\\$&");
}
