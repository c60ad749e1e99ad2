import { Client } from "@carteiro/oauth2";
import { TokenManager } from "@carteiro/oauth2/manager";
import * as oauth4webapi from "oauth4webapi";
import { type Bench, type Case, timed } from "./harness.ts";

/** Creates a call that requests an access token, given a `fetch`. */
type Caller = (
  fetch: (url: string, init: object) => Promise<Response>,
) => () => Promise<string>;

const SITE = "https://provider.example";
const SERVER = { issuer: SITE, token_endpoint: `${SITE}/oauth/token` };
const ID = "abc";
const SECRET = "secret";
const SCOPE = "read";

/**
 * Clients by library, this one first. All send the same request, with Basic
 * authentication (RFC 6749 section 2.3.1), and validate the response in their
 * own way; `bare fetch` is the call written by hand.
 */
export const CALLERS: Readonly<Record<string, Caller>> = {
  "carteiro": (fetch) => {
    const client = new Client(ID, SECRET, { site: SITE, fetch });
    return async () => {
      const token = await client.clientCredentials.getToken({ scope: SCOPE });
      return token.token;
    };
  },

  "oauth4webapi": (fetch) => {
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
  },

  "bare fetch": (fetch) => async () => {
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
  },
};

const ANSWER = JSON.stringify({
  access_token: "2YotnFZFEjr1zCsicMWpAA",
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: "tGzv3JOkF0XG5Qx2TlKWIA",
  scope: "read write",
});

/** Responds like a token endpoint, without a network. */
function answer(): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return Promise.resolve(new Response(ANSWER, { headers }));
}

/** Measures token requests, and requests with a token. */
export async function benchToken(bench: Bench): Promise<void> {
  bench.title("Client credentials call");
  await benchCallers(bench);
  await benchManager(bench);
}

/** Requests tokens with each library and without one, in turn. */
async function benchCallers(bench: Bench): Promise<void> {
  const calls = 10_000;
  const cases = Object.entries(CALLERS).map(([name, makeCall]): Case => {
    const call = makeCall(answer);
    const callOften = async () => {
      for (let i = 0; i < calls; i++) await call();
    };
    return {
      name,
      unit: "µs",
      limit: name === "carteiro" ? { atMost: 15 } : undefined,
      ratio: name === "oauth4webapi" ? { atMost: 1.2 } : undefined,
      run: async () => await timed(callOften) * 1e6 / calls,
    };
  });
  // A turn takes a fraction of a second.
  const turns = Math.max(10, bench.plan.pairs);
  await bench.measure(cases, { turns, warmUp: 2 });
}

/** Sends requests with a valid token, with and without a manager. */
async function benchManager(bench: Bench): Promise<void> {
  bench.title("Request with a valid token");
  const calls = 10_000;
  const client = new Client(ID, SECRET, { site: SITE, fetch: answer });
  const grant = () => client.clientCredentials.getToken();
  const manager = new TokenManager({ client, grant });
  const token = await manager.token();
  const measure = async (send: () => Promise<Response>) => {
    const seconds = await timed(async () => {
      for (let i = 0; i < calls; i++) await send();
    });
    return seconds * 1e6 / calls;
  };
  const alone = () => measure(() => token.fetch("/me"));
  const managed = () => measure(() => manager.fetch("/me"));
  await bench.measure([
    { name: "token.fetch", unit: "µs", run: alone },
    { name: "TokenManager.fetch", unit: "µs", run: managed },
  ], { turns: Math.max(10, bench.plan.pairs), warmUp: 2 });
  await bench.measure([{
    name: "added by TokenManager",
    unit: "µs",
    limit: { atMost: 10 },
    run: async () => await managed() - await alone(),
  }], { turns: Math.max(10, bench.plan.pairs) });
}
