/**
 * Client credentials calls of several libraries: the same request, with Basic
 * authentication (RFC 6749 section 2.3.1), and an answer that each validates by
 * its own means.
 *
 * @module
 */
import { OAuth2Client } from "@badgateway/oauth2-client";
import { Client } from "@carteiro/oauth2";
import * as oauth4webapi from "oauth4webapi";
import * as openid from "openid-client";

/** Fetch that takes the options of any library. */
export type AnyFetch = (url: string, init: object) => Promise<Response>;

/** Gets an access token, by one request. */
export type TokenCall = () => Promise<string>;

/** Libraries, and a call without one. */
export const CALLERS = [
  "carteiro",
  "oauth4webapi",
  "openid-client",
  "@badgateway/oauth2-client",
  "bare fetch",
] as const;

/** Name of one of them. */
export type Caller = typeof CALLERS[number];

/** Origin of the authorization server. */
const SITE = "https://provider.example";

const SERVER = { issuer: SITE, token_endpoint: `${SITE}/oauth/token` };
const ID = "abc";
const SECRET = "secret";
const SCOPE = "read";

/** Makes the clients, and a call of each. */
export function makeTokenCalls(fetch: AnyFetch): Record<Caller, TokenCall> {
  return {
    "carteiro": callCarteiro(fetch),
    "oauth4webapi": callOauth4webapi(fetch),
    "openid-client": callOpenidClient(fetch),
    "@badgateway/oauth2-client": callBadgateway(fetch),
    "bare fetch": callBare(fetch),
  };
}

function callCarteiro(fetch: AnyFetch): TokenCall {
  const client = new Client(ID, SECRET, { site: SITE, fetch });
  return async () => {
    const token = await client.clientCredentials.getToken({ scope: SCOPE });
    return token.token;
  };
}

function callOauth4webapi(fetch: AnyFetch): TokenCall {
  const client = { client_id: ID };
  const authentication = oauth4webapi.ClientSecretBasic(SECRET);
  const options = { [oauth4webapi.customFetch]: fetch };
  return async () => {
    const response = await oauth4webapi.clientCredentialsGrantRequest(
      SERVER,
      client,
      authentication,
      { scope: SCOPE },
      options,
    );
    const { access_token } = await oauth4webapi
      .processClientCredentialsResponse(SERVER, client, response);
    return access_token;
  };
}

function callOpenidClient(fetch: AnyFetch): TokenCall {
  const authentication = openid.ClientSecretBasic(SECRET);
  const config = new openid.Configuration(SERVER, ID, {}, authentication);
  config[openid.customFetch] = fetch;
  return async () => {
    const { access_token } = await openid.clientCredentialsGrant(config, {
      scope: SCOPE,
    });
    return access_token;
  };
}

function callBadgateway(fetch: AnyFetch): TokenCall {
  const client = new OAuth2Client({
    clientId: ID,
    clientSecret: SECRET,
    tokenEndpoint: SERVER.token_endpoint,
    authenticationMethod: "client_secret_basic",
    fetch: (url, init = {}) => fetch(String(url), init),
  });
  return async () => {
    const { accessToken } = await client.clientCredentials({ scope: [SCOPE] });
    return accessToken;
  };
}

/** The call as one would write it by hand. */
function callBare(fetch: AnyFetch): TokenCall {
  return async () => {
    const response = await fetch(SERVER.token_endpoint, {
      method: "POST",
      headers: {
        accept: "application/json",
        authorization: `Basic ${btoa(`${ID}:${SECRET}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        scope: SCOPE,
      }),
    });
    return (await response.json()).access_token;
  };
}
