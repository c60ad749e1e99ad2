import { assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  OAuth2Error,
} from "../../../oauth2/mod.ts";
import { type Quirks, withQuirks } from "../../../oauth2/providers/quirks.ts";
import { SITE } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";
import { type Answer, fakeFetch } from "../_fake_fetch.ts";

function typed(body: string, type: string, status = 200): Answer {
  return { status, headers: { "content-type": type }, body };
}

function createClient(quirks: Quirks, options: ClientOptions = {}) {
  return new Client(
    "abc",
    "hush",
    withQuirks(quirks, { site: SITE, ...options }),
  );
}

/** Requests a token that a server answers so. */
async function tokenOf(quirks: Quirks, respond: Answer) {
  const fetch = fakeFetch([onToken(respond)]);
  const token = await createClient(quirks, { fetch }).clientCredentials
    .getToken();
  fetch.assertDone();
  return {
    token: token.token,
    expiresIn: token.expiresIn,
    scope: token.params.scope,
  };
}

const TOKEN = { access_token: "m", expires_in: 60 };
const TEXT: Quirks = { textResponses: true };
const MESSAGE: Quirks = {
  error: { code: "error.type", description: "error.message" },
};

for (
  const [name, quirks, respond, scope] of [
    ["JSON as text/plain", TEXT, typed(JSON.stringify(TOKEN), "text/plain")],
    ["JSON as text/html", TEXT, typed(JSON.stringify(TOKEN), "text/html")],
    [
      "JSON as text/javascript",
      TEXT,
      typed(JSON.stringify(TOKEN), "text/javascript; charset=UTF-8"),
    ],
    [
      "a form as text/plain",
      TEXT,
      typed("access_token=m&expires_in=60", "text/plain"),
    ],
    [
      "a form with a line break",
      TEXT,
      typed("access_token=m&expires_in=60\r\n", "text/plain"),
    ],
    [
      "a nested token",
      { tokenPath: "data.token" },
      json({
        data: { token: TOKEN },
      }),
    ],
    [
      "another field",
      { fieldNames: { validFor: "expires_in" } },
      json({
        access_token: "m",
        validFor: 60,
      }),
    ],
    [
      "another field beside the registered one",
      { fieldNames: { validFor: "expires_in" } },
      json({ ...TOKEN, validFor: 7 }),
    ],
    [
      "another type",
      { tokenTypes: ["Bot"] },
      json({
        ...TOKEN,
        token_type: "bot",
      }),
    ],
    [
      "a list of scopes",
      { responseScopes: "list" },
      json({ ...TOKEN, scope: ["a", "b"] }),
      "a b",
    ],
    [
      "scopes with commas",
      { responseScopes: "," },
      json({ ...TOKEN, scope: "a, b" }),
      "a b",
    ],
    [
      "scopes that are no list",
      { responseScopes: "list" },
      json({ ...TOKEN, scope: "a b" }),
      "a b",
    ],
  ] as [string, Quirks, Answer, string?][]
) {
  Deno.test(`withQuirks reads a token response with ${name}`, async () => {
    assertEquals(await tokenOf(quirks, respond), {
      token: "m",
      expiresIn: 60,
      scope,
    });
  });
}

for (
  const [name, quirks, respond] of [
    ["JSON as text/plain", {}, typed(JSON.stringify(TOKEN), "text/plain")],
    ["a nested token", {}, json({ data: { token: TOKEN } })],
    ["another type", {}, json({ ...TOKEN, token_type: "bot" })],
    ["HTML", TEXT, typed("<p>access_token=m</p>", "text/html")],
    ["prose", TEXT, typed("access_token = m", "text/plain")],
    ["no token at the path", { tokenPath: "data" }, json(TOKEN)],
    ["text at the path", { tokenPath: "data" }, json({ data: "m" })],
    [
      "a path through the prototype",
      { tokenPath: "constructor.name" },
      json(
        TOKEN,
      ),
    ],
  ] as [string, Quirks, Answer][]
) {
  Deno.test(`withQuirks refuses a token response with ${name}`, async () => {
    await assertRejects(() => tokenOf(quirks, respond), OAuth2Error);
  });
}

for (
  const [name, quirks, respond, code, description] of [
    [
      "an error object",
      MESSAGE,
      json({ error: { type: "OAuthException", message: "no" } }, 400),
      "OAuthException",
      "no",
    ],
    [
      "an error object with status 200 and a token",
      MESSAGE,
      json({ ...TOKEN, error: { type: "OAuthException" } }),
      "OAuthException",
      undefined,
    ],
    [
      "a number",
      { error: { code: "status" } },
      json({ status: 503 }),
      "503",
      undefined,
    ],
    [
      "a registered code for its own",
      { error: { code: "message", codes: { "Bad token": "invalid_grant" } } },
      json({ message: "Bad token" }, 400),
      "invalid_grant",
      undefined,
    ],
    [
      "the error of the specifications",
      MESSAGE,
      json({ error: "invalid_grant", error_description: "no" }, 400),
      "invalid_grant",
      "no",
    ],
    [
      "an error in a form as text",
      TEXT,
      typed("error=invalid_grant&error_description=no", "text/plain"),
      "invalid_grant",
      "no",
    ],
  ] as [string, Quirks, Answer, string, string | undefined][]
) {
  Deno.test(`withQuirks throws ${name}`, async () => {
    const error = await assertRejects(
      () => tokenOf(quirks, respond),
      OAuth2Error,
    );
    assertEquals(error.code, code);
    assertEquals(error.description, description);
  });
}

