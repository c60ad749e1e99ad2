import { notSupported } from "./error.ts";
import * as grants from "./grants.ts";
import type { JwtClaims, JwtKey } from "./jwt.ts";
import type { CallParams } from "./request.ts";
import type { AccessToken, TokenHash, TokenOverrides } from "./token.ts";

/** What a strategy needs of a client. */
export interface StrategyClient<T extends AccessToken> {
  /** The id that the server knows the client by. */
  readonly id: string | undefined;
  /** The redirect URI where a call names none. */
  readonly redirectUri: string | undefined;
  /** Where the user is asked. */
  authorizeUrl(params: TokenHash): string;
  /** Asks the token endpoint. */
  getToken(params: CallParams, options?: TokenOverrides): Promise<T>;
}

/** A strategy without an authorize URL. */
export interface WithoutAuthorizeUrl {
  /**
   * There is none: the user is not asked.
   *
   * @throws {DOMException} Always a `NotSupportedError`.
   */
  authorizeUrl(): never;
}

/** The authorization code grant (RFC 6749 section 4.1). */
export interface AuthCode<T extends AccessToken> {
  /**
   * Where to send the user. `params` are `redirect_uri`, `scope`, `state`,
   * `code_challenge` and whatever else the server knows.
   *
   * @throws {TypeError} When a secret stands among them.
   */
  authorizeUrl(params?: TokenHash): string;
  /**
   * Exchanges the code for a token.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   */
  getToken(
    code: string,
    params?: CallParams,
    options?: TokenOverrides,
  ): Promise<T>;
}

/**
 * The implicit grant (RFC 6749 section 4.2). OAuth 2.1 has it no more: use the
 * authorization code with PKCE.
 */
export interface Implicit {
  /**
   * Where to send the user; the token comes in the fragment of the redirect.
   *
   * @throws {TypeError} When a secret stands among the parameters.
   */
  authorizeUrl(params?: TokenHash): string;
  /**
   * There is none: the token comes by way of the browser.
   *
   * @throws {DOMException} Always a `NotSupportedError`.
   */
  getToken(): never;
}

/**
 * The resource owner password grant (RFC 6749 section 4.3). OAuth 2.1 has it
 * no more.
 */
export interface Password<T extends AccessToken> extends WithoutAuthorizeUrl {
  /**
   * Exchanges the user's name and password for a token.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   */
  getToken(
    username: string,
    password: string,
    params?: CallParams,
    options?: TokenOverrides,
  ): Promise<T>;
}

/** The client credentials grant (RFC 6749 section 4.4). */
export interface ClientCredentials<T extends AccessToken>
  extends WithoutAuthorizeUrl {
  /**
   * Asks for a token in the client's own name.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   */
  getToken(
    params?: CallParams,
    options?: TokenOverrides,
  ): Promise<T>;
}

/** The JWT bearer assertion grant (RFC 7523 section 2.1). */
export interface Assertion<T extends AccessToken> extends WithoutAuthorizeUrl {
  /**
   * Signs the claims as they are and exchanges them for a token.
   *
   * @throws {TypeError} When the claims cannot be signed with the key.
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   */
  getToken(
    claims: JwtClaims,
    key: JwtKey,
    params?: CallParams,
    options?: TokenOverrides,
  ): Promise<T>;
}

/** Makes the authorization code strategy of a client. */
export function authCode<T extends AccessToken>(
  client: StrategyClient<T>,
): AuthCode<T> {
  return {
    authorizeUrl: (params) =>
      client.authorizeUrl(
        grants.authorizationRequest("code", client.id, params),
      ),
    getToken: (code, params, options) =>
      client.getToken(
        grants.authorizationCode(code, client.redirectUri, params),
        options,
      ),
  };
}

/** Makes the implicit strategy of a client. */
export function implicit<T extends AccessToken>(
  client: StrategyClient<T>,
): Implicit {
  return {
    authorizeUrl: (params) =>
      client.authorizeUrl(
        grants.authorizationRequest("token", client.id, params),
      ),
    getToken: () => notSupported("token request for this grant"),
  };
}

/** Makes the password strategy of a client. */
export function password<T extends AccessToken>(
  client: StrategyClient<T>,
): Password<T> {
  return {
    authorizeUrl: noAuthorizeUrl,
    getToken: (username, password, params, options) =>
      client.getToken(
        grants.password(username, password, params),
        options,
      ),
  };
}

/** Makes the client credentials strategy of a client. */
export function clientCredentials<T extends AccessToken>(
  client: StrategyClient<T>,
): ClientCredentials<T> {
  return {
    authorizeUrl: noAuthorizeUrl,
    getToken: (params, options) =>
      client.getToken(grants.clientCredentials(params), options),
  };
}

/** Makes the assertion strategy of a client. */
export function assertion<T extends AccessToken>(
  client: StrategyClient<T>,
): Assertion<T> {
  return {
    authorizeUrl: noAuthorizeUrl,
    getToken: async (claims, key, params, options) => {
      const { signJwt } = await import("./jwt.ts");
      const assertion = await signJwt(claims, key);
      return await client.getToken(
        grants.jwtBearer(assertion, params),
        options,
      );
    },
  };
}

function noAuthorizeUrl(): never {
  return notSupported("authorize URL for this grant");
}
