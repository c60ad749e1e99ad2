import { assert, assertEquals, assertRejects } from "@std/assert";
import { discover } from "../../oauth2/discover.ts";
import { ConnectionError, OAuth2Error } from "../../oauth2/mod.ts";
import { fakeFetch } from "./fake_fetch.ts";
import { print } from "./print.ts";
import { json, oauth2Error, redirect } from "./testing.ts";

const ISSUER = "https://x.example/main";
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
};
const OPEN_ID = `${ISSUER}/.well-known/openid-configuration`;
const OAUTH = "https://x.example/.well-known/oauth-authorization-server/main";

Deno.test("discover gives options for a client", async () => {
  const metadata = {
    ...METADATA,
    revocation_endpoint: "https://other.example/revoke?a=1",
    camelCase: { kept: true },
  };
  const fetch = fakeFetch([{
    expect: {
      method: "GET",
      url: OPEN_ID,
      headers: { accept: "application/json", "x-a": "1", authorization: null },
      body: null,
    },
    respond: json(metadata),
  }]);
  assertEquals(await discover(ISSUER, { fetch, headers: { "X-A": "1" } }), {
    issuer: ISSUER,
    site: ISSUER,
    authorizeUrl: `${ISSUER}/auth`,
    tokenUrl: `${ISSUER}/token`,
    revokeUrl: "https://other.example/revoke?a=1",
    authScheme: "basic_auth",
    metadata,
  });
  fetch.assertDone();
});

for (
  const [issuer, openId, oauth] of [
    [ISSUER, OPEN_ID, OAUTH],
    [
      "https://x.example",
      "https://x.example/.well-known/openid-configuration",
      "https://x.example/.well-known/oauth-authorization-server",
    ],
    [
      "https://x.example/a/b/",
      "https://x.example/a/b/.well-known/openid-configuration",
      "https://x.example/.well-known/oauth-authorization-server/a/b",
    ],
    [
      "http://localhost:8080/",
      "http://localhost:8080/.well-known/openid-configuration",
      "http://localhost:8080/.well-known/oauth-authorization-server",
    ],
  ] as const
) {
  Deno.test(`discover falls back on RFC 8414 after a 404 of ${issuer}`, async () => {
    const fetch = fakeFetch([
      { expect: { url: openId }, respond: { status: 404, body: "{" } },
      { expect: { url: oauth }, respond: json({ ...METADATA, issuer }) },
    ]);
    assertEquals((await discover(issuer, { fetch })).issuer, issuer);
    fetch.assertDone();
  });
}

Deno.test("discover fails where there is neither document", async () => {
  const missing = { respond: { status: 404 } };
  const fetch = fakeFetch([missing, missing]);
  assertEquals((await oauth2Error(discover(ISSUER, { fetch }))).status, 404);
  fetch.assertDone();
});

Deno.test("discover follows no redirect of the second document", async () => {
  const fetch = fakeFetch([
    { respond: { status: 404 } },
    { respond: redirect("https://attacker.example/") },
  ]);
  assertEquals((await oauth2Error(discover(ISSUER, { fetch }))).status, 302);
  fetch.assertDone();
});

for (const status of [201, 401, 403, 410, 500, 503]) {
  Deno.test(`discover asks but once after a ${status}`, async () => {
    const fetch = fakeFetch([{ respond: json(METADATA, status) }]);
    const outcome = await discover(ISSUER, { fetch }).catch((error) => error);
    assertEquals(outcome instanceof OAuth2Error, status >= 400);
    fetch.assertDone();
  });
}

for (
  const [what, change] of [
    ["another issuer", { issuer: "https://attacker.example" }],
    ["an issuer with a slash more", { issuer: `${ISSUER}/` }],
    ["an issuer in capitals", { issuer: ISSUER.toUpperCase() }],
    ["no issuer", { issuer: undefined }],
    ["an issuer that is a list", { issuer: [ISSUER] }],
    ["an http token_endpoint", { token_endpoint: "http://x.example/token" }],
    ["a relative token_endpoint", { token_endpoint: "/token" }],
    ["no token_endpoint", { token_endpoint: undefined }],
    ["token_endpoint null", { token_endpoint: null }],
    ["token_endpoint 5", { token_endpoint: 5 }],
    ["token_endpoint that is a list", { token_endpoint: [`${ISSUER}/token`] }],
    ["an http authorization_endpoint", {
      authorization_endpoint: "http://x.example/",
    }],
    ["a javascript: authorization_endpoint", {
      authorization_endpoint: "javascript:alert(1)",
    }],
    ["authorization_endpoint {}", { authorization_endpoint: {} }],
    ['authorization_endpoint ""', { authorization_endpoint: "" }],
    ["an ftp revocation_endpoint", { revocation_endpoint: "ftp://x.example/" }],
    ["revocation_endpoint false", { revocation_endpoint: false }],
  ] as [string, Record<string, unknown>][]
) {
  Deno.test(`discover refuses ${what}`, async () => {
    const respond = json({ ...METADATA, ...change });
    const fetch = fakeFetch([{ respond }]);
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, 200);
    assert(error.message.startsWith("Cannot discover the issuer: its "));
    fetch.assertDone();
  });
}

