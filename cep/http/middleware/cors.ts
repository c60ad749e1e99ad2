import type { Config } from "../../settings/config.ts";
import { addVary, type Exchange, type Middleware } from "../exchange.ts";

/** Settings of {@linkcode cors}. */
export type CorsOptions = Pick<
  Config,
  "corsOrigins" | "corsMethods" | "corsHeaders"
>;

const PREFLIGHT_SECONDS = "600";

/** Adds the CORS headers to responses, and responds to preflights. */
export function cors(
  { corsOrigins, corsMethods, corsHeaders }: CorsOptions,
): Middleware {
  const anyOrigin = corsOrigins.includes("*");
  const isAllowed = originMatcher(corsOrigins);
  const preflight = {
    "access-control-allow-methods": corsMethods.join(", "),
    "access-control-allow-headers": corsHeaders.join(", "),
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

/** Labels of a host, each with its trailing dot. */
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
