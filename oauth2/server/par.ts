/**
 * Pushed authorization requests (RFC 9126).
 *
 * @module
 */
import {
  type AuthorizationParams,
  authorizationParams,
} from "../core/call_params.ts";
import type { CallParams } from "../core/call_params.ts";
import { checkNames, knownNames } from "../core/names.ts";
import type { CallOptions } from "../core/call_params.ts";
import type { OAuth2Response } from "../core/response.ts";
import type { ServerMetadata } from "./server_metadata.ts";
import { ValidationError } from "../core/validation_error.ts";
import { invalid } from "../core/type_error.ts";

/** Client that pushes authorization requests; a `Client` is one. */
export interface PushingClient {
  /** Client id. */
  readonly id: string | undefined;
  /** Default redirect URI. */
  readonly redirectUri: string | undefined;
  /** Metadata of the server. */
  readonly metadata: ServerMetadata | undefined;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Builds the URL of the authorization endpoint. */
  authorizeUrl(params: AuthorizationParams): string;
  /** Sends parameters to an endpoint of the server. */
  post(endpoint: string, params: CallParams): Promise<OAuth2Response>;
}

/** Authorization request that the server has stored. */
export interface PushedRequest {
  /** URL of the authorization endpoint, to which the user is redirected. */
  readonly url: string;
  /** Reference to the request, for one use. */
  readonly request_uri: string;
  /** Time of expiry in seconds since 1970, or undefined if unknown. */
  readonly expiresAt: number | undefined;
}

const OPTIONS = knownNames<
  Pick<CallOptions, "headers" | "signal" | "timeout">
>({ headers: true, signal: true, timeout: true });
/** Parameters that belong to other requests (RFC 9126 section 2.1). */
const FORBIDDEN = ["request_uri", "code_verifier", "code", "client_secret"];

/**
 * Pushes an authorization request to the server, with client authentication,
 * and returns the URL to which the user is redirected: it has only the client
 * id and a reference, so that nobody can read or change the parameters.
 *
 * `params` as for `client.authCode.authorizeUrl`, or `request` with a
 * signed request object (RFC 9101), which then has all of them.
 *
 * @throws {TypeError} If the metadata of the client has no
 * `pushed_authorization_request_endpoint`, the client has no id, or a parameter
 * is misspelled or belongs to another request.
 * @throws {ValidationError} If the response has no `request_uri`.
 * @throws {OAuth2Error} If the server refuses.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { pushAuthorization } from "@carteiro/oauth2/par";
 *
 * const issuer = "https://provider.example";
 * const client = new Client("abc", "secret", {
 *   site: issuer,
 *   metadata: { issuer, pushed_authorization_request_endpoint: `${issuer}/par` },
 *   fetch: () =>
 *     Promise.resolve(
 *       Response.json({ request_uri: "urn:example:1", expires_in: 60 }, {
 *         status: 201,
 *       }),
 *     ),
 * });
 * const { url } = await pushAuthorization(client, {
 *   redirect_uri: "https://app.example/callback",
 *   scope: "notes",
 * });
 * console.assert(
 *   url ===
 *     `${issuer}/oauth/authorize?client_id=abc&request_uri=urn%3Aexample%3A1`,
 * );
 * ```
 */
export async function pushAuthorization(
  client: PushingClient,
  params: AuthorizationParams,
  options: Pick<CallOptions, "headers" | "signal" | "timeout"> = {},
): Promise<PushedRequest> {
  checkNames(options, OPTIONS);
  const wire = authorizationParams(params);
  const endpoint = client.metadata?.pushed_authorization_request_endpoint;
  if (typeof endpoint !== "string") {
    refuse("the metadata has no pushed_authorization_request_endpoint");
  }
  const wrong = FORBIDDEN.find((name) => wire[name] !== undefined);
  if (wrong !== undefined) refuse(`${wrong} belongs to another request`);
  const client_id = wire.client_id ?? client.id;
  if (client_id === undefined) refuse("the client has no id");
  // A request object has all parameters (RFC 9126 section 3).
  const sent = wire.request === undefined
    ? { response_type: "code", redirect_uri: client.redirectUri, ...wire }
    : { request: wire.request };
  const response = await client.post(endpoint, {
    ...options,
    ...sent as CallParams,
    client_id: String(client_id),
    snaky: true,
    raiseErrors: true,
  });
  const { request_uri, expires_in } = response.fields ?? {};
  if (typeof request_uri !== "string" || request_uri === "") {
    throw new ValidationError(
      "invalid_request_uri",
      "Cannot push the authorization request: the response has no request_uri",
    );
  }
  const lifetime = Number(expires_in);
  return {
    url: referringUrl(client, { client_id: String(client_id), request_uri }),
    request_uri,
    expiresAt: lifetime > 0 && lifetime < Infinity
      ? Math.floor(client.now() / 1000) + lifetime
      : undefined,
  };
}

/** Builds the URL with nothing but the client id and the reference. */
function referringUrl(
  client: PushingClient,
  params: { client_id: string; request_uri: string },
): string {
  const url = new URL(client.authorizeUrl(params));
  // The client adds its default redirect URI, which the server has already.
  url.searchParams.delete("redirect_uri");
  url.search = url.search.replaceAll("+", "%20");
  return url.href;
}

function refuse(state: string): never {
  throw invalid(`Cannot push the authorization request: ${state}`);
}
