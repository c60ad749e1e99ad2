import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, NOW, oauth2Error, SITE } from "../_client.ts";
import {
  json,
  onResource,
  onToken,
  onTokenForm,
  redirect,
} from "../_exchanges.ts";
import type { Expected } from "../_fake_fetch.ts";
import { CLAIMS, claimsOf, HS256_KEY } from "../_jwt.ts";
import { show } from "../_print.ts";
import { settle } from "../_settle.ts";

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
  "authCode.authorizeUrl ignores undefined and null parameters",
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
  "getToken does not send the options of the call",
  [onTokenForm({ a: "b" })],
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
  "getToken ignores a response among the token options",
  [
    onToken(json({ access_token: "monkey" })),
    onToken(json({ access_token: "ape" })),
  ],
  async ({ client }) => {
    const { response } = await client.getToken();
    const token = await client.getToken({}, { response });
    assertEquals(token.response?.parsed, { access_token: "ape" });
    assertEquals(token.params, {});
  },
);

clientTest(
  "revokeToken reads token_type_hint from the parameters",
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
  "grants ignore parameters that their arguments define",
  [
    onTokenForm({ grant_type: "authorization_code", code: "sushi" }),
    onTokenForm({
      grant_type: "password",
      username: "ana",
      password: "hunter2",
    }),
    onTokenForm({ grant_type: "refresh_token", refresh_token: "abaca" }),
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
    await tokenOf(client).refresh({ grant_type, refresh_token });
  },
);

for (
  const [reason, encoding, id] of [
    ["the client has no id", { algorithm: "HS256" }, undefined],
    ["neither JWT can be signed", { algorithm: "HS256" }, "abc"],
    ["the client cannot be authenticated", HS256_KEY, "abc"],
  ] as const
) {
  Deno.test(`assertion.getToken leaves no unhandled rejection if ${reason}`, async () => {
    const assertionKey = { algorithm: "ES256", key: "not a key" };
    const client = new Client(id, "hush-hush", { site: SITE, assertionKey });
    await assertRejects(
      () => client.assertion.getToken(CLAIMS, encoding as typeof HS256_KEY),
      TypeError,
    );
    await settle();
  });
}

clientTest(
  "assertion.getToken signs exactly the given claims",
  [onToken(json({ access_token: "m" }))],
  async ({ client, fetch }) => {
    const params = { assertion: "mine" };
    await client.assertion.getToken(CLAIMS, HS256_KEY, params);
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(claimsOf(fields.get("assertion")!), CLAIMS);
  },
);

for (const origin of [SITE, `${SITE}/`, `${SITE}:443/path?query`]) {
  clientTest(
    `allowedOrigins accepts ${origin}`,
    [onResource({ status: 204 })],
    ({ client }) => client.request("get", "/from"),
    { allowedOrigins: [origin] },
  );
}

clientTest(
  "allowedOrigins refuses redirects to other origins",
  [onResource(redirect("https://other.example/to"))],
  async ({ client }) => {
    const error = await oauth2Error(client.request("get", "/from"));
    assert(error.message.includes("not in allowedOrigins"), error.message);
  },
  { allowedOrigins: [SITE], allowCrossOriginRedirects: true },
);

clientTest(
  "allowedOrigins allows redirects to its origins",
  [
    onResource(redirect("https://other.example/to")),
    { expect: { url: "https://other.example/to" }, respond: { status: 204 } },
  ],
  ({ client }) => client.request("get", "/from"),
  {
    allowedOrigins: [SITE, "https://other.example"],
    allowCrossOriginRedirects: true,
  },
);

clientTest(
  "retryAfter of a refused redirect uses the clock of the client",
  [onResource({
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

for (const [mebibytes, isRead] of [[2, true], [65, false]] as const) {
  let left: number = mebibytes;
  const body = new ReadableStream({
    pull: (controller) => {
      if (left-- > 0) controller.enqueue(MEBIBYTE);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  clientTest(
    `request ${isRead ? "reads" : "refuses"} a body of ${mebibytes} MiB`,
    [onResource(new Response(body))],
    async ({ client }) => {
      const sent = client.request("get", "/from");
      if (isRead) {
        assertEquals((await sent).bytes.length, mebibytes * MEBIBYTE.length);
      } else {
        assertEquals((await oauth2Error(sent)).status, 200);
      }
    },
  );
}

for (const verb of ["get", "head", "GET"]) {
  clientTest(
    `request refuses a body with ${verb} and sends nothing`,
    [],
    async ({ client }) => {
      await assertRejects(
        () => client.request(verb, "/from", { body: "a" }),
        TypeError,
        "Cannot send the body: the method is ",
      );
    },
  );
}

clientTest(
  "request sends a list as JSON with a JSON content type",
  [onResource({ status: 204 }, { method: "POST", body: { json: [1, "b"] } })],
  ({ client }) =>
    client.request("post", "/from", {
      body: [1, "b"],
      headers: { "content-type": "application/json" },
    }),
);

Deno.test("Client uses the system clock by default", () => {
  const before = Date.now();
  const now = new Client().now();
  assert(before <= now && now <= Date.now(), String(now));
});

Deno.test("console.log of a Client shows its id and the label", () => {
  const shown = show(new Client("abc", "hush-hush"));
  assertEquals(
    shown.replaceAll("'", '"'),
    'Client { id: "abc", secret: "[FILTERED]" }',
  );
});

for (const verb of ["connect", "TRACE", "Track", "", "a b", "get\r\n", "é"]) {
  clientTest(
    `request refuses the method ${JSON.stringify(verb)} and sends nothing`,
    [],
    async ({ client }) => {
      for (const options of [{}, { body: "a" }]) {
        await assertRejects(
          () => client.request(verb, "/from", options),
          TypeError,
        );
        await assertRejects(
          () => tokenOf(client).request(verb, "/from", options),
          TypeError,
        );
      }
    },
  );
}

for (
  const [verb, method] of [
    ["options", "OPTIONS"],
    ["Purge", "PURGE"],
    ["propfind", "PROPFIND"],
  ] as const
) {
  clientTest(
    `request sends the method ${verb} in upper case`,
    [onResource({ status: 204 }, { method } satisfies Expected)],
    ({ client }) => client.request(verb, "/from"),
  );
}
