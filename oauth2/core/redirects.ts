/**
 * Redirects of resource servers. The client imports this module with the first
 * one.
 */
import { isStream } from "./body.ts";
import type { HeaderFields } from "./headers.ts";
import { type Redactor, unescape, withoutScheme } from "./redactor.ts";
import type { WireRequest } from "./transport.ts";
import { isSecure } from "./url.ts";

export interface RedirectPolicy {
  /** Allows other origins, without credentials. */
  readonly allowCrossOrigin: boolean | undefined;
  readonly allowInsecure: boolean | undefined;
  /** Returns true if requests may be sent to the origin of a URL. */
  readonly isAllowed: (url: URL) => boolean;
  readonly redactor: Redactor;
}

type Hop = { readonly status: number; readonly headers: Headers };

/** Headers that are sent to another origin; any other may be a credential. */
const CROSS_ORIGIN_HEADERS = ["accept", "accept-language", "user-agent"];
/** Minimum length of a credential in a header without a secret name. */
const MIN_CREDENTIAL = 8;
const PUBLIC_HEADER =
  /^(accept|cache-control|content-|origin|range|referer|user-agent)/;

/**
 * Returns the request that follows a redirect, or the message of a refusal. No
 * credentials leak: `fetch` would forward bodies, and credentials in any header
 * but `Authorization`. `firstOrigin` is that of the request before any
 * redirect.
 */
export function redirect(
  request: WireRequest,
  { status, headers }: Hop,
  firstOrigin: string,
  { allowCrossOrigin, allowInsecure, isAllowed, redactor }: RedirectPolicy,
): WireRequest | string {
  const location = headers.get("location");
  if (!location) {
    return `Got ${status} status code, but no Location header was present`;
  }
  const refusal = `Cannot follow the redirect ${status}`;
  if (!URL.canParse(location, request.url)) {
    return `${refusal}: its Location is not a URL`;
  }
  const url = new URL(location, request.url);
  // Some runtimes would send user and password as credentials.
  url.username = url.password = "";
  const isSafe = request.url.protocol === "https:"
    ? url.protocol === "https:"
    : isSecure(url, allowInsecure);
  const target = `${refusal} to "${url.protocol}//${url.host}"`;
  if (!isSafe) return `${target}: it must be https`;
  const next = {
    ...afterStatus(request, status),
    // The next request may lack the body, but the server knows its secrets.
    secrets: redactor.secretsOf(request),
    url,
  };
  if (isStream(next.body)) {
    return `${target}: a stream body can be sent only once`;
  }
  // A normalized host and the original Location may spell a secret differently.
  const destination = `${url.href} ${location}`;
  const leaksSecret = () =>
    redactor.finds(destination, request) ||
    hasHeaderValue(destination, request.headers);
  if (url.origin !== firstOrigin && leaksSecret()) {
    // The target is not part of the message: it may contain the secret.
    return `${refusal} to another origin: its Location contains a secret`;
  }
  if (url.origin === request.url.origin) return next;
  if (!allowCrossOrigin) {
    return `${target}: allowCrossOriginRedirects is false`;
  }
  if (!isAllowed(url)) return `${target}: it is not in allowedOrigins`;
  if (next.body !== undefined) {
    return `${target}: a body is not sent to another origin`;
  }
  return {
    ...next,
    headers: pick(next.headers, (name) => CROSS_ORIGIN_HEADERS.includes(name)),
  };
}

/**
 * Returns the request for 307 and 308, and a GET request for 303 and, if the
 * method is POST, for 301 and 302 (RFC 9110 section 15.4).
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

/** Returns true if a Location contains the value of a private header. */
function hasHeaderValue(location: string, headers: HeaderFields): boolean {
  const text = unescape(location);
  return Object.entries(headers).some(([name, value]) => {
    const credential = withoutScheme(value);
    return !PUBLIC_HEADER.test(name) && text.includes(credential) &&
      credential.length >= MIN_CREDENTIAL;
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
