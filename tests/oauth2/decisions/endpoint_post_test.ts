/** Requests of `client.post` to any endpoint of the authorization server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  ConnectionError,
  discover,
  type OAuth2Response,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  oauth2Error,
  type Setting,
  SITE,
} from "../_client.ts";
import { json, onToken, redirect, TOKEN_URL } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { claimsOf, generateAssertionKey } from "../_jwt.ts";
import { print } from "../_print.ts";

const INTROSPECT = `${SITE}/introspect`;
const assertionKey = await generateAssertionKey();
const BASIC = `Basic ${btoa("abc:hush-hush")}`;

for (
  const endpoint of [
    "introspect",
    "/introspect",
    INTROSPECT,
    new URL(INTROSPECT),
  ]
) {
  clientTest(
    `post to ${
      endpoint instanceof URL ? "a URL object" : endpoint
    } sends a form with the credentials of the client`,
    [onToken(json({ active: true, userName: "ana" }), {
      url: INTROSPECT,
      headers: { authorization: BASIC, accept: "application/json" },
      body: { form: { token: "monkey", token_type_hint: "access_token" } },
    })],
    async ({ client }) => {
      const response = await client.post(endpoint, {
        token: "monkey",
        token_type_hint: "access_token",
      });
      assertEquals(response.status, 200);
      assertEquals(response.parsed, { active: true, user_name: "ana" });
    },
  );
}

for (
  const [method, options, authorization, form] of [
    ["basic_auth", {}, BASIC, {}],
    ["request_body", { authScheme: "request_body" }, null, {
      client_id: "abc",
      client_secret: "hush-hush",
    }],
    ["tls_client_auth", { authScheme: "tls_client_auth" }, null, {
      client_id: "abc",
    }],
    ["a public client", { secret: null }, null, { client_id: "abc" }],
  ] as [string, Setting, string | null, Record<string, string>][]
) {
  clientTest(
    `post sends the credentials of ${method}`,
    [onToken(json({ active: true }), {
      url: INTROSPECT,
      headers: { authorization },
      body: { form: { token: "monkey", ...form } },
    })],
    ({ client }) => client.post("introspect", { token: "monkey" }),
    options,
  );
}

clientTest(
  "post signs a private_key_jwt assertion for the token endpoint",
  [onToken(json({ active: true }), { url: INTROSPECT })],
  async ({ client, fetch }) => {
    await client.post("introspect", { token: "monkey" });
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(claimsOf(fields.get("client_assertion")!).aud, TOKEN_URL);
  },
  { authScheme: "private_key_jwt", assertionKey },
);

clientTest(
  "post reads options among its parameters and does not send them",
  [
    onToken(json({ aB: 1 }, 400), {
      url: INTROSPECT,
      headers: { "x-a": "1" },
      body: { form: { a: "b" } },
    }),
  ],
  async ({ client }) => {
    const response = await client.post("introspect", {
      a: "b",
      headers: { "x-a": "1" },
      snaky: false,
      raiseErrors: false,
      timeout: 5000,
    });
    assertEquals([response.parsed, response.error?.status], [{ aB: 1 }, 400]);
  },
);

for (const status of [301, 302, 303, 307, 308]) {
  clientTest(
    `post does not follow a ${status}`,
    [onToken(redirect("/to", status), { url: INTROSPECT })],
    async ({ client }) => {
      const outcome = await client.post("introspect")
        .catch((error: unknown) => error) as { status: number };
      assertEquals(outcome.status, status);
    },
    { allowCrossOriginRedirects: true },
  );
}

clientTest(
  "post throws the error of the server with secrets redacted",
  [onToken(
    json({ error: "invalid_client", error_description: "hush-hush" }, 401),
    { url: INTROSPECT },
  )],
  async ({ client, log }) => {
    const token = "monkey123";
    const error = await oauth2Error(client.post("introspect", { token }));
    assertEquals([error.code, error.description], [
      "invalid_client",
      "[FILTERED]",
    ]);
    const shown = [print(error), ...log].join("\n");
    assert(!/hush-hush|monkey123/.test(shown), shown);
  },
  { debug: true },
);

for (
  const [params, retryable] of [
    [{ token: "monkey" }, true],
    [{ code: "sushi" }, false],
  ] as const
) {
  clientTest(
    `post of ${
      Object.keys(params)
    } without an answer rejects with retryable ${retryable}`,
    [
      onToken({ fail: "ECONNREFUSED" }, { url: INTROSPECT }),
      onToken({ hang: true }, { url: INTROSPECT }),
    ],
    async ({ client }) => {
      const lost = await assertRejects(
        () => client.post("introspect", params),
        ConnectionError,
      ) as ConnectionError;
      const late = await assertRejects(
        () => client.post("introspect", { ...params, timeout: 1 }),
        TimeoutError,
      ) as TimeoutError;
      assertEquals([lost.retryable, late.retryable], [retryable, retryable]);
    },
  );
}

for (
  const endpoint of [
    "http://api.example.com/introspect",
    "//attacker.example/introspect",
    "ftp://api.example.com/",
    new URL("http://api.example.com/introspect"),
  ]
) {
  clientTest(
    `post refuses ${endpoint} (${endpoint.constructor.name}) and sends nothing`,
    [],
    async ({ client }) => {
      await assertRejects(() => client.post(endpoint), TypeError);
    },
  );
}

clientTest(
  "post uses the site at the time of the call",
  [onToken(json({}), { url: INTROSPECT })],
  async ({ client }) => {
    const sent = client.post("introspect");
    client.site = "https://attacker.example";
    await sent;
  },
);

const REFUSAL = { error: "invalid_request", error_description: "no" };
/** Calls that accept a response without fields. */
const CALLS: Readonly<
  Record<string, (client: Client, raiseErrors: boolean) => Promise<unknown>>
