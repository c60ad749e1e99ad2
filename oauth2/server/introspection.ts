/**
 * Token introspection (RFC 7662), with signed responses (RFC 9701).
 *
 * @module
 */
import type { CallParams } from "../core/call_params.ts";
import { mergeHeaders } from "../core/headers.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { type EndpointChoice, findEndpoint } from "../core/endpoints.ts";
import type { OpenIdClient } from "../oidc/client.ts";
import type { Jwks } from "../oidc/jwks.ts";
import { ServerJwts } from "../oidc/server_jwts.ts";
import { isPlainObject } from "../core/params.ts";
import type { OAuth2Response } from "../core/response.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { invalid } from "../core/type_error.ts";

/** Client that may introspect tokens; a `Client` is one. */
export interface IntrospectionClient extends OpenIdClient {
  /** Sends parameters to an endpoint of the server. */
  post(endpoint: string | URL, params: CallParams): Promise<OAuth2Response>;
}

/** Options of {@linkcode introspect}. */
export interface IntrospectionOptions extends EndpointChoice {
  /**
   * Requests a signed response, and refuses one that is not signed. A signed
   * response is refused, too, if its `iat` is more than five minutes ago.
   *
   * @default {false}
   */
  signed?: boolean | undefined;
  /**
   * `aud` of a signed response: the id of this resource server.
   *
   * @default {the client id}
   */
  audience?: string | undefined;
  /**
   * Signature algorithms to accept.
   *
   * @default {asymmetric ones of `introspection_signing_alg_values_supported`, or RS256}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Cache of the keys of the server, e.g. of `clientKeys(client)`.
   *
   * @default {a cache for this call}
   */
  keys?: Jwks | undefined;
}

/** Token that is valid, with the claims that the server tells. */
export interface ActiveToken {
  /** Always true. */
  readonly active: true;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
  /** Client that requested the token. */
  readonly client_id?: string;
  /** Name of the user for people. */
  readonly username?: string;
  /** Type of the token, e.g. `Bearer` or `DPoP`. */
  readonly token_type?: string;
  /** Time of expiry, in seconds since 1970. */
  readonly exp?: number;
  /** Time of issue, in seconds since 1970. */
  readonly iat?: number;
  /** Time before which the token is not valid, in seconds since 1970. */
  readonly nbf?: number;
  /** Subject: usually the user. */
  readonly sub?: string;
  /** Resource servers that may accept the token. */
  readonly aud?: string | readonly string[];
  /** Issuer of the token. */
  readonly iss?: string;
  /** Id of the token. */
  readonly jti?: string;
  /** Confirmation key, e.g. `jkt` (RFC 9449) or `x5t#S256` (RFC 8705). */
  readonly cnf?: Readonly<Record<string, unknown>>;
  /** Authentication context class (RFC 9470). */
  readonly acr?: string;
  /** Time of authentication (RFC 9470), in seconds since 1970. */
  readonly auth_time?: number;
  /** Other claims. */
  readonly [claim: string]: unknown;
}

/** Token that is expired, revoked, unknown or not for this resource server. */
export interface InactiveToken {
  /** Always false. */
  readonly active: false;
}

/** Result of an introspection. */
export type Introspection = ActiveToken | InactiveToken;

const OPTIONS = knownNames<IntrospectionOptions>({
  endpoint: true,
  signed: true,
  audience: true,
  algorithms: true,
  keys: true,
});
const NAME = "introspection response";
const fail: Fail = failing(`validate the ${NAME}`);
/** Media type of a signed response, without `application/`. */
const TYPE = "token-introspection+jwt";
/** Maximum difference between the clocks, in seconds. */
const CLOCK_TOLERANCE = 10;
/** Maximum age of a signed response, in seconds. */
const MAX_AGE = 300;

/** JSON types of the registered members (RFC 7662 section 2.2). */
const TYPES: Readonly<Record<string, "string" | "number">> = {
  scope: "string",
  client_id: "string",
  username: "string",
  token_type: "string",
  exp: "number",
  iat: "number",
  nbf: "number",
  sub: "string",
  iss: "string",
  jti: "string",
  acr: "string",
  auth_time: "number",
};

/** Members that are typed in {@linkcode ActiveToken}. */
const REGISTERED = [...Object.keys(TYPES), "aud", "cnf"];

