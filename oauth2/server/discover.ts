/**
 * Discovery of authorization server metadata (RFC 8414, OpenID Connect
 * Discovery 1.0).
 *
 * @module
 */
import type { AuthScheme } from "../core/client_auth.ts";
import { config } from "../core/config.ts";
import { OAuth2Error } from "../core/response.ts";
import { type HeaderSource, mergeHeaders } from "../core/headers.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { parseJson } from "../core/parsers.ts";
import { Redactor } from "../core/redactor.ts";
import type { WireRequest } from "../core/transport.ts";
import type { ServerMetadata } from "./server_metadata.ts";
import { exchange, type Fetch, MAX_RESPONSE_BYTES } from "../core/transport.ts";
import { checkSecure, isSecure } from "../core/url.ts";
import { invalid } from "../core/type_error.ts";

export type { ServerMetadata } from "./server_metadata.ts";

/** Options of {@linkcode discover}. */
export interface DiscoverOptions {
  /**
   * Function that sends requests.
   *
   * @default {globalThis.fetch}
   */
  fetch?: Fetch | undefined;
  /** Headers of the requests. */
  headers?: HeaderSource | undefined;
  /** Signal that aborts the call, which rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout of each request in milliseconds; 0 for none.
   *
   * @default {30000}
   */
  timeout?: number | undefined;
  /**
   * Allows plain http to other hosts than loopback.
   *
   * @default {false}
   */
  allowInsecure?: boolean | undefined;
  /**
   * Issuer in the document of a server with many tenants, e.g.
   * `https://login.microsoftonline.com/{tenantid}/v2.0` for
   * `https://login.microsoftonline.com/common/v2.0`. It is an option of the
   * client, too, which validates ID tokens with it.
   *
   * @default {none: the document must have the issuer}
   */
  issuerTemplate?: string | undefined;
  /**
   * Tries the URL of OpenID Connect Discovery 1.0 last instead of first, as the
   * Model Context Protocol does.
   *
   * @default {false}
   */
  oauthFirst?: boolean | undefined;
}

/** Names of {@linkcode DiscoverOptions}. */
export const DISCOVER_OPTIONS: {
  readonly [name in keyof DiscoverOptions]-?: true;
} = {
  fetch: true,
  headers: true,
  signal: true,
  timeout: true,
  allowInsecure: true,
  issuerTemplate: true,
  oauthFirst: true,
};
const OPTIONS = /* @__PURE__ */ knownNames<DiscoverOptions>(DISCOVER_OPTIONS);

/** Options of a client, as {@linkcode discover} returns them. */
export interface DiscoveredOptions {
  /** Issuer, identical to the argument of `discover`. */
  issuer: string;
  /** Issuer in the ID tokens of a server with many tenants. */
  issuerTemplate?: string;
  /** Base URL for paths: the issuer. */
  site: string;
  /** Authorization endpoint; null if the server has none. */
  authorizeUrl: string | null;
  /** Token endpoint. */
  tokenUrl: string;
  /** Revocation endpoint; null if the server has none. */
  revokeUrl: string | null;
  /**
   * Client authentication method: the first of `basic_auth`, `request_body`,
   * `private_key_jwt`, `client_secret_jwt` and `tls_client_auth` that the
   * server supports, or `basic_auth`.
   */
  authScheme: AuthScheme;
  /** True if plain http was allowed. */
  allowInsecure?: boolean;
  /** Metadata of the server. */
  metadata: ServerMetadata;
}

/** Methods by registered name, in order of preference (RFC 8414 section 2). */
export const AUTH_SCHEMES: readonly (readonly [string, AuthScheme])[] = [
  ["client_secret_basic", "basic_auth"],
  ["client_secret_post", "request_body"],
  ["private_key_jwt", "private_key_jwt"],
  ["client_secret_jwt", "client_secret_jwt"],
  ["tls_client_auth", "tls_client_auth"],
  ["self_signed_tls_client_auth", "tls_client_auth"],
];

