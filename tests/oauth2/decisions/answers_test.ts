/** Responses that are parsed, and errors that are read from them. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  AccessToken,
  type Client,
  ConnectionError,
  OAuth2Response,
  type TokenConstructor,
  type TokenHash,
  type TokenOptions,
} from "../../../oauth2/mod.ts";
import { clientTest, oauth2Error } from "../_client.ts";
import { json, onResource, onToken, onTokenForm } from "../_exchanges.ts";

/** Class that never finds a token. */
class BlindToken extends AccessToken {
  static override fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: Client,
    _: TokenHash,
    options: TokenOptions,
  ): T {
    return new this(client, "", {}, options);
  }
}

const NO_TOKEN =
  "Cannot find a token in the response (POST https://api.example.com/oauth/token)";

for (
  const [type, body, parsed] of [
    ["application/json", '[{"aB":1},"x"]', [{ aB: 1 }, "x"]],
    ["application/json", '"text"', '"text"'],
    ["application/json", "42", "42"],
    ["application/json", "null", "null"],
    ["application/json", "", ""],
    ["application/json", "{", "{"],
    ["text/plain", "hello", "hello"],
    ["text/awesome", "hello", "hello"],
    ["text/json", '{"a":1}', { a: 1 }],
    ["application/foo+json", '{"a":1}', { a: 1 }],
    ["application/x.y+json; charset=utf-8", '{"a":1}', { a: 1 }],
    ["application/json", '\uFEFF{"a":1}', { a: 1 }],
    ["application/x-www-form-urlencoded", "a=1&a=2", { a: ["1", "2"] }],
    ["application/x-www-form-urlencoded", "userName=ana", { userName: "ana" }],
  ] as const
) {
  clientTest(
    `parsed of ${type} ${JSON.stringify(body)} is ${JSON.stringify(parsed)}`,
    [onResource({ status: 200, headers: { "content-type": type }, body })],
    async ({ client }) => {
      assertEquals((await client.request("get", "/from")).parsed, parsed);
    },
  );
}

Deno.test("parsed ignores a byte order mark in a string", () => {
  const headers = { "content-type": "application/json" };
  const response = new OAuth2Response({
    status: 200,
    headers,
    body: '\uFEFF{"a":1}',
  });
  assertEquals(response.parsed, { a: 1 });
});

clientTest(
  "parsed is the body if parse is false",
  [onResource(json({ a: 1 }))],
  async ({ client }) => {
    const response = await client.request("get", "/from", { parse: false });
    assertEquals(response.parsed, '{"a":1}');
  },
);

const snakyHashClass = {
  load: (fields: Record<string, unknown>) => new Map(Object.entries(fields)),
  dump: (map: Map<string, unknown>) => Object.fromEntries(map),
};

clientTest(
  "parsed is the result of snakyHashClass",
  [onResource(json({ userName: "ana" }))],
  async ({ client }) => {
    const options = { snakyHashClass };
    const { parsed } = await client.request("get", "/from", options);
    assertEquals(parsed, new Map([["user_name", "ana"]]));
  },
);

clientTest(
  "getToken reads the result of snakyHashClass",
  [onTokenForm({}, json({ accessToken: "monkey" }))],
  async ({ client }) => {
    const token = await client.getToken({ snakyHashClass });
    assertEquals(token.token, "monkey");
  },
);

for (
  const [fields, name] of [
    [{ access_token: "m", refresh_token: 5 }, "refresh_token"],
    [{ access_token: "m", refresh_token: ["r"] }, "refresh_token"],
    [{ accessToken: "m", refreshToken: {} }, "refresh_token"],
    [{ accessToken: "m", tokenType: "mac" }, "token_type"],
  ] as const
) {
  clientTest(
    `getToken with snaky false refuses ${JSON.stringify(fields)}`,
    [onToken(json(fields))],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken({ snaky: false }));
      assert(error.message.startsWith(`Cannot use the ${name}: `));
    },
  );
}

clientTest(
  "getToken throws if accessTokenClass finds no token",
  [onToken(json({ custom: "monkey" }))],
  async ({ client }) => {
    const error = await oauth2Error(client.getToken());
    assertEquals(error.message, NO_TOKEN);
  },
  { accessTokenClass: BlindToken },
);

clientTest(
  "getToken without raiseErrors returns an empty token if accessTokenClass finds none",
  [onToken(json({ custom: "monkey" }))],
  async ({ client }) => {
    const { token, response } = await client.getToken({ raiseErrors: false });
    assertEquals(token, "");
    assertEquals(
      response?.error?.message,
      NO_TOKEN,
    );
  },
  { accessTokenClass: BlindToken },
);

clientTest(
  "extractAccessToken is not called for text",
  [onToken({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: "hello",
  })],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
  { extractAccessToken: () => ({ access_token: "monkey" }) },
);

