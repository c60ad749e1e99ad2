import type { UnsignedJwt } from "../server/jwt.ts";
import type { HeaderSource } from "./headers.ts";
import { checkSpelling, type KnownNames, knownNames } from "./names.ts";
import type { Params } from "./params.ts";
import type { ParseOptions } from "./response.ts";

/** Options of every call. */
export interface CallOptions extends ParseOptions {
  /** Headers; they override those of the client. */
  headers?: HeaderSource | undefined;
  /**
   * Throws error responses. If false, the error is the `error` of the response.
   * A refused redirect always throws.
   *
   * @default {`raiseErrors` of the client}
   */
  raiseErrors?: boolean | undefined;
  /** Signal that aborts the call, which rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout in milliseconds, restarted for each redirect; 0 for none.
   *
   * @default {`timeout` of `connectionOpts`}
   */
  timeout?: number | undefined;
  /**
   * Maximum length of the response body in bytes.
   *
   * @default {`maxBodyBytes` of `connectionOpts`}
   */
  maxBodyBytes?: number | undefined;
}

/**
 * Method of token requests. Other methods than `post` put secrets into URLs.
 */
export type TokenMethod = "post" | "get" | "post_with_query_string";

/** Options of a request to the authorization server. */
export interface EndpointOptions extends CallOptions {
  /**
   * Method of the request.
   *
   * @default {`tokenMethod` of the client for token requests, otherwise "post"}
   */
  tokenMethod?: TokenMethod | undefined;
}

/** Options of a request to a resource server. */
export interface RequestOptions extends CallOptions {
  /** Query parameters; they replace those of the URL with the same name. */
  params?: Params | undefined;
  /**
   * Body. A plain object is sent as a form. With a JSON content type, objects,
   * arrays, numbers and booleans are sent as JSON. Strings, forms, blobs, bytes
   * and streams are sent as `fetch` sends them.
   */
  body?: unknown;
  /**
   * Follows redirects to other origins, with only the headers `Accept`,
   * `Accept-Language` and `User-Agent`, and without a body.
   *
   * @default {`allowCrossOriginRedirects` of the client}
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /** Origins to which the request may go, among those of the client. */
  allowedOrigins?: readonly string[] | undefined;
  /** Additional values to redact in logs and messages. */
  secrets?: readonly string[] | undefined;
}

/** Value of a parameter; null and undefined omit it. */
export type Value = string | number | boolean | null | undefined;
/** Value of a parameter, or a list of values for a repeated parameter. */
export type Values = Value | readonly Value[];

/** Scopes, as a list or separated by spaces. */
export type Scope = string | readonly string[] | null | undefined;

/** Parameters that say what a token is for. */
export interface TargetParams {
  /** Scopes, as a list or separated by spaces (RFC 6749 section 3.3). */
  scope?: Scope;
  /** URI of the resource server (RFC 8707); may be repeated. */
  resource?: Values;
  /** Logical name of the resource server (RFC 8693); may be repeated. */
  audience?: Values;
  /** Authorization details, as JSON text (RFC 9396). */
  authorization_details?: Value;
}

/** Parameters of an authorization request, spelled as on the wire. */
export interface AuthorizationWireParams extends TargetParams {
  /**
   * Value that the server returns with the code, against cross-site request
   * forgery.
   */
  state?: Value;
  /** Value that the server returns in the ID token, against replay. */
  nonce?: Value;
  /** Redirect URI. */
  redirect_uri?: Value;
  /** `none`, or `login`, `consent`, `select_account`, separated by spaces. */
  prompt?: Value;
  /** PKCE challenge of an authorization request (RFC 7636 section 4.3). */
  code_challenge?: Value;
  /** PKCE challenge method: `S256`. */
  code_challenge_method?: Value;
  /** `code` or `token`. */
  response_type?: Value;
  /** `query`, `fragment` or `form_post`. */
  response_mode?: Value;
  /** Client id. */
  client_id?: Value;
  /** Claims, as JSON text (OpenID Connect Core section 5.5). */
  claims?: Value;
  /** Authentication context classes, separated by spaces. */
  acr_values?: Value;
  /** Maximum authentication age in seconds. */
  max_age?: Value;
  /** Login name of the user, if known. */
  login_hint?: Value;
  /** ID token of an earlier login. */
  id_token_hint?: Value;
  /** Preferred languages of the pages, separated by spaces. */
  ui_locales?: Value;
  /** `page`, `popup`, `touch` or `wap`. */
  display?: Value;
  /** Signed request object (RFC 9101). */
  request?: Value;
  /** Reference to a pushed authorization request (RFC 9126). */
  request_uri?: Value;
  /** Thumbprint of a DPoP key (RFC 9449 section 10). */
  dpop_jkt?: Value;
}

/** Parameters that authenticate the client instead of its own credentials. */
export interface ClientParams {
  /** Client id. */
  client_id?: Value;
  /** Client secret. */
  client_secret?: Value;
  /** JWT that authenticates the client (RFC 7521 section 4.2). */
  client_assertion?: Value;
  /** Type of `client_assertion`. */
  client_assertion_type?: Value;
}

/**
 * Registered parameters, spelled as on the wire: RFC 6749, 7009, 7521, 7636,
 * 8628, 8693, 8707, 9126, 9396, 9449 and OpenID Connect.
 */
