import type { AuthorizationParams } from "../core/call_params.ts";
import { notSupported } from "../core/error.ts";
import type { AccessToken } from "../core/token.ts";
import { authorizationUrl, Grant } from "./grant.ts";

/**
 * Implicit grant (RFC 6749 section 4.2). Removed in OAuth 2.1: use the
 * authorization code grant with PKCE.
 */
export class Implicit<T extends AccessToken> extends Grant<T> {
  /**
   * Builds the URL to which the user is redirected. The server returns the
   * token in the fragment of the redirect URI, for `AccessToken.fromKvform`.
   *
   * @throws {TypeError} If the client has no id, the server has no
   * authorization endpoint, or a parameter is secret.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    return authorizationUrl(this.client, "token", params);
  }

  /** Refuses calls from untyped code. */
  private getToken(): never {
    return notSupported("Cannot request a token: use AccessToken.fromKvform");
  }
}
