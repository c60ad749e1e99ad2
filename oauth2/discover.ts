/**
 * Finds out about an authorization server from what it publishes (RFC 8414,
 * OpenID Connect Discovery 1.0).
 *
 * @module
 */
import type { AuthScheme } from "./client_auth.ts";
import { OAuth2Error } from "./error.ts";
import { type HeaderSource, mergeHeaders } from "./headers.ts";
import { parseJson } from "./parsers.ts";
import { Redactor } from "./redact.ts";
import { wireRequest } from "./request.ts";
import type { OAuth2Response } from "./response.ts";
import { exchange, type Fetch, MAX_ANSWER_BYTES } from "./transport.ts";
import { checkSecure, isSecure } from "./url.ts";

/** How a server is asked. */
export interface DiscoverOptions {
  /**
   * What sends requests.
   *
   * @default globalThis.fetch
   */
  fetch?: Fetch | undefined;
  /** Headers of the requests. */
  headers?: HeaderSource | undefined;
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for each request; 0 for no limit.
   *
   * @default 30000
   */
  timeout?: number | undefined;
  /**
   * Whether plain http is allowed beyond loopback.
   *
   * @default false
   */
  allowInsecure?: boolean | undefined;
}

/** What a server publishes about itself (RFC 8414 section 2), as it is on the wire. */
export interface ServerMetadata {
  /** The issuer, equal to the one asked for. */
  readonly issuer: string;
  /** Where users are asked. */
  readonly authorization_endpoint?: string;
  /** Where tokens are asked for. */
  readonly token_endpoint?: string;
  /** Where tokens are revoked. */
  readonly revocation_endpoint?: string;
  /** How clients may tell who they are. */
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  /** Everything else. */
  readonly [name: string]: unknown;
}

/** Options for a client of a server, and all that the server publishes. */
export interface DiscoveredOptions {
  /** The issuer, exactly as it was asked for. */
  issuer: string;
  /** The issuer once more: paths are resolved against it. */
  site: string;
  /** Where users are asked, if the server asks any. */
  authorizeUrl?: string;
  /** Where tokens are asked for. */
  tokenUrl: string;
  /** Where tokens are revoked, if they can be. */
  revokeUrl?: string;
  /**
   * How the client tells who it is: the first of basic_auth, request_body,
   * private_key_jwt and tls_client_auth that the server knows; basic_auth if it
   * knows none.
   */
  authScheme: AuthScheme;
  /** Whether plain http was allowed. */
  allowInsecure?: boolean;
  /** All that the server publishes. */
  metadata: ServerMetadata;
}

/** The schemes by the names that servers publish, the usual one first (RFC 8414 section 2). */
const AUTH_SCHEMES: readonly (readonly [string, AuthScheme])[] = [
  ["client_secret_basic", "basic_auth"],
  ["client_secret_post", "request_body"],
  ["private_key_jwt", "private_key_jwt"],
  ["tls_client_auth", "tls_client_auth"],
  ["self_signed_tls_client_auth", "tls_client_auth"],
];

/**
 * Asks an issuer for its endpoints, by `/.well-known/openid-configuration`
 * and, where there is no such document, by
 * `/.well-known/oauth-authorization-server`. What comes back are options for a
 * client. Redirects are not followed.
 *
 * @throws {TypeError} When the issuer is not a URL without user, query and
 * fragment, or is not secure.
 * @throws {OAuth2Error} When there is no such document, or it is about another
 * issuer (RFC 8414 section 3.3), or it names endpoints that are not secure.
 * @throws {ConnectionError} When no answer comes.
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
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (!url || /[?#@]/.test(issuer)) {
    throw new TypeError(
      "Cannot discover the issuer: it is not a URL without user, query and fragment",
    );
  }
  checkSecure(url, allowInsecure);
  const path = url.pathname.replace(/\/$/, "");
  const openId = `${path}/.well-known/openid-configuration`;
  const oauth = `/.well-known/oauth-authorization-server${path}`;
  let document = await fetchDocument(new URL(openId, url), options);
  if (document.response.status === 404) {
    document = await fetchDocument(new URL(oauth, url), options);
  }
  const metadata = readMetadata(document, issuer, allowInsecure);
  const methods = [
    metadata.token_endpoint_auth_methods_supported ?? "client_secret_basic",
  ].flat();
  const [, authScheme] =
    AUTH_SCHEMES.find(([method]) => methods.includes(method)) ??
      ["", "basic_auth"];
  const { authorization_endpoint, token_endpoint, revocation_endpoint } =
    metadata;
  return {
    issuer,
    site: issuer,
    ...(authorization_endpoint && { authorizeUrl: authorization_endpoint }),
    tokenUrl: token_endpoint,
    ...(revocation_endpoint && { revokeUrl: revocation_endpoint }),
    authScheme,
    ...(allowInsecure && { allowInsecure }),
    metadata,
  };
}

/** What was answered, and how to refuse it. */
interface Document {
  readonly response: OAuth2Response;
  readonly refuse: (state: string) => OAuth2Error;
}

async function fetchDocument(
  url: URL,
  { fetch = globalThis.fetch, headers, signal, timeout }: DiscoverOptions,
): Promise<Document> {
  const request = wireRequest("get", url, {
    headers: mergeHeaders({ accept: "application/json" }, headers),
    secrets: [],
  });
  const redactor = new Redactor();
  const response = await exchange(request, {
    fetch,
    signal,
    timeout,
    redactor,
    maxBodyBytes: MAX_ANSWER_BYTES,
    // Some servers send the document as plain text.
    parse: parseJson,
    snaky: false,
  });
  const refuse = (state: string) =>
    new OAuth2Error(response, {
      message: `Cannot discover the issuer: ${state}`,
      redact: (text) => redactor.text(text, request),
    });
  return { response, refuse };
}

function readMetadata(
  { response, refuse }: Document,
  issuer: string,
  allowInsecure: boolean,
): ServerMetadata & { token_endpoint: string } {
  if (response.problem) throw refuse(response.problem);
  if (!response.ok) throw refuse(`got status ${response.status}`);
  const metadata = response.fields;
  if (!metadata) throw refuse("its document is not a JSON object");
  if (metadata.issuer !== issuer) {
    throw refuse("its document is about another issuer");
  }
  for (
    const name of [
      "authorization_endpoint",
      "token_endpoint",
      "revocation_endpoint",
    ]
  ) {
    const endpoint = metadata[name];
    const isMissing = endpoint === undefined || endpoint === null;
    if (isMissing && name !== "token_endpoint") continue;
    if (typeof endpoint !== "string" || !URL.canParse(endpoint)) {
      throw refuse(`its ${name} is not a URL`);
    }
    if (!isSecure(new URL(endpoint), allowInsecure)) {
      throw refuse(`its ${name} is not https`);
    }
  }
  return metadata as ServerMetadata & { token_endpoint: string };
}