/**
 * Asks the authorization server about a token. `params` are those of
 * `Client.post`, e.g. `token_type_hint` or `signal`.
 *
 * @throws {TypeError} If the client has no introspection endpoint, or the
 * token is empty.
 * @throws {ValidationError} If the response breaks a rule.
 * @throws {OAuth2Error} If the server refuses.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { introspect } from "@carteiro/oauth2/introspection";
 *
 * const issuer = "https://provider.example";
 * const client = new Client("api", "secret", {
 *   metadata: { issuer, introspection_endpoint: `${issuer}/introspect` },
 *   fetch: () =>
 *     Promise.resolve(Response.json({ active: true, scope: "notes" })),
 * });
 * const token = await introspect(client, "monkey");
 * console.assert(token.active && token.scope === "notes");
 * ```
 */
export async function introspect(
  client: IntrospectionClient,
  token: string,
  params: CallParams = {},
  options: IntrospectionOptions = {},
): Promise<Introspection> {
  checkNames(options, OPTIONS);
  const endpoint = findEndpoint(
    "introspection_endpoint",
    client.metadata,
    options,
  );
  // Untyped callers may pass a missing header.
  if (typeof token !== "string" || token === "") {
    throw invalid("Cannot use the token: it must be text, not empty");
  }
  const accept = options.signed ? `application/${TYPE}` : "application/json";
  const response = await client.post(endpoint, {
    ...params,
    token,
    headers: mergeHeaders({ accept }, params.headers),
    raiseErrors: true,
    snaky: false,
  });
  const isSigned = response.contentType === `application/${TYPE}`;
  if (options.signed && !isSigned) {
    fail("invalid_introspection", "it is not signed");
  }
  const claims = isSigned
    ? await readSigned(response.body, client, options, params.signal)
    : response.fields;
  const state = describeFault(claims);
  if (state !== undefined) {
    fail("invalid_introspection", state);
  }
  // The other members of an inactive token mean nothing (section 2.2).
  return claims!.active ? withoutNulls(claims!) : { active: false };
}

/** Verifies a signed response and returns its `token_introspection`. */
async function readSigned(
  jwt: string,
  client: OpenIdClient,
  options: IntrospectionOptions,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const { audience, keys, algorithms } = options;
  const claims = await new ServerJwts(client, { keys, algorithms }, {
    name: NAME,
    supported: "introspection_signing_alg_values_supported",
    required: ["iat"],
    types: [TYPE],
    audience,
  }).read(jwt.trim(), signal);
  const { iat, sub, exp, token_introspection } = claims;
  // The response tells the state of that time.
  const age = Math.floor(client.now() / 1000) - Number(iat);
  if (age > MAX_AGE + CLOCK_TOLERANCE) {
    fail("invalid_iat", `iat is ${age} s ago; ${MAX_AGE} are allowed`);
  }
  // An access token or ID token must not pass for a response (section 8.1).
  if (sub !== undefined || exp !== undefined) {
    fail("invalid_introspection", "it has sub or exp, like a token");
  }
  if (!isPlainObject(token_introspection)) {
    fail("invalid_introspection", "it has no token_introspection");
  }
  return token_introspection as Record<string, unknown>;
}

/** Returns the reason why a response cannot be used. */
function describeFault(
  claims: Record<string, unknown> | undefined,
): string | undefined {
  if (typeof claims?.active !== "boolean") return "active is not a boolean";
  if (!claims.active) return undefined;
  for (const [name, type] of Object.entries(TYPES)) {
    const value = claims[name] ?? undefined;
    if (value !== undefined && typeof value !== type) {
      return `${name} is not a ${type}`;
    }
  }
  const { aud = undefined, cnf } = claims;
  if (cnf !== undefined && cnf !== null && !isPlainObject(cnf)) {
    return "cnf is not an object";
  }
  const isAudience = aud === undefined || aud === null ||
    [aud].flat().every((value) => typeof value === "string");
  return isAudience ? undefined : "aud is not a string or a list of strings";
}

/** Removes the registered members that are null: some servers send them. */
function withoutNulls(claims: Record<string, unknown>): ActiveToken {
  const members = Object.entries(claims)
    .filter(([name, value]) => value !== null || !REGISTERED.includes(name));
  return Object.fromEntries(members) as unknown as ActiveToken;
}
