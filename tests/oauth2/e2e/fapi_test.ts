/** Sender-constrained tokens with a certified authorization server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  discover,
  type Fetch,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import {
  compareDetails,
  encodeDetails,
  grantedDetails,
} from "../../../oauth2/server/authorization_details.ts";
import { DpopKey, withDpop } from "../../../oauth2/dpop/mod.ts";
import { JarmValidator } from "../../../oauth2/server/jarm.ts";
import { withMtlsEndpoints } from "../../../oauth2/server/mtls.ts";
import { pushAuthorization } from "../../../oauth2/server/par.ts";
import { signRequest } from "../../../oauth2/server/request_object.ts";
import { missingResources } from "../../../oauth2/server/resource_indicators.ts";
import { SignIn } from "../../../oauth2/sign_in/mod.ts";
import { AccessDenied, TokenVerifier } from "../../../oauth2/verify/mod.ts";
import { Browser } from "./_browser.ts";
import {
  API,
  CLIENTS,
  DETAIL_TYPE,
  FapiServer,
  REDIRECT_URI,
  RESOURCE_SERVER,
} from "./_fapi_server.ts";
import { PERSON } from "./_pages.ts";

const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
};

type Kind = keyof typeof CLIENTS;

/** Creates a client, and the verifier of its API. */
async function setUp(server: FapiServer, kind: Kind, record: string[] = []) {
  const { id, authScheme } = CLIENTS[kind];
  const found = await discover(server.issuer);
  const key = await DpopKey.generate();
  const fetch: Fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    record.push(`${init.method} ${new URL(url).pathname} ${response.status}`);
    return response;
  };
  const options: ClientOptions = {
    ...kind.includes("mutual TLS") ? withMtlsEndpoints(found) : found,
    authScheme,
    ...authScheme === "private_key_jwt" && {
      assertionKey: { algorithm: "ES256", key: server.key, kid: "client-1" },
    },
    redirectUri: REDIRECT_URI,
    fetch,
  };
  const client = new Client(
    id,
    null,
    kind.endsWith("DPoP") ? withDpop(key, options) : options,
  );
  const api = new Client(RESOURCE_SERVER.id, RESOURCE_SERVER.secret, found);
  return { client, key, found, api };
}

/** Returns a request to the API, as the client of a token sends it. */
async function requestOf(token: AccessToken, key?: DpopKey) {
  let sent: Request | undefined;
  const fetch: Fetch = (url, init) => {
    sent = new Request(url, init);
    return Promise.resolve(new Response());
  };
  const client = new Client(
    null,
    null,
    key ? withDpop(key, { fetch }) : { fetch },
  );
  await AccessToken.fromHash(client, token.toHash()).get(`${API}notes`);
  return sent!;
}

for (const kind of Object.keys(CLIENTS) as Kind[]) {
  for (const requireNonce of kind.endsWith("DPoP") ? [false, true] : [false]) {
    const name = requireNonce ? `${kind} with nonce` : kind;
    Deno.test(`FAPI 2.0 with ${name}: sign-in, refresh and API`, async () => {
      await using server = await FapiServer.start({ requireNonce });
      const record: string[] = [];
      const { client, key, api } = await setUp(server, kind, record);
      const isDpop = kind.endsWith("DPoP");
      const signIn = new SignIn(client, {
        authorize: async (params) =>
          (await pushAuthorization(client, {
            ...params,
            ...isDpop && { dpop_jkt: key.thumbprint },
          })).url,
      });
      const flow = await signIn.start({ scope: "openid notes", resource: API });
      assertEquals(
        [...new URL(flow.url).searchParams.keys()],
        ["client_id", "request_uri"],
      );
      const callback = await new Browser(ALLOW).authorize(
        flow.url,
        REDIRECT_URI,
      );
      const { token, claims } = await signIn.callback(callback, flow, {
        resource: API,
      });
      assertEquals(claims?.sub, PERSON.login);
      const refreshed = await token.refresh({ resource: API });
      assert(refreshed.token !== token.token);

      const verifier = new TokenVerifier(api, {
        audience: API,
        binding: isDpop ? "dpop" : "mtls",
      });
      const { cert: certificate } = server.certificate;
      for (const one of [token, refreshed]) {
        const access = await verifier.verify(
          await requestOf(one, isDpop ? key : undefined),
          { scope: "notes", certificate },
        );
        assertEquals(access.claims.sub, PERSON.login);
        assertEquals(missingResources(API, access.claims), []);
      }
      // A thief has the token only.
      const stolen = new Request(`${API}notes`, {
        headers: { authorization: `Bearer ${token.token}` },
      });
      await assertRejects(() => verifier.verify(stolen), AccessDenied);
      const refused = record.filter((line) => line.endsWith(" 400"));
      assertEquals(refused, requireNonce ? ["POST /token 400"] : []);
    });
  }
}

Deno.test("DPoP with nonces of the server: a request with a bound token", async () => {
  await using server = await FapiServer.start({ requireNonce: true });
  const record: string[] = [];
  const kind = "private_key_jwt, DPoP";
  const { client } = await setUp(server, kind, record);
  const token = await client.clientCredentials.getToken({
    scope: "notes",
    resource: API,
  });
  assertEquals(token.headers.Authorization, `DPoP ${token.token}`);
  assertEquals(record, ["POST /token 400", "POST /token 200"]);
});

