/**
 * Finds the endpoints of an authorization server from its published metadata
 * (RFC 8414, OpenID Connect Discovery 1.0).
 *
 * @module
 */
import type { AuthScheme } from "./client_auth.ts";
import { config } from "./config.ts";
import { OAuth2Error } from "./error.ts";
import { type HeaderSource, mergeHeaders } from "./headers.ts";
import { parseJson } from "./parsers.ts";
import { Redactor } from "./redactor.ts";
import type { WireRequest } from "./request.ts";
import type { ServerMetadata } from "./server_metadata.ts";
import { exchange, type Fetch, MAX_RESPONSE_BYTES } from "./transport.ts";
import { checkSecure, isSecure } from "./url.ts";

export type { ServerMetadata } from "./server_metadata.ts";

/** Options of {@link discover}. */
export interface DiscoverOptions {
  /**
   * Function that sends requests.
   *
   * @default globalThis.fetch
   */
  fetch?: Fetch | undefined;
  /** Headers of the requests. */
  headers?: HeaderSource | undefined;
  /** Signal that ends the call, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for each request; 0 for no limit.
   *
   * @default 30000
   */
  timeout?: number | undefined;
  /**
   * Allows plain http beyond loopback.
   *
   * @default false
   */
  allowInsecure?: boolean | undefined;
}

/** Options for a client of a server. */
export interface DiscoveredOptions {
  /** Issuer, exactly as it was asked for. */
  issuer: string;
  /** Issuer once more: paths are resolved against it. */
  site: string;
  /** Authorization endpoint; null if the server has none. */
  authorizeUrl: string | null;
  /** Token endpoint. */
  tokenUrl: string;
  /** Revocation endpoint; null if the server has none. */
  revokeUrl: string | null;
  /**
   * Client authentication method: the first of basic_auth, request_body,
   * private_key_jwt, client_secret_jwt and tls_client_auth that the server
   * supports; basic_auth if it supports none.
   */
  authScheme: AuthScheme;
  /** True if plain http was allowed. */
  allowInsecure?: boolean;
  /** Metadata of the server. */
  metadata: ServerMetadata;
}

/** Methods by their registered names, the usual one first (RFC 8414 section 2). */
const AUTH_SCHEMES: readonly (readonly [string, AuthScheme])[] = [
  ["client_secret_basic", "basic_auth"],
  ["client_secret_post", "request_body"],
  ["private_key_jwt", "private_key_jwt"],
  ["client_secret_jwt", "client_secret_jwt"],
  ["tls_client_auth", "tls_client_auth"],
  ["self_signed_tls_client_auth", "tls_client_auth"],
];

/**
 * Fetches the metadata of an issuer and gives options for a client. It is looked
 * for at `{issuer}/.well-known/openid-configuration`, then
 * `{origin}/.well-known/oauth-authorization-server{path}`, then
 * `{origin}/.well-known/openid-configuration{path}`, until a document is usable.
 * A status of 500 or above ends the search. Redirects are not followed.
 *
 * @throws {TypeError} When the issuer is not a URL without user, query and
 * fragment, or is not secure.
 * @throws {OAuth2Error} When there is no document, the server fails, or the
 * document is about another issuer (RFC 8414 section 3.3) or names endpoints
 * that are not secure.
 * @throws {ConnectionError} When there is no answer.
 *
 * @example
 * ```ts
 * import { Client, discover } from "@carteiro/oauth2";
 *
 * const issuer = "https://provider.example/main";
 * const found = await discover(issuer, {
 *   fetch: (url) => {
 *     console.assert(url === `${issuer}/.well-known/openid-configuration`);
 *     return Promise.resolve(Response.json({
 *       issuer,
 *       authorization_endpoint: `${issuer}/auth`,
 *       token_endpoint: `${issuer}/token`,
 *     }));
 *   },
 * });
 * const client = new Client("abc", "secret", found);
 * console.assert(client.tokenUrl() === "https://provider.example/main/token");
 * ```
 */
