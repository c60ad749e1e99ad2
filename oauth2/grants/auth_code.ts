import type { AuthorizationParams, CodeParams } from "../core/call_params.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { authorizationUrl, Grant } from "./grant.ts";

/** Authorization code grant (RFC 6749 section 4.1). */
export class AuthCode<T extends AccessToken> extends Grant<T> {
  /**
   * Builds the URL to which the user is redirected. Set `state` and the
   * `code_challenge` of PKCE.
   *
   * @throws {TypeError} If the client has no id, the server has no
   * authorization endpoint, or a parameter is secret.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    return authorizationUrl(this.client, "code", params);
  }

  /**
   * Exchanges the code for a token.
   *
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   */
  getToken(
    code: string,
    params: CodeParams = {},
    options?: TokenOverrides,
  ): Promise<T> {
    return this.client.getToken({
      ...params,
      redirect_uri: params.redirect_uri ?? this.client.redirectUri,
      grant_type: "authorization_code",
      code,
    }, options);
  }
}
