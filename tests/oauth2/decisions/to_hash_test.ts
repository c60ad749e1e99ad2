/** What a token becomes that is stored, whatever a server said. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { AccessToken, Client } from "../../../oauth2/mod.ts";
import { fakeFetch } from "../fake_fetch.ts";
import { asked, clientTest, json, NOW, SITE, visited } from "../testing.ts";

const HOSTILE = `{
  "access_token": "monkey", "refresh_token": "abaca", "expires_in": 600,
  "mode": "query", "header_format": "%s", "param_name": "evil",
  "token_name": "evil", "evil": "ape", "expires_latency": 99999,
  "params": { "mode": "body" }, "client": 1, "response": 2, "options": {},
  "headerFormat": "camel", "nested": { "a": [1, { "b": null }] },
  "__proto__": { "polluted": true }, "constructor": 3, "toString": 4
}`;

clientTest(
  "getToken lets no answer set an option of the token",
  [
    asked({
      status: 200,
      headers: { "content-type": "application/json" },
      body: HOSTILE,
    }),
    visited({ status: 204 }, {
      query: {},
      headers: { authorization: "Bearer monkey" },
    }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    assertEquals([token.token, token.refreshToken], ["monkey", "abaca"]);
    assertEquals([token.expiresAt, token.expiresLatency], [
      NOW + 600,
      undefined,
    ]);
    assertEquals(token.params.mode, "query");
    assertEquals(token.params.evil, "ape");
    assertEquals(token.params.params, { mode: "body" });
    assert(!("polluted" in {}) && !("polluted" in token.params));
    await token.get("/from");
  },
);

/** Asserts that a token survives being stored as JSON. */
function assertSurvives(token: AccessToken): void {
  const hash = token.toHash();
  const copy = AccessToken.fromHash(
    token.client as Client,
    JSON.parse(JSON.stringify(hash)),
  );
  assertEquals(JSON.parse(JSON.stringify(hash)), hash, "it is plain data");
  assertEquals(copy.toHash(), hash);
  for (
    const field of [
      "token",
      "refreshToken",
      "expiresIn",
      "expiresAt",
      "expiresLatency",
      "params",
    ] as const
  ) assertEquals(copy[field], token[field], field);
}

clientTest(
  "toHash of a token with hostile fields survives JSON and fromHash",
  [
    asked({
      status: 200,
      headers: { "content-type": "application/json" },
      body: HOSTILE,
    }),
    visited({ status: 204 }, { headers: { authorization: "Bearer monkey" } }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    assertSurvives(token);
    await AccessToken.fromHash(client, token.toHash()).get("/from");
  },
);

for (
  const [name, hash, options] of [
    ["expires_latency", { expires_at: NOW + 99, expires_latency: 10 }, {}],
    ["expires_latency as text", { expires_in: 99, expires_latency: "10" }, {}],
    ["expires_in 0", { expires_in: 0 }, {}],
    ["a latency without an expiry", { expires_latency: 10 }, {}],
    ["a map of modes", { mode: { get: "query", post: "body" } }, {}],
    ["options given apart", {}, {
      mode: "body",
      headerFormat: "OAuth %s",
      paramName: "p[1]",
      tokenName: "access_token",
      expiresLatency: 5,
    }],
    ["no access token", { access_token: "", refresh_token: "r" }, {}],
    ["params of its own", { params: { params: { params: 1 } } }, {}],
  ] as const
) {
  clientTest(`toHash of a token with ${name} survives`, [], ({ client }) => {
    const fields = { access_token: "monkey", ...hash };
    assertSurvives(AccessToken.fromHash(client, fields, options));
  });
}

Deno.test("toHash of a token with any fields survives JSON and fromHash", async () => {
  const names = [
    "mode",
    "header_format",
    "param_name",
    "token_name",
    "params",
    "expires_in",
    "expires_at",
    "expires_latency",
    "token",
    "scope",
    "__proto__",
    "tokenName",
  ];
  const name = fc.oneof(fc.constantFrom(...names), fc.string());
  // What the answer is refused for, rather than stored.
  const REFUSED = /^[\s_-]*(error|(token|refresh)[\s_-]*(type|token))[\s_-]*$/i;
  const fields = fc.array(fc.tuple(name, fc.jsonValue())).map((pairs) =>
    Object.fromEntries(pairs.filter(([name]) => !REFUSED.test(name.trim())))
  );
  await fc.assert(
    fc.asyncProperty(fields, async (fields) => {
      const fetch = fakeFetch([
        asked(json({
          ...fields,
          access_token: "monkey",
          refresh_token: "abaca",
        })),
      ]);
      const clock = () => NOW * 1000;
      // Some of these expiries cannot be read, of which it would warn.
      const logger = { debug: () => {}, warn: () => {} };
      const options = { site: SITE, fetch, clock, logger };
      const client = new Client("abc", "def", options);
      assertSurvives(await client.getToken());
    }),
    { seed: 4, numRuns: 300 },
  );
});