export interface WireParams extends AuthorizationWireParams, ClientParams {
  /** PKCE verifier of a token request (RFC 7636 section 4.5). */
  code_verifier?: Value;
  /** Authorization code. */
  code?: Value;
  /** Grant type. */
  grant_type?: Value;
  /** JWT that is the grant (RFC 7521 section 4.1). */
  assertion?: Value | Promise<string> | UnsignedJwt;
  /** Username of the resource owner. */
  username?: Value;
  /** Password of the resource owner. */
  password?: Value;
  /** Refresh token. */
  refresh_token?: Value;
  /** Token to revoke or introspect. */
  token?: Value;
  /** `access_token` or `refresh_token`. */
  token_type_hint?: Value;
  /** Device code (RFC 8628 section 3.4). */
  device_code?: Value;
  /** Token to exchange (RFC 8693 section 2.1). */
  subject_token?: Value;
  /** Type of `subject_token`. */
  subject_token_type?: Value;
  /** Token of the acting party. */
  actor_token?: Value;
  /** Type of `actor_token`. */
  actor_token_type?: Value;
  /** Type of the requested token. */
  requested_token_type?: Value;
}

/**
 * Parameters of an authorization request. Other names in lower case are
 * allowed; those with capitals, too, in a `Record<string, string>`.
 */
export interface AuthorizationParams extends AuthorizationWireParams {
  /** A parameter; null and undefined omit it, a list repeats it. */
  readonly [param: Lowercase<string>]: unknown;
}

/**
 * Parameters of a token request of any grant, and options of the call, which
 * are not sent. Other names are allowed.
 */
export interface GrantParams
  extends EndpointOptions, TargetParams, ClientParams {
  /** A parameter; null and undefined omit it, a list repeats it. */
  readonly [param: Lowercase<string>]: unknown;
}

/** Parameters of a token request with an authorization code. */
export interface CodeParams extends GrantParams {
  /** Redirect URI of the authorization request. */
  redirect_uri?: Value;
  /** PKCE verifier (RFC 7636 section 4.5). */
  code_verifier?: Value;
}

/** Parameters of a revocation, and options of the call. */
export interface RevokeParams extends EndpointOptions, ClientParams {
  /** `access_token` or `refresh_token`. */
  token_type_hint?: Value;
  /** A parameter; null and undefined omit it, a list repeats it. */
  readonly [param: Lowercase<string>]: unknown;
}

/**
 * Parameters of a request to the authorization server, and options of the call,
 * which are not sent.
 */
export interface CallParams extends EndpointOptions, WireParams {
  /** A parameter; null and undefined omit it, a list repeats it. */
  readonly [param: Lowercase<string>]: unknown;
}

const CALL_OPTIONS: { readonly [name in keyof CallOptions]-?: true } = {
  headers: true,
  parse: true,
  untyped: true,
  snaky: true,
  snakyHashClass: true,
  raiseErrors: true,
  signal: true,
  timeout: true,
  maxBodyBytes: true,
};
/** Names of {@linkcode RequestOptions}. */
export const REQUEST_OPTIONS: KnownNames = knownNames<RequestOptions>({
  ...CALL_OPTIONS,
  params: true,
  body: true,
  allowCrossOriginRedirects: true,
  allowedOrigins: true,
  secrets: true,
});
const WIRE_NAMES: { readonly [name in keyof WireParams]-?: true } = {
  scope: true,
  resource: true,
  audience: true,
  authorization_details: true,
  state: true,
  nonce: true,
  redirect_uri: true,
  prompt: true,
  code_challenge: true,
  code_challenge_method: true,
  response_type: true,
  response_mode: true,
  client_id: true,
  claims: true,
  acr_values: true,
  max_age: true,
  login_hint: true,
  id_token_hint: true,
  ui_locales: true,
  display: true,
  request: true,
  request_uri: true,
  dpop_jkt: true,
  client_secret: true,
  client_assertion: true,
  client_assertion_type: true,
  code_verifier: true,
  code: true,
  grant_type: true,
  assertion: true,
  username: true,
  password: true,
  refresh_token: true,
  token: true,
  token_type_hint: true,
  device_code: true,
  subject_token: true,
  subject_token_type: true,
  actor_token: true,
  actor_token_type: true,
  requested_token_type: true,
};
const OPTION_NAMES: { readonly [name in keyof EndpointOptions]-?: true } = {
  ...CALL_OPTIONS,
  tokenMethod: true,
};
const WIRE = knownNames<WireParams>(WIRE_NAMES);
const OPTIONS = knownNames<EndpointOptions>(OPTION_NAMES);
const CALL = knownNames<WireParams & EndpointOptions>({
  ...WIRE_NAMES,
  ...OPTION_NAMES,
});

/**
 * Copies the parameters of an authorization request.
 *
 * @throws {TypeError} If a name of {@linkcode WireParams} is misspelled.
 */
export function authorizationParams(
  params: AuthorizationParams,
): Record<string, unknown> {
  const { wire } = splitParams(params as CallParams, WIRE, new Map());
  return Object.fromEntries(wire);
}

/**
 * Separates the options of a call from the parameters to send.
 *
 * @throws {TypeError} If a name of {@linkcode CallParams} is misspelled.
 */
export function splitParams(
  params: CallParams,
  known: KnownNames = CALL,
  options: KnownNames = OPTIONS,
): { call: EndpointOptions; wire: Map<string, unknown> } {
  const call: Record<string, unknown> = {};
  const wire = new Map<string, unknown>();
  for (const name of Object.keys(params)) {
    const value = params[name as Lowercase<string>];
    checkSpelling(name, known);
    if (value === undefined || value === null) continue;
    // If the call fails first, the rejection of a signature would be unhandled.
    if (value instanceof Promise) value.catch(() => {});
    if (options.has(name)) call[name] = value;
    else if (name === "scope") wire.set(name, joinScopes(value));
    else wire.set(name, Array.isArray(value) ? [...value] : value);
  }
  return { call, wire };
}

/** Joins a list of scopes with spaces (RFC 6749 section 3.3). */
export function joinScopes(scope: unknown): unknown {
  return Array.isArray(scope) ? scope.join(" ") : scope;
}