Deno.test("DPoP: the server refuses a code that is bound to another key", async () => {
  await using server = await FapiServer.start({ requirePushed: false });
  const { client, key } = await setUp(server, "private_key_jwt, DPoP");
  const other = await setUp(server, "private_key_jwt, DPoP");
  const signIn = new SignIn(client, {
    authorize: async (params) =>
      (await pushAuthorization(client, {
        ...params,
        dpop_jkt: key.thumbprint,
      })).url,
  });
  const flow = await signIn.start({ scope: "openid" });
  const callback = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const thief = new SignIn(other.client);
  const error = await assertRejects(
    () => thief.callback(callback, flow),
    OAuth2Error,
  );
  assertEquals(error.code, "invalid_grant");
});

Deno.test("DPoP: UserInfo with a bound token, whose nonce the server demands", async () => {
  await using server = await FapiServer.start({ requireNonce: true });
  const record: string[] = [];
  const { client, key, found } = await setUp(
    server,
    "private_key_jwt, DPoP",
    record,
  );
  const signIn = new SignIn(client, {
    authorize: async (params) => (await pushAuthorization(client, params)).url,
  });
  const flow = await signIn.start({ scope: "openid" });
  const callback = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const { token } = await signIn.callback(callback, flow);
  record.length = 0;
  const url = found.metadata.userinfo_endpoint!;
  const { parsed } = await token.get(url);
  assertEquals(parsed, { sub: PERSON.login });
  assertEquals(record, ["GET /me 401", "GET /me 200"]);
  const stolen = await setUp(server, "private_key_jwt, DPoP");
  assert(stolen.key.thumbprint !== key.thumbprint);
  const { dpop_jkt: _, ...hash } = token.toHash();
  const restored = AccessToken.fromHash(stolen.client, hash);
  const error = await assertRejects(() => restored.get(url), OAuth2Error);
  assertEquals([error.status, error.code], [401, "invalid_token"]);
});

Deno.test("request objects and JARM: pushed, and in the URL", async () => {
  await using server = await FapiServer.start({ requirePushed: false });
  const { client } = await setUp(server, "private_key_jwt, DPoP");
  const jarm = new JarmValidator(client);
  const key = { algorithm: "ES256", key: server.key, kid: "client-1" };
  for (const isPushed of [true, false]) {
    const signIn = new SignIn(client, {
      authorize: async (params) => {
        const signed = await signRequest(
          client,
          { ...params, response_mode: "jwt" },
          key,
        );
        return isPushed
          ? (await pushAuthorization(client, { ...signed })).url
          : client.authorizeUrl({ ...signed, redirect_uri: null });
      },
    });
    const flow = await signIn.start({ scope: "openid" });
    const callback = await new Browser(ALLOW).authorize(
      flow.url,
      REDIRECT_URI,
    );
    assertEquals([...callback.searchParams.keys()], ["response"]);
    const { claims } = await signIn.callback(
      await jarm.validate(callback),
      flow,
    );
    assertEquals(claims?.sub, PERSON.login);
  }
});

Deno.test("authorization details: requested, granted and introspected", async () => {
  await using server = await FapiServer.start();
  const { client } = await setUp(server, "private_key_jwt, DPoP");
  const details = [{
    type: DETAIL_TYPE,
    actions: ["initiate"],
    instructedAmount: { currency: "BRL", amount: "123.50" },
  }];
  const signIn = new SignIn(client, {
    authorize: async (params) => (await pushAuthorization(client, params)).url,
  });
  const flow = await signIn.start({
    scope: "openid",
    resource: API,
    authorization_details: encodeDetails(
      details,
      client.metadata?.authorization_details_types_supported,
    ),
  });
  const callback = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const { token } = await signIn.callback(callback, flow, { resource: API });
  const { missing, unrequested } = compareDetails(
    details,
    grantedDetails(token),
  );
  assertEquals([missing, unrequested], [[], []]);
});

Deno.test("introspection of a bound token without resource", async () => {
  await using server = await FapiServer.start();
  const { client, key, api } = await setUp(server, "private_key_jwt, DPoP");
  const signIn = new SignIn(client, {
    authorize: async (params) => (await pushAuthorization(client, params)).url,
  });
  const flow = await signIn.start({ scope: "openid" });
  const callback = await new Browser(ALLOW).authorize(flow.url, REDIRECT_URI);
  const { token } = await signIn.callback(callback, flow);
  const verifier = new TokenVerifier(api, {
    audience: API,
    tokens: "introspection",
  });
  const request = await requestOf(token, key);
  const { claims } = await verifier.verify(request, { scope: "openid" });
  assertEquals(claims.cnf?.jkt, key.thumbprint);
  await token.revoke();
  const again = await requestOf(token, key);
  const error = await assertRejects(() => verifier.verify(again), AccessDenied);
  assertEquals(error.code, "invalid_token");
});
