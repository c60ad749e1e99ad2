/** What each grant sends: pure functions from what the caller knows. */
import { onlyDefined } from "./options.ts";

/** Parameters as they go over the wire. */
type WireParams = Record<string, unknown>;

/** The name of the JWT bearer grant (RFC 7523 section 2.1). */
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * Asks the user for a code or, with `token`, for a token (RFC 6749 sections
 * 4.1.1 and 4.2.1).
 */
export function authorizationRequest(
  responseType: "code" | "token",
  clientId: string | undefined,
  params: WireParams | undefined,
): WireParams {
  return {
    response_type: responseType,
    client_id: clientId,
    ...onlyDefined(params),
  };
}

/** Exchanges a code for a token (RFC 6749 section 4.1.3). */
export function authorizationCode(
  code: string,
  redirectUri: string | undefined,
  params: WireParams | undefined,
): WireParams {
  return {
    redirect_uri: redirectUri,
    ...onlyDefined(params),
    grant_type: "authorization_code",
    code,
  };
}

/** Sends the user's password (RFC 6749 section 4.3.2). OAuth 2.1 has it no more. */
export function password(
  username: string,
  password: string,
  params: WireParams | undefined,
): WireParams {
  return { ...params, grant_type: "password", username, password };
}

/** Asks in the client's own name (RFC 6749 section 4.4.2). */
export function clientCredentials(params: WireParams | undefined): WireParams {
  return { ...params, grant_type: "client_credentials" };
}

/** Presents a signed assertion (RFC 7523 section 2.1). */
export function jwtBearer(
  assertion: string,
  params: WireParams | undefined,
): WireParams {
  return { ...params, grant_type: JWT_BEARER, assertion };
}

/** Asks for a new token (RFC 6749 section 6). */
export function refresh(
  refreshToken: string,
  params: WireParams | undefined,
): WireParams {
  return {
    ...params,
    grant_type: "refresh_token",
    refresh_token: refreshToken,
  };
}
