/**
 * An OAuth 2.0 client library on fetch and Web Crypto, for Deno, Node, Bun,
 * browsers and workers: the five grants of the specifications, refresh and
 * revocation, with defaults that are safe and secrets that do not show.
 *
 * @example The first token
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   // In an example nobody is asked; leave this out.
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
export {
  Client,
  type ClientOptions,
  type ConnectionOptions,
  type Logger,
} from "./client.ts";
export type {
  Assertion,
  AuthCode,
  ClientCredentials,
  Implicit,
  Password,
  StrategyClient,
  WithoutAuthorizeUrl,
} from "./strategies.ts";
export type { AuthScheme } from "./client_auth.ts";
export {
  AccessToken,
  type Mode,
  type Placement,
  type TokenClass,
  type TokenClient,
  type TokenConstructor,
  type TokenHash,
  type TokenOptions,
  type TokenOverrides,
} from "./token.ts";
export {
  type HashClass,
  OAuth2Response,
  type OAuth2ResponseInit,
  type ParseOptions,
} from "./response.ts";
export type { Parse, Parseable, Parser } from "./parsers.ts";
export {
  ConnectionError,
  type ErrorResponse,
  OAuth2Error,
  type OAuth2ErrorOptions,
  TimeoutError,
} from "./error.ts";
export type {
  CallOptions,
  CallParams,
  EndpointOptions,
  RequestOptions,
  TokenMethod,
} from "./request.ts";
export type { Fetch } from "./transport.ts";
export type { HeaderSource } from "./headers.ts";
export type { JwtClaims, JwtKey } from "./jwt.ts";
export type { Redacted } from "./redacted.ts";
export { type Config, config, configure } from "./config.ts";
export { type Pkce, pkce, randomState } from "./pkce.ts";
export {
  discover,
  type DiscoveredOptions,
  type DiscoverOptions,
  type ServerMetadata,
} from "./discover.ts";
