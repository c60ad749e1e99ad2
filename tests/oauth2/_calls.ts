/** Calls that send a request, for tests that hold for each of them. */
import {
  AccessToken,
  type CallOptions,
  type CallParams,
  type Client,
  type TokenHash,
} from "../../oauth2/mod.ts";
import { CLAIMS, HS256_KEY } from "./_jwt.ts";

/** Call with the options of every call. */
export type Call = (client: Client, options?: CallOptions) => Promise<unknown>;

/** Call to the authorization server, with parameters. */
export type EndpointCall = (
  client: Client,
  params: CallParams,
) => Promise<unknown>;

/** Creates a token `monkey` with the refresh token `abaca`. */
export function tokenOf(client: Client, fields: TokenHash = {}): AccessToken {
  const hash = { access_token: "monkey", refresh_token: "abaca", ...fields };
  return AccessToken.fromHash(client, hash);
}

/** Calls to the authorization server, by name. */
export const ENDPOINT_CALLS: Readonly<Record<string, EndpointCall>> = {
  getToken: (client, params) => client.getToken(params),
  revokeToken: (client, params) => client.revokeToken("m", undefined, params),
  post: (client, params) => client.post("introspect", params),
  "authCode.getToken": (client, params) =>
    client.authCode.getToken("sushi", params),
  "password.getToken": (client, params) =>
    client.password.getToken("ana", "hunter2", params),
  "clientCredentials.getToken": (client, params) =>
    client.clientCredentials.getToken(params),
  "assertion.getToken": (client, params) =>
    client.assertion.getToken(CLAIMS, HS256_KEY, params),
  "token.refresh": (client, params) => tokenOf(client).refresh(params),
  "token.revoke": (client, params) => tokenOf(client).revoke(params),
};

/** All calls, by name. */
export const CALLS: Readonly<Record<string, Call>> = {
  request: (client, options) => client.request("get", "/from", options),
  get: (client, options) => client.get("/from", options),
  "token.get": (client, options) => tokenOf(client).get("/from", options),
  ...Object.fromEntries(
    Object.entries(ENDPOINT_CALLS).map(([name, call]): [string, Call] => [
      name,
      (client, options) => call(client, { ...options }),
    ]),
  ),
};
