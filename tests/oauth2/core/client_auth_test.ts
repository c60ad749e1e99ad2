/** Client authentication (RFC 6749 section 2.3): one method per request, and an id. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { jwtVerify } from "jose";
import {
  authenticate,
  type AuthScheme,
} from "../../../oauth2/core/client_auth.ts";
import { resolveOptions } from "../../../oauth2/core/client_options.ts";
import type { HeaderFields } from "../../../oauth2/core/headers.ts";
import { Client, type ClientOptions } from "../../../oauth2/mod.ts";
import { ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import { clientTest, NOW, type Setting, SITE } from "../_client.ts";
import { json, onResource, onToken, TOKEN_URL } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { generateAssertionKey, HS256_KEY, HS256_SECRET } from "../_jwt.ts";

interface Identity {
  readonly id?: string | null | undefined;
  readonly secret?: string | null | undefined;
  readonly basicAuthEncoding?: "form" | "raw";
}

/** Adds the credentials of a client `abc` with the secret `hush-hush`. */
function authenticateAs(
  scheme: string,
  identity: Identity,
  params: Map<string, unknown>,
  headers: HeaderFields,
): void {
  const { id, secret, ...options } = {
    id: "abc",
    secret: "hush-hush",
    ...identity,
  };
  const authScheme = scheme as AuthScheme;
  const settings = resolveOptions(id, secret, { ...options, authScheme });
  authenticate(settings, params, headers, () => "https://x.example");
}

for (
  const scheme of ["", "BASIC_AUTH", "constructor", "__proto__", "toString"]
) {
  Deno.test(`authenticate refuses the authScheme "${scheme}"`, () => {
    const error = assertThrows(
      () => authenticateAs(scheme, {}, new Map(), {}),
      DOMException,
    );
    assertEquals((error as DOMException).name, "NotSupportedError");
  });
}

