/** What is read from an answer, and what is taken for an error. */
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
import {
  asked,
  clientTest,
  json,
  oauth2Error,
  sentForm,
  visited,
} from "../testing.ts";

/** Looks for its token where there is none. */
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
    ["application/x-www-form-urlencoded", "userName=ana", { user_name: "ana" }],
  ] as const
) {
  clientTest(
    `parsed of ${type} ${JSON.stringify(body)} is ${JSON.stringify(parsed)}`,
    [visited({ status: 200, headers: { "content-type": type }, body })],
    async ({ client }) => {
      assertEquals((await client.request("get", "/from")).parsed, parsed);
    },
  );
}

Deno.test("parsed tolerates a byte order mark in a body that is text", () => {
  const headers = { "content-type": "application/json" };
  const response = new OAuth2Response({
    status: 200,
    headers,
    body: '\uFEFF{"a":1}',
  });
  assertEquals(response.parsed, { a: 1 });
});

clientTest(
  "parsed is the body when parse is false",
  [visited(json({ a: 1 }))],
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
  "parsed is made by snakyHashClass",
  [visited(json({ userName: "ana" }))],
  async ({ client }) => {
    const options = { snakyHashClass };
    const { parsed } = await client.request("get", "/from", options);
    assertEquals(parsed, new Map([["user_name", "ana"]]));
  },
);

clientTest(
  "getToken reads what snakyHashClass made",
  [sentForm({}, json({ accessToken: "monkey" }))],
  async ({ client }) => {
    const token = await client.getToken({ snakyHashClass });
    assertEquals(token.token, "monkey");
  },
);

for (
  const [fields, problem] of [
    [{ access_token: "m", refresh_token: 5 }, "refresh_token"],
    [{ access_token: "m", refresh_token: ["r"] }, "refresh_token"],
    [{ accessToken: "m", refreshToken: {} }, "refresh_token"],
    [{ accessToken: "m", tokenType: "mac" }, "token_type"],
  ] as const
) {
  clientTest(
    `getToken refuses ${JSON.stringify(fields)} without snaky`,
    [asked(json(fields))],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken({ snaky: false }));
      assert(error.message.startsWith(`Cannot use the ${problem}: `));
    },
  );
}

clientTest(
  "getToken tells that a class of the caller's found no token",
  [asked(json({ a: 1 }))],
  async ({ client }) => {
    const { token, response } = await client.getToken();
    assertEquals(token, "");
    assertEquals(
      response?.error?.message,
      "Cannot find a token in the answer",
    );
  },
  {
    raiseErrors: false,
    accessTokenClass: BlindToken,
  },
);

clientTest(
  "getToken fails when a token class of the caller's finds no token",
  [asked(json({ custom: "monkey" }))],
  async ({ client }) => {
    const error = await oauth2Error(client.getToken());
    assertEquals(error.message, "Cannot find a token in the answer");
  },
  { accessTokenClass: BlindToken },
);

clientTest(
  "getToken without raiseErrors gives an empty token of a class that finds none",
  [asked(json({ custom: "monkey" }))],
  async ({ client }) => {
    const { token, response } = await client.getToken({ raiseErrors: false });
    assertEquals([token, response?.error?.status], ["", 200]);
  },
  { accessTokenClass: BlindToken },
);

clientTest(
  "extractAccessToken is not asked about an answer without fields",
  [asked({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: "hello",
  })],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
  { extractAccessToken: () => ({ access_token: "monkey" }) },
);

Deno.test("parsed asks the parser but once", () => {
  let asked = 0;
  const response = new OAuth2Response({ status: 200, body: "a" }, {
    parse: () => ({ asked: ++asked }),
  });
  assertEquals([response.parsed, response.fields, asked], [
    { asked: 1 },
    { asked: 1 },
    1,
  ]);
});

Deno.test("toJSON of a response shows whether there is a body", () => {
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
    `getToken reads ${body} without a content type`,
    [asked({ status: 200, body })],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, "monkey");
    },
  );
}

clientTest(
  "getToken fails on other text without a content type",
  [asked({ status: 200, body: "monkey" })],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
);

for (const [status, code] of [[399], [400, "x"], [599, "x"]] as const) {
  clientTest(
    `request without raiseErrors on ${status} gives ${code ?? "no"} error`,
    [visited(json({ error: "x" }, status))],
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
  "raiseErrors false on the client gives way to true on the call",
  [visited(json({}, 404)), asked(json({}, 404))],
  async ({ client }) => {
    const options = { raiseErrors: true };
    const missing = oauth2Error(client.request("get", "/from", options));
    assertEquals((await missing).status, 404);
    assertEquals((await oauth2Error(client.getToken(options))).status, 404);
  },
  { raiseErrors: false },
);

clientTest(
  "raiseErrors false does not hide misuse and lost connections",
  [visited({ fail: "connect ECONNREFUSED" }), asked({ fail: "ECONNRESET" })],
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
      `error of ${status} ${
        JSON.stringify(fields)
      } has its texts and nothing else`,
      [asked(json(fields, status))],
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
  "a page with a type": "<!doctype html>\n<html lang=en>\n" +
    '<a href="https://x.example/?a=1&access_token=abc&b=2">Sign in</a>\n</html>',
  "a page after blanks":
    ' \n\t<html><a href="?a=1&token=abc&refresh_token=r">x</a>',
  "a page after a mark": '\uFEFF<html><a href="?a=1&token=abc">x</a>',
  "a page without = before the token": "<a href=/?&access_token=abc>",
};
for (const [what, body] of Object.entries(PAGES)) {
  clientTest(
    `getToken takes ${what} without content type for no token`,
    [asked({ status: 200, body }), asked({ status: 200, body })],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken());
      assertMatch(
        error.message,
        /^Cannot (find a token in|parse) the answer$/,
      );
      const { token } = await client.getToken({ raiseErrors: false });
      assertEquals(token, "");
    },
  );
}

const FORMS: Readonly<Record<string, [body: string, token: string]>> = {
  "a form": ["access_token=ape&token_type=bearer&expires_in=600", "ape"],
  "a form with escapes": ["scope=a+b%20c&access_token=a%3Cpe%3D%3D", "a<pe=="],
  "a form with a bare =": ["access_token=ape==&scope=", "ape=="],
  "a form with a token of all letters that tokens have": [
    "access_token=a-b._~%2Bc/d==",
    "a-b._~+c/d==",
  ],
};
for (const [what, [body, token]] of Object.entries(FORMS)) {
  clientTest(
    `getToken takes ${what} without content type for a token`,
    [asked({ status: 200, body })],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, token);
    },
  );
}
