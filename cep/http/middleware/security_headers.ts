import type { Config } from "../../settings/config.ts";
import type { Middleware } from "../exchange.ts";

/** Settings of {@linkcode securityHeaders}. */
export type SecurityHeadersOptions = Pick<Config, "corsOrigins">;

/** Type of almost every response, which no browser renders or executes. */
const JSON_TYPE = "application/json";

/**
 * Adds security headers to responses:
 *
 * - `X-Content-Type-Options` on all: the type is not guessed from the content.
 * - `Content-Security-Policy` and `Referrer-Policy` on all but JSON, because XML
 *   and HTML could otherwise load resources, run scripts and be framed. On JSON
 *   they would have no effect, and would make a lookup a tenth slower.
 * - `Cross-Origin-Resource-Policy`: if only some origins are allowed, pages of
 *   other sites cannot load a response without CORS, as JSONP does. If all are,
 *   isolated pages may load JSONP, too.
 */
export function securityHeaders(
  { corsOrigins }: SecurityHeadersOptions,
): Middleware {
  const isPublic = corsOrigins.includes("*");
  return {
    before({ headers }) {
      headers["x-content-type-options"] = "nosniff";
      if (!isPublic) headers["cross-origin-resource-policy"] = "same-site";
      return undefined;
    },
    after({ headers }, answer) {
      if (answer.body === undefined || answer.body.type === JSON_TYPE) {
        return answer;
      }
      // The page has a policy of its own.
      headers["content-security-policy"] ??=
        "default-src 'none'; frame-ancestors 'none'";
      headers["referrer-policy"] ??= "no-referrer";
      if (isPublic) headers["cross-origin-resource-policy"] = "cross-origin";
      return answer;
    },
  };
}
