import type { GrantParams } from "../core/call_params.ts";
import { type JwtClaims, type JwtKey, UnsignedJwt } from "../server/jwt.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { DirectGrant } from "./grant.ts";

/** JWT bearer grant (RFC 7523 section 2.1). */
export class Assertion<T extends AccessToken> extends DirectGrant<T> {
  /**
   * Signs claims and exchanges the JWT for a token. No claims are added or
   * checked.
   *
   * @throws {TypeError} If the claims cannot be signed with the key.
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async getToken(
    claims: JwtClaims,
    key: JwtKey,
    params: GrantParams = {},
    options?: TokenOverrides,
  ): Promise<T> {
    return await this.client.getToken({
      ...params,
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      // Signed after the other arguments have been checked.
      assertion: new UnsignedJwt(claims, key),
    }, options);
  }
}
