/**
 * OAuth 2.0 client for Deno, Node, Bun, browsers and workers, built on fetch
 * and Web Crypto: grants, refresh, revocation, discovery and PKCE. The
 * defaults are safe, and logs and messages contain no secrets.
 *
 * @example Request a token and call an API
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   // Stands in for the server in this example; leave it out.
 *   fetch: (url) =>
 *     Promise.resolve(Response.json(
 *       url.endsWith("/token") ? { access_token: "monkey" } : { name: "Ana" },
 *     )),
 * });
 * const token = await client.clientCredentials.getToken();
 * const { parsed } = await token.get("/me");
 * console.assert((parsed as { name: string }).name === "Ana");
 * ```
 *
 * @module
 */
export { Client } from "./core/client.ts";
export type {
  ClientOptions,
  ConnectionOptions,
  Logger,
  ServerAdapter,
} from "./core/client_options.ts";
export type { AuthScheme, RegisteredAuthScheme } from "./core/client_auth.ts";
export type { Assertion } from "./grants/assertion.ts";
export type { AuthCode } from "./grants/auth_code.ts";
export type { ClientCredentials } from "./grants/client_credentials.ts";
export type { DirectGrant, Grant, GrantClient } from "./grants/grant.ts";
export type { Implicit } from "./grants/implicit.ts";
export type { Password } from "./grants/password.ts";
export {
  AccessToken,
  type TokenClass,
  type TokenConstructor,
} from "./core/token.ts";
export type {
  Mode,
  Placement,
  TokenHash,
  TokenOptions,
  TokenOverrides,
} from "./core/token_hash.ts";
export {
  type HashClass,
  OAuth2Error,
  type OAuth2ErrorOptions,
  OAuth2Response,
  type OAuth2ResponseInit,
  type Parse,
  type ParseOptions,
  type Parser,
  type Parsers,
  type ResponseSettings,
} from "./core/response.ts";
export {
  ConnectionError,
  type ConnectionErrorOptions,
  type Repetition,
  TimeoutError,
} from "./core/error.ts";
export type {
  AuthorizationParams,
  AuthorizationWireParams,
  CallOptions,
  CallParams,
  ClientParams,
  CodeParams,
  EndpointOptions,
  GrantParams,
  RequestOptions,
  RevokeParams,
  Scope,
  TargetParams,
  TokenMethod,
  Value,
  Values,
  WireParams,
} from "./core/call_params.ts";
export type { Params } from "./core/params.ts";
export type { Fetch } from "./core/transport.ts";
export type { HeaderSource } from "./core/headers.ts";
export type { JwtClaims, JwtKey, UnsignedJwt } from "./server/jwt.ts";
export type { Inspectable } from "./core/inspectable.ts";
export { type Config, config, configure } from "./core/config.ts";
export { type Pkce, pkce, randomState } from "./server/pkce.ts";
export {
  discover,
  type DiscoveredOptions,
  type DiscoverOptions,
  type ServerMetadata,
} from "./server/discover.ts";
