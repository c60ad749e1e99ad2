/** Endpoints of the authorization server, and requests to any of them. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type Client,
  type ClientOptions,
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
import { json, onToken, redirect } from "../_exchanges.ts";
import { type FakeFetch, fakeFetch } from "../_fake_fetch.ts";
import { ISSUER } from "../_metadata.ts";
import { print } from "../_print.ts";

const NO_AUTHORIZATION =
  "Cannot use the authorization endpoint: the server has none";

const NO_REVOCATION = "Cannot use the revocation endpoint: the server has none";

/** Creates a client from discovered metadata. */
async function discovered(
  document: Record<string, unknown>,
  options: ClientOptions = {},
  answers = 0,
): Promise<{ client: Client; fetch: FakeFetch }> {
  const metadata = {
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/token`,
    ...document,
  };
  const found = await discover(ISSUER, {
    fetch: fakeFetch([{ respond: json(metadata) }]),
  });
  const fetch = fakeFetch(
    Array.from({ length: answers }, () => ({
      respond: json({ access_token: "ape", active: true }),
    })),
  );
  const client = createClient({ ...found, fetch, ...options });
  return { client, fetch };
}

Deno.test("authorizeUrl throws if the server has no authorization endpoint", async () => {
  const { client } = await discovered({});
  for (
    const call of [
      () => client.authorizeUrl(),
      () => client.authorizeUrl({ a: "b" }),
      () => client.authCode.authorizeUrl(),
      () => client.implicit.authorizeUrl(),
    ]
  ) assertThrows(call, TypeError, NO_AUTHORIZATION);
});

Deno.test("revokeToken throws if the server has no revocation endpoint, and sends nothing", async () => {
  const { client, fetch } = await discovered({});
  assertThrows(() => client.revokeUrl(), TypeError, NO_REVOCATION);
  for (
    const call of [
      () => client.revokeToken("m"),
      () => client.revokeToken("m", "refresh_token", { raiseErrors: false }),
      () => tokenOf(client).revoke(),
      () => tokenOf(client).revoke({ token_type_hint: "refresh_token" }),
    ]
  ) await assertRejects<unknown, TypeError>(call, TypeError, NO_REVOCATION);
  assertEquals(fetch.requests, []);
});

Deno.test("Client uses the endpoints of the metadata", async () => {
  const { client, fetch } = await discovered(
    {
      authorization_endpoint: "https://login.example/auth?a=1",
      revocation_endpoint: "https://revoke.example/",
    },
    {},
    1,
  );
  const url = new URL(client.authorizeUrl({ scope: "read" }));
  assertEquals([url.origin, url.searchParams.get("a")], [
    "https://login.example",
    "1",
  ]);
  await client.revokeToken("m");
  assertEquals(fetch.requests[0]!.url.href, "https://revoke.example/");
});

Deno.test("revokeUrl overrides the metadata", async () => {
  const { client, fetch } = await discovered({}, { revokeUrl: "mine" }, 1);
  await client.revokeToken("m");
  assertEquals(fetch.requests[0]!.url.href, `${ISSUER}/mine`);
});

const DOCUMENT = {
  authorization_endpoint: `${ISSUER}/auth`,
  revocation_endpoint: `${ISSUER}/revoke`,
  mtls_endpoint_aliases: {
    token_endpoint: "https://mtls.x.example/main/token",
    revocation_endpoint: "https://mtls.x.example/main/revoke",
    device_authorization_endpoint: "https://mtls.x.example/main/device",
  },
};

const ALIASES = DOCUMENT.mtls_endpoint_aliases;

/** Sends requests to the token and the revocation endpoint. */
const sendBoth = (client: Client): Promise<(OAuth2Response | unknown)[]> =>
  Promise.all([client.getToken(), client.revokeToken("m")]);

const urlsOf = ({ requests }: FakeFetch) => requests.map(({ url }) => url.href);

for (
  const [method, supported, options, expected] of [
    [
      "discovered tls_client_auth",
      ["tls_client_auth"],
      {},
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "discovered self_signed_tls_client_auth",
      ["self_signed_tls_client_auth"],
      {},
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "tls_client_auth as an option",
      ["client_secret_basic", "tls_client_auth"],
      { authScheme: "tls_client_auth" },
      [ALIASES.token_endpoint, ALIASES.revocation_endpoint],
    ],
    [
      "basic_auth",
      ["client_secret_basic", "tls_client_auth"],
      {},
      [`${ISSUER}/token`, `${ISSUER}/revoke`],
    ],
    [
      "request_body as an option",
      ["tls_client_auth"],
      { authScheme: "request_body" },
      [`${ISSUER}/token`, `${ISSUER}/revoke`],
    ],
    [
      "tls_client_auth and a tokenUrl",
      ["tls_client_auth"],
      { tokenUrl: "https://mine.example/token" },
      ["https://mine.example/token", ALIASES.revocation_endpoint],
    ],
  ] as [string, string[], ClientOptions, string[]][]
) {
  Deno.test(`calls with ${method} use ${expected.join(" and ")}`, async () => {
    const { client, fetch } = await discovered(
      { ...DOCUMENT, token_endpoint_auth_methods_supported: supported },
      options,
      2,
    );
    await sendBoth(client);
    assertEquals(urlsOf(fetch).sort(), [...expected].sort());
    assertEquals(client.tokenUrl(), expected[0]);
  });
}

for (
  const [metadata, aliases] of [
    ["no aliases", undefined],
    ["null as aliases", null],
    ["aliases of no endpoint", {}],
  ] as const
) {
  Deno.test(`calls with tls_client_auth and ${metadata} use the endpoints of the metadata`, async () => {
    const { client, fetch } = await discovered(
      { ...DOCUMENT, mtls_endpoint_aliases: aliases },
      { authScheme: "tls_client_auth" },
      2,
    );
    await sendBoth(client);
    assertEquals(urlsOf(fetch).sort(), [
      `${ISSUER}/revoke`,
      `${ISSUER}/token`,
    ]);
  });
}

const INTROSPECT = `${SITE}/introspect`;

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

const REFUSAL = { error: "invalid_request", error_description: "no" };

/** Calls that accept a response without fields. */
const EMPTY_CALLS: Readonly<
  Record<string, (client: Client, raiseErrors: boolean) => Promise<unknown>>
> = {
  post: (client, raiseErrors) => client.post("oauth/revoke", { raiseErrors }),
  "token.revoke": (client, raiseErrors) =>
    tokenOf(client).revoke({ raiseErrors }),
};
for (const [name, call] of Object.entries(EMPTY_CALLS)) {
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

const expect = {
  method: "GET",
  url: `${SITE}/keys`,
  headers: { authorization: null, accept: "application/json" },
  body: null,
};

clientTest(
  "get sends no client authentication",
  [{ expect, respond: json({ keys: [] }) }],
  async ({ client }) => {
    const { parsed } = await client.get(`${SITE}/keys`);
    assertEquals(parsed, { keys: [] });
  },
  { authScheme: "request_body" },
);

clientTest(
  "get does not follow a redirect",
  [{ expect, respond: redirect(`${SITE}/other`) }],
  async ({ client }) => {
    const error = await oauth2Error(client.get(`${SITE}/keys`));
    assertEquals(error.status, 302);
  },
);

clientTest(
  "get resolves with the error of the response with raiseErrors: false",
  [{ expect, respond: json({ error: "x" }, 404) }],
  async ({ client }) => {
    const { error } = await client.get("keys", { raiseErrors: false });
    assertEquals([error?.status, error?.code], [404, "x"]);
  },
);

const METADATA = { issuer: SITE, jwks_uri: "https://keys.example/set" };

clientTest(
  "get allows the origin of jwks_uri in addition to allowedOrigins",
  [{ expect: { url: "https://keys.example/set" }, respond: json({}) }],
  async ({ client }) => {
    await client.get("https://keys.example/set");
    await assertRejects(
      () => client.get("https://other.example/set"),
      TypeError,
      "not in allowedOrigins",
    );
  },
  { allowedOrigins: [SITE], metadata: METADATA },
);

clientTest("get refuses plain http", [], async ({ client }) => {
  await assertRejects(
    () => client.get("http://api.example.com/keys"),
    TypeError,
    "must be https",
  );
});

clientTest(
  "issuer returns the option, or the issuer of the metadata",
  [],
  ({ client }) => {
    assertEquals(client.issuer, SITE);
    assertEquals(client.metadata, METADATA);
  },
  { metadata: METADATA },
);

const OTHER = "https://other.example";

const allowedOrigins = ["https://resource.example"];

/** Targets of `post` with the URLs of the requests. */
const TARGETS: readonly (readonly [
  source: string,
  target: string,
  url: string,
  options: Setting,
])[] = [
  ["allowedOrigins", "https://resource.example/a", "", {}],
  ["site", "introspect", `${SITE}/introspect`, {}],
  ["site", `${SITE}/introspect`, "", {}],
  ["site, with empty allowedOrigins", "introspect", `${SITE}/introspect`, {
    allowedOrigins: [],
  }],
  ["tokenUrl", `${OTHER}/introspect`, "", { tokenUrl: `${OTHER}/token` }],
  ["a tokenUrl object", `${OTHER}/introspect`, "", {
    tokenUrl: new URL(`${OTHER}/token`),
  }],
  ["revokeUrl", `${OTHER}/introspect`, "", { revokeUrl: `${OTHER}/revoke` }],
  ["authorizeUrl", `${OTHER}/par`, "", { authorizeUrl: `${OTHER}/auth` }],
  ["the metadata", `${OTHER}/introspect`, "", {
    metadata: { issuer: SITE, introspection_endpoint: `${OTHER}/introspect` },
  }],
  ["the metadata, to another endpoint", `${OTHER}/par`, "", {
    metadata: { issuer: SITE, introspection_endpoint: `${OTHER}/introspect` },
  }],
  ["an alias of the metadata", `${SITE}/introspect`, `${OTHER}/introspect`, {
    authScheme: "tls_client_auth",
    metadata: {
      issuer: SITE,
      introspection_endpoint: `${SITE}/introspect`,
      mtls_endpoint_aliases: { introspection_endpoint: `${OTHER}/introspect` },
    },
  }],
  [
    "site, with all endpoints elsewhere",
    "introspect",
    `${SITE}/introspect`,
    {
      tokenUrl: `${OTHER}/token`,
      authorizeUrl: `${OTHER}/auth`,
      revokeUrl: `${OTHER}/revoke`,
    },
  ],
  ["tokenUrl, with other endpoints null", `${OTHER}/introspect`, "", {
    tokenUrl: `${OTHER}/token`,
    authorizeUrl: null,
    revokeUrl: null,
  }],
];

for (const [source, target, url, options] of TARGETS) {
  clientTest(
    `post with allowedOrigins sends to ${target}, an origin of ${source}`,
    [onToken(json({}), { url: url || target })],
    ({ client }) => client.post(target, { token: "monkey" }),
    { allowedOrigins, ...options },
  );
}

for (const target of [`${OTHER}/introspect`, new URL(`${OTHER}/introspect`)]) {
  clientTest(
    `post without allowedOrigins sends to any origin, given as ${typeof target}`,
    [onToken(json({}), { url: `${OTHER}/introspect` })],
    ({ client }) => client.post(target, { token: "monkey" }),
  );
}

clientTest(
  "post with allowedOrigins sends to a site that is set later",
  [onToken(json({}), { url: `${OTHER}/introspect` })],
  async ({ client }) => {
    client.site = OTHER;
    await client.post("introspect");
  },
  { allowedOrigins },
);

const REFUSED: Readonly<Record<string, Setting>> = {
  [`${OTHER}/introspect`]: {},
  [`${SITE}.attacker.example/introspect`]: {},
  [`${SITE}:8443/introspect`]: {},
  "https://www.resource.example/": {},
  [`${OTHER}/userinfo`]: {
    metadata: { issuer: SITE, introspection_endpoint: `${SITE}/introspect` },
    tokenUrl: `${SITE}/token`,
    revokeUrl: null,
  },
  "https://docs.example/introspect": {
    metadata: {
      issuer: SITE,
      token_endpoint: `${SITE}/token`,
      service_documentation: "https://docs.example/",
      op_policy_uri: "https://docs.example/policy",
    },
  },
};

for (const [target, options] of Object.entries(REFUSED)) {
  clientTest(
    `post with allowedOrigins refuses ${target} and sends nothing`,
    [],
    async ({ client }) => {
      for (
        const endpoint of [`${target}?a=monkey123`, new URL(target)]
      ) {
        const { message } = await assertRejects(
          () => client.post(endpoint, { token: "monkey123" }),
          TypeError,
        ) as Error;
        assert(message.includes(new URL(target).origin), message);
        assert(!message.includes("monkey123"), message);
      }
    },
    { allowedOrigins, ...options },
  );
}

for (const origin of ["api.example", "localhost:8080", "/api", "*", ""]) {
  Deno.test(`Client refuses the allowed origin "${origin}"`, () => {
    for (const origins of [[origin], [SITE, origin]]) {
      const options: ClientOptions = { site: SITE, allowedOrigins: origins };
      const { message } = assertThrows(
        () => createClient(options),
        TypeError,
      ) as Error;
      assert(message.startsWith("Cannot use "), message);
      assert(message.includes(`"${origin}"`), message);
    }
  });
}