> = {
  post: (client, raiseErrors) => client.post("oauth/revoke", { raiseErrors }),
  revokeToken: (client, raiseErrors) =>
    client.revokeToken("monkey", undefined, { raiseErrors }),
  "token.revoke": (client, raiseErrors) =>
    tokenOf(client).revoke({ raiseErrors }),
};
for (const [name, call] of Object.entries(CALLS)) {
  clientTest(
    `${name} throws an error in a response with status 200`,
    [{ respond: json(REFUSAL) }, { respond: json(REFUSAL) }],
    async ({ client }) => {
      const { code, description, status } = await oauth2Error(
        call(client, true),
      );
      assertEquals([code, description, status], ["invalid_request", "no", 200]);
      const { error } = await call(client, false) as OAuth2Response;
      assertEquals(error?.code, "invalid_request");
    },
  );
  clientTest(
    `${name} accepts any other body with status 200`,
    [
      { status: 200 },
      { status: 200, body: "error=invalid_request" },
      json({ active: false }),
      json({ error: null }),
    ].map((respond) => ({ respond })),
    async ({ client }) => {
      for (let i = 0; i < 4; i++) {
        const { error } = await call(client, true) as OAuth2Response;
        assertEquals(error, undefined);
      }
    },
  );
}

Deno.test("post of a client without an id throws and sends nothing", async () => {
  const fetch = fakeFetch([]);
  const client = new Client(undefined, "hush-hush", { site: SITE, fetch });
  await assertRejects(
    () => client.post("introspect"),
    TypeError,
    "Cannot authenticate the client: it has no id",
  );
  fetch.assertDone();
});

Deno.test("post with tls_client_auth sends to the alias of a discovered endpoint", async () => {
  const introspection_endpoint = `${SITE}/introspect`;
  const alias = "https://mtls.api.example.com/introspect";
  const found = await discover(SITE, {
    fetch: fakeFetch([{
      respond: json({
        issuer: SITE,
        token_endpoint: TOKEN_URL,
        introspection_endpoint,
        mtls_endpoint_aliases: { introspection_endpoint: alias },
      }),
    }]),
  });
  for (
    const [authScheme, url] of [
      ["tls_client_auth", alias],
      ["basic_auth", introspection_endpoint],
    ] as const
  ) {
    const fetch = fakeFetch([onToken(json({}), { url })]);
    const options = { ...found, authScheme, fetch };
    await createClient(options).post(introspection_endpoint);
    fetch.assertDone();
  }
});