for (
  const [scheme, identity, given, sent, credentials] of [
    [
      "basic_auth",
      { id: "ação:%+" },
      {},
      {},
      "a%C3%A7%C3%A3o%3A%25%2B:hush-hush",
    ],
    [
      "basic_auth",
      { secret: "ação:%+" },
      {},
      {},
      "abc:a%C3%A7%C3%A3o%3A%25%2B",
    ],
    ["basic_auth", { secret: "~*' \n" }, {}, {}, "abc:%7E*%27+%0A"],
    ["basic_auth", { secret: "\ud800" }, {}, {}, "abc:%EF%BF%BD"],
    ["basic_auth", { secret: "" }, {}, {}, "abc:"],
    ["basic_auth", { id: null }, {}, {}, ":hush-hush"],
    [
      "basic_auth",
      { basicAuthEncoding: "raw", secret: "ação:%+" },
      {},
      {},
      "abc:ação:%+",
    ],
    ["basic_auth", {}, { client_id: "x" }, { client_id: "x" }, "abc:hush-hush"],
    ["basic_auth", { secret: null }, {}, { client_id: "abc" }, undefined],
    ["request_body", { secret: "" }, {}, {
      client_id: "abc",
      client_secret: "",
    }, undefined],
    ["request_body", {}, { client_id: "" }, {
      client_id: "",
      client_secret: "hush-hush",
    }, undefined],
    ["tls_client_auth", {}, { client_id: "x" }, { client_id: "x" }, undefined],
    ["private_key_jwt", {}, { client_assertion: "a.b.c" }, {
      client_assertion: "a.b.c",
      client_assertion_type:
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }, undefined],
    [
      "private_key_jwt",
      {},
      {
        client_assertion: "a.b.c",
        client_assertion_type: "x",
      },
      { client_assertion: "a.b.c", client_assertion_type: "x" },
      undefined,
    ],
  ] as [
    string,
    Identity,
    Record<string, unknown>,
    Record<string, unknown>,
    string | undefined,
  ][]
) {
  const shown = JSON.stringify({ ...identity, ...given });
  Deno.test(`${scheme} with ${shown} sends ${credentials ?? JSON.stringify(sent)}`, () => {
    const params = new Map(Object.entries(given));
    const headers: HeaderFields = {};
    authenticateAs(scheme, identity, params, headers);
    assertEquals(Object.fromEntries(params), sent);
    const bytes = new TextEncoder().encode(credentials);
    assertEquals(
      headers,
      credentials === undefined
        ? {}
        : { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` },
    );
  });
}

Deno.test("basic_auth keeps the Authorization of the caller", () => {
  const headers = { authorization: "Bearer mine" };
  const params = new Map();
  authenticateAs("basic_auth", {}, params, headers);
  assertEquals(headers, { authorization: "Bearer mine" });
  assertEquals(params.size, 0);
});

Deno.test("authenticate reads the audience only for an assertion", async () => {
  const calls: string[] = [];
  for (const authScheme of ["basic_auth", "client_secret_jwt"] as const) {
    const settings = resolveOptions("abc", "hush-hush", { authScheme });
    const params = new Map<string, unknown>();
    authenticate(settings, params, {}, () => {
      calls.push(authScheme);
      return "https://x.example";
    });
    await params.get("client_assertion");
  }
  assertEquals(calls, ["client_secret_jwt"]);
});

const assertionKey = await generateAssertionKey();

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
  "an Authorization of connectionOpts is sent to resource servers",
  [onResource({ status: 204 }, { headers: { authorization: "Basic YTpi" } })],
  ({ client }) => client.request("get", "/from"),
  {
    authScheme: "request_body",
    connectionOpts: { headers: AUTHORIZATION },
  },
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

for (
  const [endpoint, options, audience] of [
    ["the token endpoint", {}, TOKEN_URL],
    [
      "the issuer",
      { issuer: "https://issuer.example" },
      "https://issuer.example",
    ],
    [
      "the issuer of the metadata",
      { metadata: { issuer: "https://issuer.example" } },
      "https://issuer.example",
    ],
  ] as const
) {
  clientTest(
    `client_secret_jwt signs an assertion for ${endpoint} with HS256 and the secret`,
    [onToken(json({ access_token: "m" }), {
      headers: { authorization: null },
    })],
    async ({ client, fetch }) => {
      await client.clientCredentials.getToken();
      const fields = new URLSearchParams(fetch.requests[0]!.body);
      assertEquals(fields.get("client_secret"), null);
      assertEquals(
        fields.get("client_assertion_type"),
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      );
      const { payload } = await jwtVerify(
        fields.get("client_assertion")!,
        new TextEncoder().encode(HS256_SECRET),
        {
          algorithms: ["HS256"],
          audience,
          issuer: "abc",
          subject: "abc",
          currentDate: new Date(NOW * 1000),
        },
      );
      assert(payload.exp && payload.jti);
    },
    { authScheme: "client_secret_jwt", secret: HS256_SECRET, ...options },
  );
}

clientTest(
  "client_secret_jwt signs a new assertion for refresh and revoke",
  [
    onToken(json({ access_token: "m", refresh_token: "r" })),
    onToken(json({ access_token: "m" })),
    { respond: { status: 200 } },
  ],
  async ({ client, fetch }) => {
    const token = await client.getToken();
    await token.refresh();
    await token.revoke();
    const assertions = fetch.requests.map(({ body }) =>
      new URLSearchParams(body).get("client_assertion")
    );
    assert(!assertions.includes(null));
    assertEquals(new Set(assertions).size, 3);
  },
  { authScheme: "client_secret_jwt", secret: HS256_SECRET },
);

clientTest(
  "client_secret_jwt without a secret throws and sends nothing",
  [],
  async ({ client }) => {
    await assertRejects(
      () => client.getToken(),
      TypeError,
      "client_secret_jwt",
    );
  },
  { authScheme: "client_secret_jwt", secret: null },
);

for (const algorithm of ["HS256", "HS384", "HS512"]) {
  for (const authScheme of ["private_key_jwt", undefined] as const) {
    clientTest(
      `${
        authScheme ?? "assertionKey"
      } refuses ${algorithm} and names client_secret_jwt`,
      [],
      async ({ client }) => {
        const error = await assertRejects(() => client.getToken(), TypeError);
        const { message } = error as Error;
        assert(message.includes("client_secret_jwt"), message);
        assert(!message.includes(HS256_KEY.key), message);
      },
      { authScheme, assertionKey: { ...HS256_KEY, algorithm } },
    );
  }
}
