/** Every call that sends a request, for tests of what holds for all of them. */
import {
  AccessToken,
  type CallOptions,
  type Client,
  type TokenHash,
} from "../../oauth2/mod.ts";
import { CLAIMS, JWT_KEY } from "./testing.ts";

/** A call with options that any call takes. */
export type Call = (client: Client, options?: CallOptions) => Promise<unknown>;

/** A token `monkey` with the refresh token `abaca`. */
export function tokenOf(client: Client, fields: TokenHash = {}): AccessToken {
  const hash = { access_token: "monkey", refresh_token: "abaca", ...fields };
  return AccessToken.fromHash(client, hash);
}

/** Each call by its name. */
export const CALLS: Readonly<Record<string, Call>> = {
  request: (client, options) => client.request("get", "/from", options),
  getToken: (client, options) => client.getToken({ ...options }),
  revokeToken: (client, options) =>
    client.revokeToken("m", undefined, { ...options }),
  "authCode.getToken": (client, options) =>
    client.authCode.getToken("sushi", { ...options }),
  "password.getToken": (client, options) =>
    client.password.getToken("ana", "hunter2", { ...options }),
  "clientCredentials.getToken": (client, options) =>
    client.clientCredentials.getToken({ ...options }),
  "assertion.getToken": (client, options) =>
    client.assertion.getToken(CLAIMS, JWT_KEY, { ...options }),
  "token.get": (client, options) => tokenOf(client).get("/from", options),
  "token.refresh": (client, options) => tokenOf(client).refresh({ ...options }),
  "token.revoke": (client, options) => tokenOf(client).revoke({ ...options }),
};
