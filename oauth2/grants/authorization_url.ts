import type { AuthorizationParams } from "../core/call_params.ts";
import type { AccessToken } from "../core/token.ts";
import { invalid } from "../core/type_error.ts";
import type { GrantClient } from "./grant.ts";

/**
 * Builds the URL of an authorization request (RFC 6749 sections 4.1.1 and
 * 4.2.1).
 *
 * @throws {TypeError} If the client has no id.
 */
export function authorizationUrl<T extends AccessToken>(
  client: GrantClient<T>,
  responseType: "code" | "token",
  params: AuthorizationParams,
): string {
  const client_id = params.client_id ?? client.id;
  if (client_id === undefined) {
    throw invalid(
      "Cannot build the authorization URL: the client has no id",
    );
  }
  return client.authorizeUrl({
    ...params,
    response_type: params.response_type ?? responseType,
    client_id,
  });
}
