/** Tokens that are stored and read again. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken, type Client } from "../../../oauth2/mod.ts";
import { clientTest, createClient, NOW } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import fc from "fast-check";

const HOSTILE = `{
  "access_token": "monkey", "refresh_token": "abaca", "expires_in": 600,
  "mode": "query", "header_format": "%s", "param_name": "evil",
  "token_name": "evil", "evil": "ape", "expires_latency": 99999,
  "params": { "mode": "body" }, "client": 1, "response": 2, "options": {},
  "headerFormat": "camel", "nested": { "a": [1, { "b": null }] },
  "__proto__": { "polluted": true }, "constructor": 3, "toString": 4
}`;

clientTest(
  "getToken reads no options from the response",
  [
    onToken({
      status: 200,
      headers: { "content-type": "application/json" },
      body: HOSTILE,
    }),
    onResource({ status: 204 }, {
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

/** Fails unless fromHash reads all that toHash writes, as JSON. */
function assertStorable(token: AccessToken): void {
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
  "fromHash reads what toHash writes with fields named like options",
  [
    onToken({
      status: 200,
      headers: { "content-type": "application/json" },
      body: HOSTILE,
    }),
    onResource({ status: 204 }, {
      headers: { authorization: "Bearer monkey" },
    }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    assertStorable(token);
    await AccessToken.fromHash(client, token.toHash()).get("/from");
  },
);

for (
  const [name, hash, options] of [
    ["expires_latency", { expires_at: NOW + 99, expires_latency: 10 }, {}],
    [
      "expires_latency as a string",
      { expires_in: 99, expires_latency: "10" },
      {},
    ],
    ["expires_in 0", { expires_in: 0 }, {}],
    ["expires_latency without an expiry", { expires_latency: 10 }, {}],
    ["a map of modes", { mode: { get: "query", post: "body" } }, {}],
    ["token options", {}, {
      mode: "body",
      headerFormat: "OAuth %s",
      paramName: "p[1]",
      tokenName: "access_token",
      expiresLatency: 5,
    }],
    ["no access token", { access_token: "", refresh_token: "r" }, {}],
    ["a field params", { params: { params: { params: 1 } } }, {}],
  ] as const
) {
  clientTest(
    `fromHash reads what toHash writes with ${name}`,
    [],
    ({ client }) => {
      const fields = { access_token: "monkey", ...hash };
      assertStorable(AccessToken.fromHash(client, fields, options));
    },
  );
}

Deno.test("fromHash reads what toHash writes with any fields", async () => {
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
  // Fields for which getToken refuses a response.
  const REFUSED = /^[\s_-]*(error|(token|refresh)[\s_-]*(type|token))[\s_-]*$/i;
  const fields = fc.array(fc.tuple(name, fc.jsonValue())).map((pairs) =>
    Object.fromEntries(pairs.filter(([name]) => !REFUSED.test(name.trim())))
  );
  await fc.assert(
    fc.asyncProperty(fields, async (fields) => {
      const fetch = fakeFetch([
        onToken(json({
          ...fields,
          access_token: "monkey",
          refresh_token: "abaca",
        })),
      ]);
      assertStorable(await createClient({ fetch }).getToken());
    }),
    { seed: 4, numRuns: 300 },
  );
});