Deno.test("parsed calls the parser once", () => {
  let calls = 0;
  const response = new OAuth2Response({ status: 200, body: "a" }, {
    parse: () => ({ calls: ++calls }),
  });
  assertEquals([response.parsed, response.fields, calls], [
    { calls: 1 },
    { calls: 1 },
    1,
  ]);
});

Deno.test("toJSON of a response replaces the body by the label", () => {
  const headers = { "content-type": "text/plain; a=b", "x-a": "hush" };
  for (const [body, shown] of [["hush", "[FILTERED]"], ["", ""]] as const) {
    const response = new OAuth2Response({ status: 200, headers, body });
    assertEquals(JSON.parse(JSON.stringify(response)), {
      status: 200,
      contentType: "text/plain",
      body: shown,
    });
  }
});

for (const body of ['{"access_token":"monkey"}', "access_token=monkey"]) {
  clientTest(
    `getToken without a content type reads ${body}`,
    [onToken({ status: 200, body })],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, "monkey");
    },
  );
}

clientTest(
  "getToken without a content type throws on other text",
  [onToken({ status: 200, body: "monkey" })],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
);

for (const [status, code] of [[399], [400, "x"], [599, "x"]] as const) {
  clientTest(
    `request without raiseErrors returns ${
      code ? "an" : "no"
    } error for a ${status}`,
    [onResource(json({ error: "x" }, status))],
    async ({ client }) => {
      const response = await client.request("get", "/from");
      assertEquals(response.error?.code, code);
      assertEquals(response.error?.status, code && status);
      assertEquals(response.status, status);
    },
    { raiseErrors: false },
  );
}

clientTest(
  "raiseErrors of a call overrides that of the client",
  [onResource(json({}, 404)), onToken(json({}, 404))],
  async ({ client }) => {
    const options = { raiseErrors: true };
    const missing = oauth2Error(client.request("get", "/from", options));
    assertEquals((await missing).status, 404);
    assertEquals((await oauth2Error(client.getToken(options))).status, 404);
  },
  { raiseErrors: false },
);

clientTest(
  "raiseErrors false does not affect TypeError and ConnectionError",
  [
    onResource({ fail: "connect ECONNREFUSED" }),
    onToken({ fail: "ECONNRESET" }),
  ],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "monkey" });
    await assertRejects(() => token.refresh(), TypeError);
    await assertRejects(() => client.request("get", "/from"), ConnectionError);
    await assertRejects(() => client.getToken(), ConnectionError);
  },
  { raiseErrors: false },
);

for (
  const fields of [
    { error: { message: "no", type: "OAuthException", code: 190 } },
    { error: "x", error_description: 5 },
    { error: ["x"], error_description: { a: 1 } },
    { error: 5, error_uri: [] },
  ]
) {
  for (const status of [200, 400]) {
    clientTest(
      `OAuth2Error of a ${status} with ${
        JSON.stringify(fields)
      } reads only strings`,
      [onToken(json(fields, status))],
      async ({ client }) => {
        const error = await oauth2Error(client.getToken());
        const { code, description, uri } = error;
        const isText = typeof fields.error === "string";
        assertEquals(code, isText ? fields.error : undefined);
        assertEquals([description, uri], [undefined, undefined]);
        assert(!error.message.includes("[object"), error.message);
      },
    );
  }
}

const PAGES: Readonly<Record<string, string>> = {
  "a page": '<p><a href="/login?a=1&token=abc">Sign in</a></p>',
  "a page with a doctype": "<!doctype html>\n<html lang=en>\n" +
    '<a href="https://x.example/?a=1&access_token=abc&b=2">Sign in</a>\n</html>',
  "a page after spaces":
    ' \n\t<html><a href="?a=1&token=abc&refresh_token=r">x</a>',
  "a page after a byte order mark":
    '\uFEFF<html><a href="?a=1&token=abc">x</a>',
  "a page without = before the token": "<a href=/?&access_token=abc>",
};
for (const [kind, body] of Object.entries(PAGES)) {
  clientTest(
    `getToken without a content type finds no token in ${kind}`,
    [onToken({ status: 200, body }), onToken({ status: 200, body })],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken());
      assertMatch(
        error.message,
        /^Cannot (find a token in|parse) the response \(POST https:[^ ]+\)$/,
      );
      const { token } = await client.getToken({ raiseErrors: false });
      assertEquals(token, "");
    },
  );
}

const FORMS: Readonly<Record<string, [body: string, token: string]>> = {
  "a form": ["access_token=ape&token_type=bearer&expires_in=600", "ape"],
  "a form with escapes": ["scope=a+b%20c&access_token=a%3Cpe%3D%3D", "a<pe=="],
  "a form with = in a value": ["access_token=ape==&scope=", "ape=="],
  "a form with every character of a token": [
    "access_token=a-b._~%2Bc/d==",
    "a-b._~+c/d==",
  ],
};
for (const [kind, [body, token]] of Object.entries(FORMS)) {
  clientTest(
    `getToken without a content type reads ${kind}`,
    [onToken({ status: 200, body })],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, token);
    },
  );
}
