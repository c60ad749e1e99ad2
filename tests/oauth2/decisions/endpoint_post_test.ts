/** client.post: any endpoint of the server, authenticated like a token request. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  ConnectionError,
  discover,
  type OAuth2Response,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { fakeFetch } from "../fake_fetch.ts";
import { print } from "../print.ts";
import {
  asked,
  claimsOf,
  clientTest,
  json,
  oauth2Error,
  redirect,
  type Setting,
  signingKey,
  SITE,
  TOKEN_URL,
} from "../testing.ts";

const INTROSPECT = `${SITE}/introspect`;
const assertionKey = await signingKey();
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
      endpoint instanceof URL ? "a URL" : endpoint
    } sends a form with the credentials of the client`,
    [asked(json({ active: true, userName: "ana" }), {
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
    ["no secret", { secret: null }, null, { client_id: "abc" }],
  ] as [string, Setting, string | null, Record<string, string>][]
) {
  clientTest(
    `post authenticates by ${method}`,
    [asked(json({ active: true }), {
      url: INTROSPECT,
      headers: { authorization },
      body: { form: { token: "monkey", ...form } },
    })],
    ({ client }) => client.post("introspect", { token: "monkey" }),
    options,
  );
}

clientTest(
  "post authenticates by private_key_jwt, for the issuer or the token endpoint",
  [asked(json({ active: true }), { url: INTROSPECT })],
  async ({ client, fetch }) => {
    await client.post("introspect", { token: "monkey" });
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(claimsOf(fields.get("client_assertion")!).aud, TOKEN_URL);
  },
  { authScheme: "private_key_jwt", assertionKey },
);

clientTest(
  "post takes the options of a call among its parameters, and does not send them",
  [
    asked(json({ aB: 1 }, 400), {
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
    [asked(redirect("/to", status), { url: INTROSPECT })],
    async ({ client }) => {
      const outcome = await client.post("introspect")
        .catch((error: unknown) => error) as { status: number };
      assertEquals(outcome.status, status);
    },
    { allowCrossOriginRedirects: true },
  );
}

clientTest(
  "post fails with the error of the server, in which no secret shows",
  [asked(
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
    `post of ${Object.keys(params)} is ${
      retryable ? "" : "not "
    }retryable without an answer`,
    [
      asked({ fail: "ECONNREFUSED" }, { url: INTROSPECT }),
      asked({ hang: true }, { url: INTROSPECT }),
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
    `post to ${endpoint} is refused, and nothing is sent`,
    [],
    async ({ client }) => {
      await assertRejects(() => client.post(endpoint), TypeError);
    },
  );
}

clientTest(
  "post goes to the site of the moment of calling",
  [asked(json({}), { url: INTROSPECT })],
  async ({ client }) => {
    const sent = client.post("introspect");
    client.site = "https://attacker.example";
    await sent;
  },
);

const REFUSAL = { error: "invalid_request", error_description: "no" };
/** Calls that need no field in an answer of success. */
const ASKS: Readonly<
  Record<string, (client: Client, raiseErrors: boolean) => Promise<unknown>>
> = {
  post: (client, raiseErrors) => client.post("oauth/revoke", { raiseErrors }),
  revokeToken: (client, raiseErrors) =>
    client.revokeToken("monkey", undefined, { raiseErrors }),
  "token.revoke": (client, raiseErrors) =>
    tokenOf(client).revoke({ raiseErrors }),
};
for (const [name, ask] of Object.entries(ASKS)) {
  clientTest(
    `${name} takes an error with the status 200 for an error`,
    [{ respond: json(REFUSAL) }, { respond: json(REFUSAL) }],
    async ({ client }) => {
      const { code, description, status } = await oauth2Error(
        ask(client, true),
      );
      assertEquals([code, description, status], ["invalid_request", "no", 200]);
      const { error } = await ask(client, false) as OAuth2Response;
      assertEquals(error?.code, "invalid_request");
    },
  );
  clientTest(
    `${name} takes the status 200 with any other body for success`,
    [
      { status: 200 },
      { status: 200, body: "error=invalid_request" },
      json({ active: false }),
      json({ error: null }),
    ].map((respond) => ({ respond })),
    async ({ client }) => {
      for (let i = 0; i < 4; i++) {
        const { error } = await ask(client, true) as OAuth2Response;
        assertEquals(error, undefined);
      }
    },
  );
}

Deno.test("post of a client without an id is refused, and nothing is sent", async () => {
  const fetch = fakeFetch([]);
  const client = new Client(undefined, "hush-hush", { site: SITE, fetch });
  await assertRejects(
    () => client.post("introspect"),
    TypeError,
    "the client has no id",
  );
  fetch.assertDone();
});

Deno.test("post with tls_client_auth goes to the alias of a discovered endpoint", async () => {
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
    const fetch = fakeFetch([asked(json({}), { url })]);
    const options = { ...found, authScheme, fetch };
    await new Client("abc", "hush-hush", options).post(introspection_endpoint);
    fetch.assertDone();
  }
});
