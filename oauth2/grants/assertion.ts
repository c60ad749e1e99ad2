import type { CallParams } from "../call_params.ts";
import { type JwtClaims, type JwtKey, UnsignedJwt } from "../jwt.ts";
import type { AccessToken } from "../token.ts";
import type { TokenOverrides } from "../token_hash.ts";
import { DirectGrant } from "./grant.ts";

/** JWT bearer grant (RFC 7523 section 2.1). */
export class Assertion<T extends AccessToken> extends DirectGrant<T> {
  /**
   * Signs the claims as they are and exchanges them for a token.
   *
   * @throws {TypeError} When the claims cannot be signed with the key.
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When there is no answer.
   */
  async getToken(
    claims: JwtClaims,
    key: JwtKey,
    params: CallParams = {},
    options?: TokenOverrides,
  ): Promise<T> {
    return await this.client.getToken({
      ...params,
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      // Signed when the call is known to be sent.
      assertion: new UnsignedJwt(claims, key),
    }, options);
  }
}
