import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { AccessToken, Client } from "../../oauth2/mod.ts";
import { show } from "./print.ts";
import {
  asked,
  CLAIMS,
  clientTest,
  json,
  JWT_KEY,
  NOW,
  oauth2Error,
  redirect,
  sentForm,
  SITE,
  visited,
} from "./testing.ts";

for (
  const name of [
    "client_secret",
    "clientSecret",
    "Client-Secret",
    "client_assertion",
    "code_verifier",
    "codeVerifier",
  ]
) {
  clientTest(`authorizeUrl refuses ${name}`, [], ({ client }) => {
    const params = { [name]: "hush-hush" };
    for (const owner of [client, client.authCode, client.implicit]) {
      const error = assertThrows(() => owner.authorizeUrl(params), TypeError);
      assertEquals(
        (error as Error).message,
        `${name} is not allowed in authorize URL query params`,
      );
    }
  });
}

clientTest(
  "authCode.authorizeUrl keeps what it is given undefined for",
  [],
  ({ client }) => {
    const params = { client_id: undefined, response_type: null };
    const { searchParams } = new URL(client.authCode.authorizeUrl(params));
    assertEquals([...searchParams].sort(), [
      ["client_id", "abc"],
      ["response_type", "code"],
    ]);
  },
);

clientTest(
  "getToken never sends the options of a call",
  [sentForm({ a: "b" })],
  ({ client }) =>
    client.getToken({
      a: "b",
      headers: {},
      parse: "json",
      untyped: (body) => JSON.parse(body),
      snaky: true,
      snakyHashClass: {
        load: (fields) => fields,
        dump: (fields: Record<string, unknown>) => fields,
      },
      tokenMethod: "post",
      raiseErrors: true,
      signal: new AbortController().signal,
      timeout: 5000,
    }),
);

clientTest(
  "getToken leaves its own answer at the token",
  [
    asked(json({ access_token: "monkey" })),
    asked(json({ access_token: "ape" })),
  ],
  async ({ client }) => {
    const { response } = await client.getToken();
    const token = await client.getToken({}, { response });
    assertEquals(token.response?.parsed, { access_token: "ape" });
    assertEquals(token.params, {});
  },
);

clientTest(
  "revokeToken takes the hint from the parameters too",
  [{
    expect: {
      url: `${SITE}/oauth/revoke`,
      body: { form: { token: "m", token_type_hint: "refresh_token" } },
    },
    respond: { status: 200 },
  }],
  ({ client }) =>
    client.revokeToken("m", undefined, { token_type_hint: "refresh_token" }),
);

clientTest(
  "a grant sends what it is called with, whatever its parameters say",
  [
    sentForm({ grant_type: "authorization_code", code: "sushi" }),
    sentForm({ grant_type: "password", username: "ana", password: "hunter2" }),
    sentForm({ grant_type: "refresh_token", refresh_token: "r" }),
  ],
  async ({ client }) => {
    const params = {
      grant_type: "mine",
      code: "mine",
      username: "mine",
      password: "mine",
      refresh_token: "mine",
    };
    const { code, username, password, refresh_token, grant_type } = params;
    await client.authCode.getToken("sushi", { grant_type, code });
    await client.password.getToken("ana", "hunter2", { username, password });
    await AccessToken.fromHash(client, {
      access_token: "m",
      refresh_token: "r",
    })
      .refresh({ refresh_token });
  },
);

for (
  const [what, encoding, id] of [
    ["the client has no id", { algorithm: "HS256" }, undefined],
    ["neither JWT can be signed", { algorithm: "HS256" }, "abc"],
    ["the client cannot be authenticated", JWT_KEY, "abc"],
  ] as const
) {
  Deno.test(`assertion.getToken leaves no rejection unhandled when ${what}`, async () => {
    const assertionKey = { algorithm: "ES256", key: "not a key" };
    const client = new Client(id, "hush-hush", { site: SITE, assertionKey });
    await assertRejects(
      () => client.assertion.getToken(CLAIMS, encoding as typeof JWT_KEY),
      TypeError,
    );
    // A rejection without a handler is reported by then.
    await new Promise((done) => setTimeout(done, 0));
  });
}