export async function discover(
  issuer: string,
  options: DiscoverOptions = {},
): Promise<DiscoveredOptions> {
  const { allowInsecure = false } = options;
  const url = URL.parse(issuer);
  if (!url || /[?#]/.test(issuer) || url.username || url.password) {
    throw new TypeError(
      "Cannot discover the issuer: it is not a URL without user, query and fragment",
    );
  }
  checkSecure(url, allowInsecure);
  const metadata = await findMetadata(url, issuer, options);
  const methods = [
    metadata.token_endpoint_auth_methods_supported ?? "client_secret_basic",
  ].flat();
  const [, authScheme] =
    AUTH_SCHEMES.find(([method]) => methods.includes(method)) ??
      ["", "basic_auth"];
  return {
    issuer,
    site: issuer,
    authorizeUrl: metadata.authorization_endpoint ?? null,
    tokenUrl: metadata.token_endpoint!,
    revokeUrl: metadata.revocation_endpoint ?? null,
    authScheme,
    ...(allowInsecure && { allowInsecure }),
    metadata,
  };
}

/** Asks one well-known place after the other. */
async function findMetadata(
  url: URL,
  issuer: string,
  options: DiscoverOptions,
): Promise<ServerMetadata> {
  const path = url.pathname.replace(/\/$/, "");
  const openId = "/.well-known/openid-configuration";
  const places = new Set([
    path + openId,
    `/.well-known/oauth-authorization-server${path}`,
    openId + path,
  ]);
  const redactor = new Redactor(config);
  let refused: OAuth2Error | undefined;
  for (const place of places) {
    const request: WireRequest = {
      method: "GET",
      url: withPath(url, place),
      headers: mergeHeaders({ accept: "application/json" }, options.headers),
      secrets: [],
      repetition: "safe",
    };
    const response = await exchange(
      request,
      { ...options, redactor, maxBodyBytes: MAX_RESPONSE_BYTES },
      // Some servers send the document as plain text.
      { parse: parseJson, snaky: false },
    );
    const { status, problem, fields } = response;
    const state = problem ??
      (status === 200
        ? findFault(fields, issuer, options.allowInsecure)
        : `got status ${status}`);
    if (state === undefined) return fields as ServerMetadata;
    const error = new OAuth2Error(response, {
      message: redactor.text(`Cannot discover the issuer: ${state}`, request),
      redact: (text) => redactor.text(text, request),
    });
    if (status >= 500) throw error;
    // An unusable document says more than a missing one.
    if (refused?.status !== 200) refused = error;
  }
  throw refused!;
}

/** Replaces the path; as a relative URL, one like `//host` would leave the issuer. */
function withPath(url: URL, path: string): URL {
  const other = new URL(url);
  other.pathname = path;
  return other;
}

/** Tells the reason for which a document cannot be used. */
function findFault(
  metadata: Record<string, unknown> | undefined,
  issuer: string,
  allowInsecure: boolean | undefined,
): string | undefined {
  if (!metadata) return "its document is not a JSON object";
  if (metadata.issuer !== issuer) {
    const other = typeof metadata.issuer === "string" ? metadata.issuer : "";
    return `its document is about another issuer, "${other}", not "${issuer}"`;
  }
  if (typeof metadata.token_endpoint !== "string") {
    return "its token_endpoint is not a URL";
  }
  const endpoints = [metadata, Object(metadata.mtls_endpoint_aliases)]
    .flatMap((fields) => Object.entries(fields))
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
  for (const [name, value] of endpoints) {
    if (value === undefined || value === null) continue;
    const url = URL.parse(typeof value === "string" ? value : "");
    if (!url || url.username || url.password || url.hash) {
      return `its ${name} is not a URL without user and fragment`;
    }
    const isSafe = /^https:/i.test(issuer)
      ? url.protocol === "https:"
      : isSecure(url, allowInsecure);
    if (!isSafe) return `its ${name} is not https`;
  }
  return undefined;
}
