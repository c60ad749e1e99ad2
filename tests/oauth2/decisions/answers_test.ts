/** What is read from an answer, and what is taken for an error. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  ConnectionError,
  OAuth2Response,
} from "../../../oauth2/mod.ts";
import {
  asked,
  decision,
  json,
  oauth2Error,
  sentForm,
  visited,
} from "./_decision.ts";

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
    [
      "application/json",
      '{"accessToken":"camel","access_token":"snake"}',
      { access_token: "snake" },
    ],
    [
      "application/json",
      '{"access_token":"snake","accessToken":"camel"}',
      { access_token: "snake" },
    ],
    ["application/x-www-form-urlencoded", "a=1&a=2", { a: ["1", "2"] }],
    ["application/x-www-form-urlencoded", "userName=ana", { user_name: "ana" }],
  ] as const
) {
  decision(
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

decision(
  "parsed is the body when parse is false",
  [visited(json({ a: 1 }))],
  async ({ client }) => {
    const response = await client.request("get", "/from", { parse: false });
    assertEquals(response.parsed, '{"a":1}');
  },
);

decision(
  "parsed is made by snakyHashClass",
  [visited(json({ userName: "ana" }))],
  async ({ client }) => {
    const snakyHashClass = {
      load: (fields: Record<string, unknown>) =>
        new Map(Object.entries(fields)),
      dump: (map: Map<string, unknown>) => Object.fromEntries(map),
    };
    const options = { snakyHashClass };
    const { parsed } = await client.request("get", "/from", options);
    assertEquals(parsed, new Map([["user_name", "ana"]]));
  },
);

decision(
  "getToken reads what snakyHashClass made",
  [sentForm({}, json({ accessToken: "monkey" }))],
  async ({ client }) => {
    const snakyHashClass = {
      load: (fields: Record<string, unknown>) =>
        new Map(Object.entries(fields)),
      dump: (map: Map<string, unknown>) => Object.fromEntries(map),
    };
    const token = await client.getToken({ snakyHashClass });
    assertEquals(token.token, "monkey");
  },
);

for (const body of ['{"access_token":"monkey"}', "access_token=monkey"]) {
  decision(
    `getToken reads ${body} without a content type`,
    [asked({ status: 200, body })],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, "monkey");
    },
  );
}

decision(
  "getToken fails on other text without a content type",
  [asked({ status: 200, body: "monkey" })],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
);

for (const [status, code] of [[399], [400, "x"], [599, "x"]] as const) {
  decision(
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

decision(
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

decision(
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
    decision(
      `error of ${status} ${JSON.stringify(fields)} has text or nothing`,
      [asked(json(fields, status))],
      async ({ client }) => {
        const error = await oauth2Error(client.getToken());
        for (const part of [error.code, error.description, error.uri]) {
          assert(part === undefined || typeof part === "string");
        }
        assert(!error.message.includes("[object"), error.message);
      },
    );
  }
}
