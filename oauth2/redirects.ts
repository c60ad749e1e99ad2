/**
 * Our own redirects. The client loads this module when a resource server
 * redirects, and not before.
 */
import { OAuth2Error } from "./error.ts";
import { oneLine, type Redactor } from "./redact.ts";
import type { OAuth2Response } from "./response.ts";
import type { WireRequest } from "./transport.ts";
import { isSecure } from "./url.ts";

/** How far redirects are followed. */
export interface RedirectPolicy {
  /** How many redirects are followed. */
  readonly maxRedirects: number;
  /** Whether they may lead to another origin, to which nothing secret goes. */
  readonly allowCrossOrigin: boolean | undefined;
  readonly allowInsecure: boolean | undefined;
  /** Whether an origin is one of those that requests may be sent to. */
  readonly isAllowed: (url: URL) => boolean;
  readonly redactor: Redactor;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
}

const REFUSED = "Cannot follow the redirect";

/** Whatever else a caller sets may be a credential. */
const HEADERS_FOR_STRANGERS = ["accept", "accept-language", "user-agent"];

/**
 * Follows the redirects of a response, which `fetch` would do with less care:
 * it forwards bodies, and credentials in any header but `Authorization`. Where
 * there are more than the policy allows, the last is the answer.
 *
 * @throws {OAuth2Error} When a redirect is refused.
 */
export async function follow(
  request: WireRequest,
  response: OAuth2Response,
  policy: RedirectPolicy,
  send: (request: WireRequest) => Promise<OAuth2Response>,
): Promise<OAuth2Response> {
  for (let hops = 0; hops < policy.maxRedirects; hops++) {
    if (!response.isRedirect) break;
    const hop = redirect(request, response, policy);
    if (typeof hop === "string") {
      throw new OAuth2Error(response, {
        message: policy.redactor.text(hop, request),
        redact: (text) => policy.redactor.text(text, request),
        now: policy.now(),
      });
    }
    request = hop;
    response = await send(request);
  }
  return response;
}

/** The next request, or why there is none. */
function redirect(
  request: WireRequest,
  { status, headers }: OAuth2Response,
  { allowCrossOrigin, allowInsecure, isAllowed, redactor }: RedirectPolicy,
): WireRequest | string {
  const location = headers.get("location");
  if (!location) {
    return `Got ${status} status code, but no Location header was present`;
  }
  if (!URL.canParse(location, request.url)) {
    return `${REFUSED}: its Location is not a URL`;
  }
  const url = new URL(location, request.url);
  // Some runtimes would send them as credentials.
  url.username = url.password = "";
  const isSafe = request.url.protocol === "https:"
    ? url.protocol === "https:"
    : isSecure(url, allowInsecure);
  if (!isSafe) {
    return `${REFUSED}: it leads to ${url.protocol}, which is not secure`;
  }
  const next = afterStatus(request, status);
  if (next.body instanceof ReadableStream) {
    return `${REFUSED}: the body is a stream, which can be sent but once`;
  }
  if (url.origin === request.url.origin) return { ...next, url };
  if (!allowCrossOrigin) {
    return `${REFUSED}: it leads to another origin, ${url.origin}`;
  }
  if (!isAllowed(url)) {
    return `${REFUSED}: it leads to ${url.origin}, which is not allowed`;
  }
  if (redactor.text(url.href, request) !== oneLine(url.href)) {
    return `${REFUSED}: it would take a secret to another origin`;
  }
  if (next.body !== undefined) {
    return `${REFUSED}: it would take the body to another origin`;
  }
  return { ...next, url, headers: forStrangers(next.headers) };
}

/** 307 and 308 repeat the request; the others ask to look elsewhere (RFC 9110 section 15.4). */
function afterStatus(request: WireRequest, status: number): WireRequest {
  if (status === 307 || status === 308) return request;
  const headers = new Headers(
    [...request.headers].filter(([name]) => !name.startsWith("content-")),
  );
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  return { ...request, method, headers, body: undefined };
}

function forStrangers(headers: Headers): Headers {
  return new Headers(
    [...headers].filter(([name]) => HEADERS_FOR_STRANGERS.includes(name)),
  );
}
