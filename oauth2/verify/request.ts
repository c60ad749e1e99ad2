import type { AccessScheme } from "./access_denied.ts";

/** Request that is verified; a `Request` is one. */
export type VerifiedRequest = Pick<Request, "method" | "url" | "headers">;

/** Request of `node:http`, `node:https`, `node:http2` or Express. */
export interface NodeRequest {
  /** Method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Path and query before Express removed the path of a router. */
  readonly originalUrl?: string | undefined;
  /** Headers by name, in lower case. */
  readonly headers: {
    readonly [name: string]: string | readonly string[] | undefined;
  };
  /** Socket; with TLS, its member `encrypted` is true. */
  readonly socket?: object | undefined;
}

/** Host with port, which must not change the path of a URL. */
const HOST = /^[\w.:[\]~-]+$/;

/**
 * Returns a request with an absolute URL. That of a request of Node has the
 * host of the header `Host`.
 */
export function toVerified(
  request: VerifiedRequest | NodeRequest,
): VerifiedRequest {
  if (typeof request.headers.get === "function") {
    return request as VerifiedRequest;
  }
  const node = request as NodeRequest;
  const headers = new Headers();
  for (const [name, values] of Object.entries(node.headers)) {
    // HTTP/2 has pseudo-headers, e.g. `:path`.
    if (name.startsWith(":")) continue;
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return { method: node.method ?? "GET", url: urlOf(node), headers };
}

function urlOf({ url, originalUrl, headers, socket }: NodeRequest): string {
  const host = String(headers.host ?? headers[":authority"] ?? "");
  const isTls = (socket as { encrypted?: boolean } | undefined)?.encrypted;
  const base = `${isTls ? "https" : "http"}://${host}`;
  const origin = HOST.test(host) && URL.canParse(base)
    ? base
    : "http://localhost";
  const target = originalUrl ?? url ?? "/";
  // Concatenated: resolving `//other` would change the host.
  if (target.startsWith("/")) return origin + target;
  return URL.parse(target, origin)?.href ?? origin;
}

/** Scheme and token of the `Authorization` header. */
export interface Credentials {
  readonly scheme: AccessScheme;
  /** Undefined if the header has not exactly one token. */
  readonly token: string | undefined;
}

const CREDENTIALS = /^(?:Bearer|DPoP) +([\w.~+/-]+=*)$/i;
const MAX_HEADER = 16_384;

/** Reads the access token. Returns undefined for no or another scheme. */
export function readCredentials(headers: Headers): Credentials | undefined {
  const header = headers.get("authorization") ?? "";
  const [scheme] = /^(Bearer|DPoP)\b/i.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  return {
    scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer",
    token: header.length > MAX_HEADER
      ? undefined
      : CREDENTIALS.exec(header)?.[1],
  };
}