/**
 * Fetches the metadata of an issuer and returns options for a client.
 *
 * Uses the first valid document at these URLs:
 *
 * 1. `{issuer}/.well-known/openid-configuration`
 * 2. `{origin}/.well-known/oauth-authorization-server{path}`
 * 3. `{origin}/.well-known/openid-configuration{path}`
 *
 * With `oauthFirst`, the first of them is the last.
 *
 * A status of 500 or above ends the search. Redirects are not followed.
 *
 * @throws {TypeError} If the issuer is not a URL, has a user, query or
 * fragment, or is insecure, or if the template has no `{tenantid}` or another
 * origin.
 * @throws {OAuth2Error} If no document is found, the server fails, or the
 * document has another issuer (RFC 8414 section 3.3) or insecure endpoints.
 * @throws {ConnectionError} If no complete response arrives.
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
export function discover(
  issuer: string,
  options: DiscoverOptions = {},
): Promise<DiscoveredOptions> {
  // `{ ...discover(issuer) }` would be empty: with this, a client refuses it.
  return Object.assign(findOptions(issuer, options), {
    "discover without await": true,
  });
}

async function findOptions(
  issuer: string,
  options: DiscoverOptions,
): Promise<DiscoveredOptions> {
  checkNames(options, OPTIONS);
  const { allowInsecure = false } = options;
  const url = URL.parse(issuer);
  if (!url || /[?#]/.test(issuer) || url.username || url.password) {
    throw invalid(
      "Cannot discover the issuer: it must be a URL without user, query and fragment",
    );
  }
  checkSecure(url, allowInsecure);
  const { issuerTemplate = issuer } = options;
  const isTemplate = issuerTemplate.includes("{tenantid}") &&
    URL.parse(issuerTemplate)?.origin === url.origin;
  if (issuerTemplate !== issuer && !isTemplate) {
    throw invalid(
      "Cannot discover the issuer: issuerTemplate must contain {tenantid} and have its origin",
    );
  }
  const metadata = await findMetadata(url, issuerTemplate, options);
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
    ...issuerTemplate !== issuer && { issuerTemplate },
    ...allowInsecure && { allowInsecure },
    metadata,
  };
}

/** Requests the well-known URLs one after another. */
async function findMetadata(
  url: URL,
  issuer: string,
  options: DiscoverOptions,
): Promise<ServerMetadata> {
  const path = url.pathname.replace(/\/$/, "");
  const openId = "/.well-known/openid-configuration";
  const paths = [
    path + openId,
    `/.well-known/oauth-authorization-server${path}`,
    openId + path,
  ];
  if (options.oauthFirst) paths.push(paths.shift()!);
  const redactor = new Redactor(config);
  let failure: OAuth2Error | undefined;
  for (const wellKnown of new Set(paths)) {
    const request: WireRequest = {
      method: "GET",
      url: withPath(url, wellKnown),
      headers: mergeHeaders({ accept: "application/json" }, options.headers),
      secrets: [],
      repetition: "safe",
    };
    const response = await exchange(
      request,
      { ...options, redactor, maxBodyBytes: MAX_RESPONSE_BYTES },
      // Some servers send the document as text/plain.
      { parse: parseJson, snaky: false },
    );
    const { status, problem, fields } = response;
    const reason = problem ??
      (status === 200
        ? checkMetadata(fields, issuer, options.allowInsecure)
        : `got status ${status}`);
    if (reason === undefined) return fields as ServerMetadata;
    const error = new OAuth2Error(response, {
      message: redactor.text(
        `Cannot discover the issuer at "${request.url}": ${reason}`,
        request,
      ),
      redact: (text) => redactor.text(text, request),
    });
    if (status >= 500) throw error;
    // An invalid document is a more specific error than a missing one.
    if (failure?.status !== 200) failure = error;
  }
  throw failure!;
}

/** Replaces the path of a URL. Resolving `//host` would change the origin. */
function withPath(url: URL, path: string): URL {
  const other = new URL(url);
  other.pathname = path;
  return other;
}

/** Returns the reason why a document is invalid. */
function checkMetadata(
  metadata: Record<string, unknown> | undefined,
  issuer: string,
  allowInsecure: boolean | undefined,
): string | undefined {
  if (!metadata) return "the document is not a JSON object";
  if (metadata.issuer !== issuer) {
    const other = typeof metadata.issuer === "string" ? metadata.issuer : "";
    return `the document has the issuer "${other}", not "${issuer}"`;
  }
  if (typeof metadata.token_endpoint !== "string") {
    return "token_endpoint must be a URL";
  }
  const endpoints = [metadata, Object(metadata.mtls_endpoint_aliases)]
    .flatMap((fields) => Object.entries(fields))
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
  for (const [name, value] of endpoints) {
    if (value === undefined || value === null) continue;
    const url = URL.parse(typeof value === "string" ? value : "");
    if (!url || url.username || url.password || url.hash) {
      return `${name} must be a URL without user and fragment`;
    }
    const isSafe = /^https:/i.test(issuer)
      ? url.protocol === "https:"
      : isSecure(url, allowInsecure);
    if (!isSafe) return `${name} must be https`;
  }
  return undefined;
}
