import type { CallParams } from "../call_params.ts";
import type { AccessToken } from "../token.ts";
import type { TokenOverrides } from "../token_hash.ts";
import { DirectGrant } from "./grant.ts";

/** Client credentials grant (RFC 6749 section 4.4). */
export class ClientCredentials<T extends AccessToken> extends DirectGrant<T> {
  /**
   * Asks for a token in the client's own name.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When there is no answer.
   */
  getToken(params: CallParams = {}, options?: TokenOverrides): Promise<T> {
    return this.client.getToken(
      { ...params, grant_type: "client_credentials" },
      options,
    );
  }
}