clientTest(
  "assertion.getToken signs the claims as they are, and none besides",
  [asked(json({ access_token: "m" }))],
  async ({ client, fetch }) => {
    const params = { assertion: "mine" };
    await client.assertion.getToken(CLAIMS, JWT_KEY, params);
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    const [, claims = ""] = fields.get("assertion")!.split(".");
    assertEquals(JSON.parse(atob(claims)), CLAIMS);
  },
);

for (const origin of [SITE, `${SITE}/`, `${SITE}:443/path?query`]) {
  clientTest(
    `allowedOrigins takes ${origin} for an origin`,
    [visited({ status: 204 })],
    ({ client }) => client.request("get", "/from"),
    { allowedOrigins: [origin] },
  );
}

clientTest(
  "allowedOrigins holds for redirects too",
  [visited(redirect("https://other.example/to"))],
  async ({ client }) => {
    const error = await oauth2Error(client.request("get", "/from"));
    assert(error.message.includes("not allowed"), error.message);
  },
  { allowedOrigins: [SITE], allowCrossOriginRedirects: true },
);

clientTest(
  "allowedOrigins lets redirects lead where it says",
  [
    visited(redirect("https://other.example/to")),
    { expect: { url: "https://other.example/to" }, respond: { status: 204 } },
  ],
  ({ client }) => client.request("get", "/from"),
  {
    allowedOrigins: [SITE, "https://other.example"],
    allowCrossOriginRedirects: true,
  },
);

clientTest(
  "retryAfter of a refused redirect counts from the clock of the client",
  [visited({
    status: 302,
    headers: {
      location: "https://other.example/",
      "retry-after": "Tue, 14 Nov 2023 22:13:50 GMT",
    },
  })],
  async ({ client }) => {
    const error = await oauth2Error(client.request("get", "/from"));
    assertEquals(error.retryAfter, 30);
  },
  { clock: () => NOW * 1000 },
);

const MEBIBYTE = new Uint8Array(1024 * 1024);
for (const [mebibytes, fine] of [[2, true], [65, false]] as const) {
  let left: number = mebibytes;
  const body = new ReadableStream({
    pull: (controller) => {
      if (left-- > 0) controller.enqueue(MEBIBYTE);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  clientTest(
    `request ${fine ? "reads" : "refuses"} a body of ${mebibytes} MiB`,
    [visited(new Response(body))],
    async ({ client }) => {
      const sent = client.request("get", "/from");
      if (fine) {
        assertEquals((await sent).bytes.length, mebibytes * MEBIBYTE.length);
      } else {
        assertEquals((await oauth2Error(sent)).status, 200);
      }
    },
  );
}

for (const verb of ["get", "head", "GET"]) {
  clientTest(
    `request sends no body with ${verb}, and nothing else`,
    [],
    async ({ client }) => {
      await assertRejects(
        () => client.request(verb, "/from", { body: "a" }),
        TypeError,
        "Cannot send a body",
      );
    },
  );
}

clientTest(
  "request sends a list as JSON if the headers say so",
  [visited({ status: 204 }, { method: "POST", body: { json: [1, "b"] } })],
  ({ client }) =>
    client.request("post", "/from", {
      body: [1, "b"],
      headers: { "content-type": "application/json" },
    }),
);

Deno.test("a client goes by the time of the machine", () => {
  const before = Date.now();
  const now = new Client().now();
  assert(before <= now && now <= Date.now(), String(now));
});

Deno.test("console.log of a client shows its id and the label", () => {
  const shown = show(new Client("abc", "hush-hush"));
  assertEquals(
    shown.replaceAll("'", '"'),
    'Client { id: "abc", secret: "[FILTERED]" }',
  );
});
