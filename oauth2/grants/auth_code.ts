import type { AuthorizationParams, CallParams } from "../call_params.ts";
import type { AccessToken } from "../token.ts";
import type { TokenOverrides } from "../token_hash.ts";
import { authorizationUrl } from "./authorization_url.ts";
import { Grant } from "./grant.ts";

/** Authorization code grant (RFC 6749 section 4.1). */
export class AuthCode<T extends AccessToken> extends Grant<T> {
  /**
   * Builds the URL to which the user is sent. Give it a `state` and the
   * `code_challenge` of PKCE.
   *
   * @throws {TypeError} When the client has no id, the server no authorization
   * endpoint, or a secret is among the parameters.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    return authorizationUrl(this.client, "code", params);
  }

  /**
   * Exchanges the code for a token.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When there is no answer.
   */
  getToken(
    code: string,
    params: CallParams = {},
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
