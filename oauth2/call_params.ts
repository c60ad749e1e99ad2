import type { UnsignedJwt } from "./jwt.ts";
import {
  checkName,
  type KnownNames,
  knownNames,
  type Misspelled,
} from "./names.ts";
import { CALL_OPTIONS, type EndpointOptions } from "./request.ts";

/** Value of a parameter, sent as text. */
export type Value = string | number | boolean | null | undefined;
/** Value of a parameter, or a list that repeats it. */
export type Values = Value | readonly Value[];

/**
 * Parameters of the specifications, as they are spelled on the wire: RFC 6749,
 * 7009, 7521, 7636, 8628, 8693, 8707, 9126, 9396, 9449 and OpenID Connect.
 */
export interface WireParams {
  /** Scopes, separated by blanks; a list is joined by them (RFC 6749 section 3.3). */
  scope?: string | readonly string[] | null | undefined;
  /** Value that comes back with the code, against forged callbacks. */
  state?: Value;
  /** Value that comes back in the ID token. */
  nonce?: Value;
  /** Redirect URI. */
  redirect_uri?: Value;
  /** `none`, `login`, `consent`, `select_account` or several, by blanks. */
  prompt?: Value;
  /** Resource server for which the token is meant (RFC 8707); a list repeats it. */
  resource?: Values;
  /** Logical name of the resource server; a list repeats it (RFC 8693). */
  audience?: Values;
  /** Verifier of PKCE, with the code (RFC 7636 section 4.5). */
  code_verifier?: Value;
  /** Challenge of PKCE, at the authorization endpoint. */
  code_challenge?: Value;
  /** Method of the challenge: `S256`. */
  code_challenge_method?: Value;
  /** Authorization code. */
  code?: Value;
  /** Grant type. */
  grant_type?: Value;
  /** `code` or `token`. */
  response_type?: Value;
  /** `query`, `fragment` or `form_post`. */
  response_mode?: Value;
  /** Id of the client. */
  client_id?: Value;
  /** Secret of the client. */
  client_secret?: Value;
  /** JWT that authenticates the client (RFC 7521 section 4.2). */
  client_assertion?: Value;
  /** Type of `client_assertion`. */
  client_assertion_type?: Value;
  /** JWT that is the grant (RFC 7521 section 4.1). */
  assertion?: Value | Promise<string> | UnsignedJwt;
  /** Name of the user. */
  username?: Value;
  /** Password of the user. */
  password?: Value;
  /** Refresh token. */
  refresh_token?: Value;
  /** Token to be revoked or introspected. */
  token?: Value;
  /** `access_token` or `refresh_token`. */
  token_type_hint?: Value;
  /** Code of a device (RFC 8628 section 3.4). */
  device_code?: Value;
  /** Token that is exchanged (RFC 8693 section 2.1). */
  subject_token?: Value;
  /** Type of `subject_token`. */
  subject_token_type?: Value;
  /** Token of the acting party. */
  actor_token?: Value;
  /** Type of `actor_token`. */
  actor_token_type?: Value;
  /** Type of the token that is wanted. */
  requested_token_type?: Value;
  /** Authorization details, as JSON text (RFC 9396). */
  authorization_details?: Value;
  /** Claims, as JSON text (OpenID Connect Core section 5.5). */
  claims?: Value;
  /** Authentication context classes, by blanks. */
  acr_values?: Value;
  /** Seconds since the last login that are allowed. */
  max_age?: Value;
  /** Login name, as far as it is known. */
  login_hint?: Value;
  /** ID token of an earlier login. */
  id_token_hint?: Value;
  /** Languages of the pages, by blanks. */
  ui_locales?: Value;
  /** `page`, `popup`, `touch` or `wap`. */
  display?: Value;
  /** Signed request object (RFC 9101). */
  request?: Value;
  /** Reference of a pushed request (RFC 9126). */
  request_uri?: Value;
  /** Thumbprint of a DPoP key (RFC 9449 section 10). */
  dpop_jkt?: Value;
}

/** Parameters of an authorization request; other names may be given too. */
export interface AuthorizationParams
  extends WireParams, Misspelled<keyof WireParams> {
  /** A parameter; undefined and null leave it out, a list repeats it. */
  readonly [param: string]: unknown;
}

/**
 * Parameters of a call to the authorization server as they go over the wire,
 * and beside them the options of the call, which never do.
 */
export interface CallParams
  extends
    EndpointOptions,
    WireParams,
    Misspelled<keyof WireParams | keyof EndpointOptions> {
  /** A parameter; undefined and null leave it out, a list repeats it. */
  readonly [param: string]: unknown;
}

/** Names of the parameters of {@link WireParams}. */
const WIRE_NAMES =
  ("scope state nonce redirect_uri prompt resource audience code_verifier " +
    "code_challenge code_challenge_method code grant_type response_type " +
    "response_mode client_id client_secret client_assertion " +
    "client_assertion_type assertion username password refresh_token token " +
    "token_type_hint device_code subject_token subject_token_type actor_token " +
    "actor_token_type requested_token_type authorization_details claims " +
    "acr_values max_age login_hint id_token_hint ui_locales display request " +
    "request_uri dpop_jkt").split(" ");
const ENDPOINT_OPTIONS: ReadonlySet<string> = new Set([
  ...CALL_OPTIONS,
  "tokenMethod",
]);
const WIRE = knownNames(WIRE_NAMES);
const CALL = knownNames([...WIRE_NAMES, ...ENDPOINT_OPTIONS]);
/**
 * Copies the parameters of an authorization request.
 *
 * @throws {TypeError} When a name is a misspelled one of {@link WireParams}.
 */
export function authorizationParams(
  params: AuthorizationParams,
): Record<string, unknown> {
  const { wire } = splitParams(params as CallParams, WIRE, new Set());
  return Object.fromEntries(wire);
}

/**
 * Tells the options of a call from the parameters that go over the wire.
 *
 * @throws {TypeError} When a name is a misspelled one of {@link CallParams}.
 */
export function splitParams(
  params: CallParams,
  known: KnownNames = CALL,
  options: ReadonlySet<string> = ENDPOINT_OPTIONS,
): { call: EndpointOptions; wire: Map<string, unknown> } {
  const call: Record<string, unknown> = {};
  const wire = new Map<string, unknown>();
  for (const [name, value] of Object.entries(params)) {
    checkName(name, known);
    if (value === undefined || value === null) continue;
    // A call that is refused leaves the failure of a signature unheard.
    if (value instanceof Promise) value.catch(() => {});
    if (options.has(name)) call[name] = value;
    else if (name === "scope") wire.set(name, joinScopes(value));
    else wire.set(name, Array.isArray(value) ? [...value] : value);
  }
  return { call, wire };
}

/** Joins a list of scopes by blanks (RFC 6749 section 3.3). */
export function joinScopes(scope: unknown): unknown {
  return Array.isArray(scope) ? scope.join(" ") : scope;
}
