/** Responses: what is parsed, and tokens that are found in them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  AccessToken,
  type Client,
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

const PAGES: Readonly<Record<string, string>> = {
  "other text": "monkey",
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
    [onToken({ status: 200, body })],
    async ({ client }) => {
      assertMatch(
        (await oauth2Error(client.getToken())).message,
        /^Cannot (find a token in|parse) the response \(POST https:[^ ]+\)$/,
      );
    },
  );
}

const FORMS: Readonly<Record<string, [body: string, token: string]>> = {
  "JSON": ['{"access_token":"ape"}', "ape"],
  "a form": ["access_token=ape&token_type=bearer&expires_in=600", "ape"],
  "a form with every character of a token": [
    "scope=a+b%20c&access_token=a-b._~%2B%3C%C3%A7/d==",
    "a-b._~+<ç/d==",
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

clientTest(
  "getToken keeps both fields that collide",
  [onToken(
    json({ access_token: "snake", accessToken: "camel", aB: 1, a_b: 2 }),
  )],
  async ({ client }) => {
    const token = await client.getToken();
    assertEquals(token.token, "snake");
    assertEquals([token.params.aB, token.params.a_b], [1, 2]);
  },
);
