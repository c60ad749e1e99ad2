import type { AuthorizationParams } from "../call_params.ts";
import { notSupported } from "../error.ts";
import type { AccessToken } from "../token.ts";
import { authorizationUrl } from "./authorization_url.ts";
import { Grant } from "./grant.ts";

/**
 * Implicit grant (RFC 6749 section 4.2). Removed in OAuth 2.1: use the
 * authorization code with PKCE.
 */
export class Implicit<T extends AccessToken> extends Grant<T> {
  /**
   * Builds the URL to which the user is sent. The token comes in the fragment
   * of the redirect URI, for `AccessToken.fromKvform`.
   *
   * @throws {TypeError} When the client has no id, the server no authorization
   * endpoint, or a secret is among the parameters.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    return authorizationUrl(this.client, "token", params);
  }

  /** Tells callers without types that the token comes by way of the browser. */
  private getToken(): never {
    return notSupported("token request for this grant");
  }
}