Deno.test("withQuirks renames parameters and separates scopes", async () => {
  const fetch = fakeFetch([
    onToken(json(TOKEN), {
      headers: { "x-app": "notes", authorization: null },
      body: {
        form: {
          grant_type: "client_credentials",
          scope: "a,b",
          client_key: "abc",
          client_secret: "hush",
        },
      },
    }),
    {
      expect: {
        url: `${SITE}/oauth/revoke`,
        body: {
          form: { token: "m", client_key: "abc", client_secret: "hush" },
        },
      },
      respond: { status: 200 },
    },
  ]);
  const client = createClient({
    parameterNames: { client_id: "client_key" },
    scopeSeparator: ",",
    headers: { "x-app": "notes" },
  }, { fetch, authScheme: "request_body" });
  const token = await client.clientCredentials.getToken({ scope: ["a", "b"] });
  await client.revokeToken(token.token);
  fetch.assertDone();
});

Deno.test("withQuirks changes the query of token requests with GET", async () => {
  const fetch = fakeFetch([{
    expect: {
      method: "GET",
      url: `${SITE}/oauth/token`,
      query: { grant_type: "client_credentials", scope: "a,b" },
    },
    respond: json(TOKEN),
  }]);
  const client = createClient({ scopeSeparator: "," }, {
    fetch,
    tokenMethod: "get",
  });
  await client.clientCredentials.getToken({ scope: "a b" });
  fetch.assertDone();
});

Deno.test("withQuirks leaves requests to resource servers as they are", async () => {
  const body = '{"error":{"type":"X"},"validFor":1}';
  const fetch = fakeFetch([{
    expect: {
      url: `${SITE}/me`,
      headers: { "x-quirk": null },
      body: { form: { client_id: "abc", scope: "a b" } },
    },
    respond: typed(body, "text/plain"),
  }, {
    expect: { url: `${SITE}/me` },
    respond: typed(body, "application/json"),
  }]);
  const client = createClient({
    ...TEXT,
    ...MESSAGE,
    fieldNames: { validFor: "expires_in" },
    parameterNames: { client_id: "client_key" },
    scopeSeparator: ",",
    headers: { "x-quirk": "1" },
  }, { fetch });
  const text = await client.request("post", "/me", {
    body: { client_id: "abc", scope: "a b" },
  });
  assertEquals(text.parsed, body);
  const { parsed } = await client.request("get", "/me");
  assertEquals(parsed, { error: { type: "X" }, validFor: 1 });
  fetch.assertDone();
});

Deno.test("withQuirks encodes the secret as it is with secretEncoding: raw", async () => {
  const fetch = fakeFetch([
    onToken(json(TOKEN), {
      headers: { authorization: `Basic ${btoa("abc:a+b/c")}` },
    }),
  ]);
  const client = new Client(
    "abc",
    "a+b/c",
    withQuirks({ secretEncoding: "raw" }, { site: SITE, fetch }),
  );
  await client.clientCredentials.getToken();
  fetch.assertDone();
});

Deno.test("withQuirks hands the nested token to extractAccessToken of the caller", async () => {
  const fetch = fakeFetch([onToken(json({ a: { b: TOKEN } }))]);
  const client = createClient({ tokenPath: "a" }, {
    fetch,
    extractAccessToken: ({ b }) => b as Record<string, unknown>,
  });
  assertEquals((await client.clientCredentials.getToken()).token, "m");
});

Deno.test("withQuirks needs no site with an absolute tokenUrl", async () => {
  const fetch = fakeFetch([onToken(json({ a: TOKEN }))]);
  const client = new Client(
    "abc",
    "hush",
    withQuirks({ tokenPath: "a" }, {
      tokenUrl: `${SITE}/oauth/token`,
      fetch,
    }),
  );
  assertEquals((await client.clientCredentials.getToken()).token, "m");
});

Deno.test("withQuirks changes names and scopes of authorization requests only", () => {
  const client = createClient({
    parameterNames: { client_id: "client_key" },
    scopeSeparator: ",",
  }, { authorizeUrl: "https://a.example/auth" });
  assertEquals(
    client.authCode.authorizeUrl({
      client_id: "x y",
      scope: "a b",
      state: "+&",
      resource: ["1", "2"],
    }),
    "https://a.example/auth?client_key=x%20y&resource=1&resource=2&response_type=code&scope=a%2Cb&state=%2B%26",
  );
});

Deno.test("withQuirks gives the client its issuerTemplate, which options override", () => {
  const quirks = { issuerTemplate: `${SITE}/{tenantid}` };
  assertEquals(createClient(quirks).issuerTemplate, quirks.issuerTemplate);
  const issuerTemplate = `${SITE}/{tenantid}/v2`;
  const client = createClient(quirks, { issuerTemplate });
  assertEquals(client.issuerTemplate, issuerTemplate);
});
