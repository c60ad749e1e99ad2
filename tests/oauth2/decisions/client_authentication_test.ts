/** Client authentication (RFC 6749 section 2.3): one method per request, and an id. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, type ClientOptions } from "../../../oauth2/mod.ts";
import { ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import { clientTest, NOW, type Setting, SITE } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { CLAIMS, claimsOf, generateAssertionKey, HS256_KEY } from "../_jwt.ts";

const assertionKey = await generateAssertionKey();

for (
  const [encoding, secret, credentials] of [
    ["form", "p%+ é&", "a%3Ab:p%25%2B+%C3%A9%26"],
    ["raw", "p%+ é&", "a:b:p%+ é&"],
  ] as const
) {
  const bytes = new TextEncoder().encode(credentials);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  clientTest(
    `basic_auth with basicAuthEncoding ${encoding} sends ${credentials}`,
    [onToken(json({ access_token: "m" }), { headers: { authorization } })],
    ({ client }) => client.getToken(),
    { id: "a:b", secret, basicAuthEncoding: encoding },
  );
}

clientTest(
  "basic_auth without a secret sends client_id in the body",
  [onToken(json({ access_token: "m" }), {
    headers: { authorization: null },
    body: { form: { client_id: "abc" } },
  })],
  ({ client }) => client.getToken(),
  { secret: null },
);

clientTest(
  "private_key_jwt signs a new assertion for the issuer with each request",
  [onToken(json({ access_token: "m" })), onToken(json({ access_token: "m" }))],
  async ({ client, fetch }) => {
    await client.clientCredentials.getToken();
    await client.clientCredentials.getToken();
    const [first, second] = fetch.requests.map(({ body, headers }) => {
      assertEquals(headers.get("authorization"), null);
      const fields = new URLSearchParams(body);
      assertEquals(
        fields.get("client_assertion_type"),
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      );
      assertEquals(fields.get("client_secret"), null);
      return claimsOf(fields.get("client_assertion")!);
    }) as [Record<string, unknown>, Record<string, unknown>];
    const { iss, sub, aud, iat, exp } = first;
    assertEquals([iss, sub, aud], ["abc", "abc", "https://issuer.example"]);
    assertEquals(iat, NOW);
    assert(Number(exp) > NOW && Number(exp) <= NOW + 600, "it expires soon");
    assert(first.jti && first.jti !== second.jti, "jti is used once");
  },
  {
    authScheme: "private_key_jwt",
    issuer: "https://issuer.example",
    assertionKey,
  },
);

for (const algorithm of ["none", "None", "NONE"]) {
  clientTest(
    `assertion.getToken refuses the algorithm ${algorithm}`,
    [],
    async ({ client }) => {
      const key = { ...HS256_KEY, algorithm };
      await assertRejects(
        () => client.assertion.getToken(CLAIMS, key),
        TypeError,
      );
    },
  );
  clientTest(
    `private_key_jwt refuses the algorithm ${algorithm}`,
    [],
    async ({ client }) => {
      await assertRejects(() => client.getToken(), TypeError);
    },
    {
      authScheme: "private_key_jwt",
      issuer: SITE,
      assertionKey: { ...HS256_KEY, algorithm },
    },
  );
}

const AUTHORIZATION = { Authorization: "Basic YTpi" };
for (
  const [method, options, params] of [
    ["request_body", { authScheme: "request_body" }, {}],
    ["private_key_jwt", { authScheme: "private_key_jwt", assertionKey }, {}],
    [
      "private_key_jwt and a client_assertion",
      { authScheme: "private_key_jwt" },
      { client_assertion: "a.b.c" },
    ],
    ["the parameter client_secret", {}, { client_secret: "mine" }],
    ["tls_client_auth and a client_assertion", {
      authScheme: "tls_client_auth",
    }, { client_assertion: "a.b.c" }],
  ] as [string, Setting, Record<string, string>][]
) {
  for (const place of ["the call", "connectionOpts"]) {
    const isCall = place === "the call";
    clientTest(
      `calls with an Authorization of ${place} and ${method} throw and send nothing`,
      [],
      async ({ client }) => {
        const call = { ...params, ...isCall && { headers: AUTHORIZATION } };
        for (
          const request of [
            () => client.getToken(call),
            () => client.clientCredentials.getToken(call),
            () => client.revokeToken("m", undefined, call),
            () => tokenOf(client).refresh(call),
          ]
        ) {
          const { message } = await assertRejects(request, TypeError) as Error;
          assert(message.startsWith("Cannot "), message);
          assert(!/YTpi|hush/.test(message), message);
        }
      },
      isCall
        ? options
        : { ...options, connectionOpts: { headers: AUTHORIZATION } },
    );
  }
}

clientTest(
  "an Authorization of the call replaces basic_auth",
  [
    onToken(json({ access_token: "m" }), {
      headers: { authorization: "Basic YTpi" },
    }),
  ],
  ({ client }) => client.getToken({ headers: AUTHORIZATION }),
);

clientTest(
  "an Authorization of connectionOpts is sent to resource servers",
  [onResource({ status: 204 }, { headers: { authorization: "Basic YTpi" } })],
  ({ client }) => client.request("get", "/from"),
  {
    authScheme: "request_body",
    connectionOpts: { headers: AUTHORIZATION },
  },
);

clientTest(
  "assertionKey selects private_key_jwt",
  [onToken(json({ access_token: "m" }), { headers: { authorization: null } })],
  async ({ client, fetch }) => {
    await client.getToken();
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(claimsOf(fields.get("client_assertion")!).iss, "abc");
    assertEquals(fields.get("client_secret"), null);
  },
  { assertionKey },
);

for (const authScheme of ["basic_auth", "request_body"] as const) {
  clientTest(
    `authScheme ${authScheme} ignores an assertionKey`,
    [onToken(json({ access_token: "m" }))],
    async ({ client, fetch }) => {
      await client.getToken();
      const [{ body, headers }] = fetch.requests as [typeof fetch.requests[0]];
      assert(!body.includes("client_assertion"), body);
      assertEquals(headers.has("authorization"), authScheme === "basic_auth");
    },
    { authScheme, assertionKey },
  );
}

/** Creates a client with an id, and a fetch for a number of requests. */
function clientWith(
  id: string | null | undefined,
  options: ClientOptions,
  count = 0,
) {
  const fetch = fakeFetch(
    Array.from({ length: count }, () => ({
      respond: json({ access_token: "m" }),
    })),
  );
  const client = new Client(id, "hush-hush", { site: SITE, fetch, ...options });
  return { client, fetch };
}
const NO_ID = "has no id";

