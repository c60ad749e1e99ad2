/**
 * Signed authorization requests (RFC 9101).
 *
 * @module
 */
import { toBase64Url } from "../core/base64.ts";
import {
  type AuthorizationParams,
  authorizationParams,
} from "../core/call_params.ts";
import { type JwtKey, signJwt } from "./jwt.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { checkLimit } from "../core/transport.ts";
import { invalid } from "../core/type_error.ts";

/** Client that signs authorization requests; a `Client` is one. */
export interface SigningClient {
  /** Client id. */
  readonly id: string | undefined;
  /** Default redirect URI. */
  readonly redirectUri: string | undefined;
  /** Issuer of the server, the audience of the request. */
  readonly issuer: string | undefined;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
}

/** Options of {@linkcode signRequest}. */
export interface RequestObjectOptions {
  /**
   * Lifetime in seconds, at most 3600.
   *
   * @default {300}
   */
  lifetime?: number | undefined;
}

/** Signed authorization request. */
export interface SignedRequest {
  /** Client id. */
  readonly client_id: string;
  /** Parameters as a signed JWT. */
  readonly request: string;
}

const OPTIONS = knownNames<RequestObjectOptions>({ lifetime: true });
const MAX_LIFETIME = 3600;
/** Parameters with JSON text, which are JSON in a request object. */
const JSON_PARAMS = ["claims", "authorization_details"];
/** Parameters that a request object must not have (RFC 9101 section 4). */
const FORBIDDEN = [
  "request",
  "request_uri",
  "client_secret",
  "client_assertion",
  "code_verifier",
  "sub",
];

/**
 * Signs the parameters of an authorization request, so that the server knows
 * that they are the client's. Send the result as parameters of
 * `client.authorizeUrl` or, better, of `pushAuthorization`.
 *
 * @throws {TypeError} If the client has no id or no issuer, a parameter is
 * misspelled or not allowed, or the key cannot sign.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { signRequest } from "@carteiro/oauth2/request-object";
 *
 * const client = new Client("abc", null, {
 *   site: "https://provider.example",
 *   issuer: "https://provider.example",
 * });
 * const { privateKey: key } = await crypto.subtle.generateKey(
 *   { name: "ECDSA", namedCurve: "P-256" },
 *   false,
 *   ["sign"],
 * );
 * const signed = await signRequest(client, {
 *   redirect_uri: "https://app.example/callback",
 *   scope: "notes",
 * }, { algorithm: "ES256", key });
 * const url = client.authorizeUrl({ ...signed });
 * console.assert(url.includes("request=") && !url.includes("notes"));
 * ```
 */
export async function signRequest(
  client: SigningClient,
  params: AuthorizationParams,
  key: JwtKey,
  options: RequestObjectOptions = {},
): Promise<SignedRequest> {
  const wire = authorizationParams(params);
  checkNames(options, OPTIONS);
  const { lifetime = 300 } = options;
  checkLimit("lifetime", lifetime);
  if (lifetime > MAX_LIFETIME) {
    refuse(`lifetime is ${lifetime}; it must be at most ${MAX_LIFETIME}`);
  }
  const wrong = FORBIDDEN.find((name) => wire[name] !== undefined);
  if (wrong !== undefined) refuse(`${wrong} is not allowed`);
  const client_id = wire.client_id ?? client.id;
  if (typeof client_id !== "string") refuse("the client has no id");
  if (client.issuer === undefined) {
    refuse("the client has no issuer, the audience of the request");
  }
  const now = Math.floor(client.now() / 1000);
  const request = await signJwt(
    {
      response_type: "code",
      redirect_uri: client.redirectUri,
      ...wire,
      ...Object.fromEntries(
        JSON_PARAMS.filter((name) => typeof wire[name] === "string")
          .map((name) => [name, parse(name, wire[name] as string)]),
      ),
      client_id,
      iss: client_id,
      aud: client.issuer,
      iat: now,
      nbf: now,
      exp: now + lifetime,
      jti: toBase64Url(crypto.getRandomValues(new Uint8Array(16))),
    },
    key,
    "oauth-authz-req+jwt",
  );
  return { client_id, request };
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(`${name} is not JSON`);
  }
}

function refuse(state: string): never {
  throw invalid(`Cannot sign the authorization request: ${state}`);
}
