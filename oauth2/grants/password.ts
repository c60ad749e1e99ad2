import type { GrantParams } from "../core/call_params.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { DirectGrant } from "./grant.ts";

/**
 * Resource owner password credentials grant (RFC 6749 section 4.3). Removed in
 * OAuth 2.1.
 */
export class Password<T extends AccessToken> extends DirectGrant<T> {
  /**
   * Exchanges username and password for a token.
   *
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   */
  getToken(
    username: string,
    password: string,
    params: GrantParams = {},
    options?: TokenOverrides,
  ): Promise<T> {
    return this.client.getToken(
      { ...params, grant_type: "password", username, password },
      options,
    );
  }
}
