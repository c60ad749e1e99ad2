import type { HeaderFields } from "./headers.ts";
import { type Redactor, unescape, withoutScheme } from "./redactor.ts";
import type { WireRequest } from "./request.ts";
import { isRedirect } from "./response.ts";
import { isStream } from "./transport.ts";
import { isSecure } from "./url.ts";

/** Limits within which redirects are followed. */
export interface RedirectPolicy {
  /** Number of redirects that are followed. */
  readonly maxRedirects: number;
  /** Allows another origin, to which nothing secret goes. */
  readonly allowCrossOrigin: boolean | undefined;
  readonly allowInsecure: boolean | undefined;
  /** Tells an origin to which requests may be sent. */
  readonly isAllowed: (url: URL) => boolean;
  readonly redactor: Redactor;
}

/** Answer of one hop. */
type Hop = { readonly status: number; readonly headers: Headers };

/** Headers that go to another origin; any other may be a credential. */
const CROSS_ORIGIN_HEADERS = ["accept", "accept-language", "user-agent"];
/** Shorter values of headers are not credentials, unless their names say so. */
const SHORTEST_CREDENTIAL = 8;
/** Headers whose values are not credentials. */
const HARMLESS_HEADER =
  /^(accept|cache-control|content-|origin|range|referer|user-agent)/;

/**
 * Follows the redirects of an answer with more care than `fetch`, which forwards
 * bodies, and credentials in any header but `Authorization`. Beyond the limit
 * of the policy, the last redirect is the answer.
 *
 * @throws {OAuth2Error} Made by `refuse`, when a redirect is refused.
 */
export async function follow<R extends Hop>(
  request: WireRequest,
  answer: R,
  policy: RedirectPolicy,
  send: (request: WireRequest) => Promise<R>,
  refuse: (answer: R, request: WireRequest, message: string) => Error,
): Promise<R> {
  const { origin: home } = request.url;
  for (let hops = 0; hops < policy.maxRedirects; hops++) {
    if (!isRedirect(answer.status)) break;
    const next = redirect(request, answer, home, policy);
    if (typeof next === "string") throw refuse(answer, request, next);
    request = next;
    answer = await send(request);
  }
  return answer;
}

/** Makes the next request, or returns the reason for refusing the redirect. */
function redirect(
  request: WireRequest,
  { status, headers }: Hop,
  home: string,
  { allowCrossOrigin, allowInsecure, isAllowed, redactor }: RedirectPolicy,
): WireRequest | string {
  const location = headers.get("location");
  if (!location) {
    return `Got ${status} status code, but no Location header was present`;
  }
  const refused = `Cannot follow the redirect ${status}`;
  if (!URL.canParse(location, request.url)) {
    return `${refused}: its Location is not a URL`;
  }
  const url = new URL(location, request.url);
  // Some runtimes would send them as credentials.
  url.username = url.password = "";
  const isSafe = request.url.protocol === "https:"
    ? url.protocol === "https:"
    : isSecure(url, allowInsecure);
  const target = `${refused} to ${url.protocol}//${url.host}`;
  if (!isSafe) return `${target}: it is not https`;
  const next = {
    ...afterStatus(request, status),
    // The next request may have no body, but the server knows the last one.
    secrets: redactor.secretsOf(request),
    url,
  };
  if (isStream(next.body)) {
    return `${target}: the body is a stream, which can be sent but once`;
  }
  // The URL has its host in small letters and decoded, the Location as sent.
  const told = `${url.href} ${location}`;
  const takesSecret = () =>
    redactor.finds(told, request) || holdsHeader(told, request.headers);
  if (url.origin !== home && takesSecret()) {
    return `${refused} to another origin: it would take a secret there`;
  }
  if (url.origin === request.url.origin) return next;
  if (!allowCrossOrigin) return `${target}: it is another origin`;
  if (!isAllowed(url)) return `${target}: the origin is not allowed`;
  if (next.body !== undefined) {
    return `${target}: it would take the body to another origin`;
  }
  return {
    ...next,
    headers: pick(next.headers, (name) => CROSS_ORIGIN_HEADERS.includes(name)),
  };
}

/**
 * Repeats the request after 307 and 308. 303 asks to look elsewhere by GET, as
 * 301 and 302 do for POST (RFC 9110 section 15.4).
 */
function afterStatus(request: WireRequest, status: number): WireRequest {
  const { method, headers } = request;
  const isRepeated = status === 303
    ? method === "HEAD"
    : status > 303 || method !== "POST";
  if (isRepeated) return request;
  return {
    ...request,
    method: "GET",
    headers: pick(headers, (name) => !name.startsWith("content-")),
    body: undefined,
  };
}

/** Finds in a Location the value of a header that does not go to another origin. */
function holdsHeader(location: string, headers: HeaderFields): boolean {
  const text = unescape(location);
  return Object.entries(headers).some(([name, value]) => {
    const credential = withoutScheme(value);
    return !HARMLESS_HEADER.test(name) && text.includes(credential) &&
      credential.length >= SHORTEST_CREDENTIAL;
  });
}

function pick(
  headers: HeaderFields,
  isWanted: (name: string) => boolean,
): HeaderFields {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => isWanted(name)),
  );
}
