import type { GrantParams } from "../core/call_params.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { DirectGrant } from "./grant.ts";

/** Client credentials grant (RFC 6749 section 4.4). */
export class ClientCredentials<T extends AccessToken> extends DirectGrant<T> {
  /**
   * Requests a token for the client itself.
   *
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   */
  getToken(params: GrantParams = {}, options?: TokenOverrides): Promise<T> {
    return this.client.getToken(
      { ...params, grant_type: "client_credentials" },
      options,
    );
  }
}