for (
  const [what, body] of [
    ["a list", "[]"],
    ["text", '"text"'],
    ["null", "null"],
    ["a page", "<p>"],
    ["nothing", ""],
    [
      "an issuer by way of __proto__",
      JSON.stringify({ x: METADATA })
        .replace('"x"', '"__proto__"'),
    ],
    ["1 MiB and more", JSON.stringify(METADATA).padEnd(1024 * 1024 + 1)],
  ] as const
) {
  Deno.test(`discover refuses a document that is ${what}`, async () => {
    const fetch = fakeFetch([{ respond: { status: 200, body } }]);
    const error = await oauth2Error(discover(ISSUER, { fetch }));
    assertEquals(error.status, 200);
    fetch.assertDone();
  });
}

for (
  const [methods, scheme] of [
    [undefined, "basic_auth"],
    [null, "basic_auth"],
    [[], "basic_auth"],
    [["none"], "basic_auth"],
    [["client_secret_post", "client_secret_basic"], "basic_auth"],
    [["none", "client_secret_post"], "request_body"],
    [["client_secret_jwt", "private_key_jwt"], "private_key_jwt"],
    [["tls_client_auth"], "tls_client_auth"],
    [["self_signed_tls_client_auth"], "tls_client_auth"],
    [["private_key_jwt", "tls_client_auth"], "private_key_jwt"],
    [["client_secret_post_x"], "basic_auth"],
    [5, "basic_auth"],
    [{}, "basic_auth"],
    [true, "basic_auth"],
    ["my_private_key_jwt_method", "basic_auth"],
  ] as const
) {
  Deno.test(`discover picks ${scheme} from ${JSON.stringify(methods)}`, async () => {
    const respond = json({
      ...METADATA,
      token_endpoint_auth_methods_supported: methods,
    });
    const fetch = fakeFetch([{ respond }]);
    assertEquals((await discover(ISSUER, { fetch })).authScheme, scheme);
  });
}

for (
  const issuer of [
    "",
    "x.example",
    "/main",
    "http://x.example",
    "ftp://x.example",
    "https://x.example?a=hush",
    "https://x.example?",
    "https://x.example#hush",
    "https://ana:hush@x.example",
    "https://:hush@x.example",
    "javascript:hush",
  ]
) {
  Deno.test(`discover does not ask the issuer "${issuer}"`, async () => {
    const fetch = fakeFetch([]);
    const error = await assertRejects(
      () => discover(issuer, { fetch }),
      TypeError,
    );
    assert(!print(error).split("\n    at ")[0]!.includes("hush"));
    fetch.assertDone();
  });
}

Deno.test("discover takes plain http with allowInsecure, and says so", async () => {
  const issuer = "http://x.example";
  const metadata = { issuer, token_endpoint: `${issuer}/token` };
  const fetch = fakeFetch([{ respond: json(metadata) }]);
  assertEquals(await discover(issuer, { fetch, allowInsecure: true }), {
    issuer,
    site: issuer,
    tokenUrl: `${issuer}/token`,
    authScheme: "basic_auth",
    allowInsecure: true,
    metadata,
  });
});

Deno.test("discover reads a document that comes as text and begins with a mark", async () => {
  const body = `\uFEFF${JSON.stringify(METADATA)}`;
  const headers = { "content-type": "text/plain" };
  const fetch = fakeFetch([{ respond: { status: 200, headers, body } }]);
  assertEquals((await discover(ISSUER, { fetch })).issuer, ISSUER);
});

Deno.test("discover ends with the signal and with the timeout", async () => {
  const reason = new Error("enough");
  const hang = { respond: { hang: true } } as const;
  const aborted = await discover(ISSUER, {
    fetch: fakeFetch([]),
    signal: AbortSignal.abort(reason),
  }).catch((error) => error);
  assert(aborted === reason);
  await assertRejects(
    () => discover(ISSUER, { fetch: fakeFetch([hang]), timeout: 1 }),
    ConnectionError,
    "in 1 ms",
  );
});

for (
  const [how, respond] of [
    [
      "an error",
      json({ error: "hush-hush", error_description: "hush-hush" }, 401),
    ],
    ["another document", json({ error: "hush-hush", issuer: "hush-hush" })],
    ["a lost connection", { fail: "cannot send hush-hush" }],
  ] as const
) {
  Deno.test(`discover does not show its credentials after ${how}`, async () => {
    const headers = { Authorization: "Bearer hush-hush" };
    const fetch = fakeFetch([{ respond }]);
    const error = await discover(ISSUER, { fetch, headers })
      .catch((error) => error);
    assert(error instanceof Error);
    assert(!print(error).includes("hush-hush"), print(error));
  });
}