for (const grant of ["authCode", "implicit"] as const) {
  for (const id of [undefined, null]) {
    Deno.test(`${grant}.authorizeUrl with the client id ${id} throws unless client_id is given`, () => {
      const { client } = clientWith(id, {});
      assertThrows(() => client[grant].authorizeUrl(), TypeError, NO_ID);
      const url = client[grant].authorizeUrl({ client_id: "given" });
      assertEquals(new URL(url).searchParams.get("client_id"), "given");
    });
  }
}

const METHODS: Readonly<Record<string, ClientOptions>> = {
  basic_auth: {},
  request_body: { authScheme: "request_body" },
  tls_client_auth: { authScheme: "tls_client_auth" },
  private_key_jwt: { assertionKey, authScheme: "private_key_jwt" },
};
for (const [method, options] of Object.entries(METHODS)) {
  Deno.test(`calls of a client without an id and with ${method} throw and send nothing`, async () => {
    const { client, fetch } = clientWith(undefined, options);
    for (const call of Object.values(ENDPOINT_CALLS)) {
      await assertRejects(() => call(client, {}), TypeError, NO_ID);
    }
    assertEquals(fetch.requests, []);
  });
}

for (
  const [credentials, options, params] of [
    ["an Authorization", {}, { headers: AUTHORIZATION }],
    ["an Authorization in connectionOpts", {
      connectionOpts: { headers: AUTHORIZATION },
    }, {}],
    ["a client_id", METHODS.tls_client_auth, { client_id: "given" }],
    ["a client_id and a client_secret", METHODS.request_body, {
      client_id: "given",
    }],
    ["a client_assertion", METHODS.private_key_jwt, {
      client_assertion: "a.b.c",
    }],
  ] as [string, ClientOptions, Record<string, unknown>][]
) {
  Deno.test(`calls of a client without an id are sent with ${credentials}`, async () => {
    const { client, fetch } = clientWith(undefined, options, 2);
    await client.getToken(params);
    await client.revokeToken("m", undefined, params);
    fetch.assertDone();
  });
}

Deno.test("calls of a client with the id null send no client_id", async () => {
  const { client, fetch } = clientWith(null, METHODS.request_body!, 1);
  await client.getToken();
  const fields = new URLSearchParams(fetch.requests[0]!.body);
  assertEquals(fields.has("client_id"), false);
});

Deno.test("request of a client without an id is sent", async () => {
  const { client, fetch } = clientWith(undefined, {}, 2);
  await client.request("get", "/from");
  await tokenOf(client).get("/from");
  fetch.assertDone();
});

for (const given of ["a.b.c", Promise.resolve("a.b.c")]) {
  clientTest(
    `request_body with a client_assertion, given as ${
      typeof given === "string" ? "a string" : "a promise"
    }, sends no client_secret`,
    Array.from({ length: 4 }, () => ({ respond: json({ access_token: "m" }) })),
    async ({ client, fetch }) => {
      const params = { client_assertion: given } as {
        client_assertion: string;
      };
      await client.getToken(params);
      await client.post("introspect", params);
      await client.revokeToken("m", undefined, params);
      await tokenOf(client).refresh(params);
      for (const { body, headers } of fetch.requests) {
        const fields = new URLSearchParams(body);
        assertEquals(fields.get("client_secret"), null);
        assertEquals(fields.get("client_assertion"), "a.b.c");
        assertEquals(headers.get("authorization"), null);
      }
    },
    { authScheme: "request_body" },
  );
}
