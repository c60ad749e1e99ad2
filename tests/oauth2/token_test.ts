import { assert, assertEquals, assertRejects } from "@std/assert";
import { AccessToken, config } from "../../oauth2/mod.ts";
import { asked, clientTest, json, NOW, SITE, visited } from "./testing.ts";

for (
  const [what, hash, token] of [
    ["access_token before token", { token: "b", access_token: "a" }, "a"],
    ["token before accessToken", { accessToken: "b", token: "a" }, "a"],
    ["accessToken", { accessToken: "a" }, "a"],
    ["the next name where one says nothing", {
      access_token: null,
      token: "a",
    }, "a"],
  ] as const
) {
  clientTest(`fromHash takes ${what}`, [], ({ client }) => {
    assertEquals(AccessToken.fromHash(client, hash).token, token);
  });
}

clientTest("fromHash reads names in camel case", [], ({ client }) => {
  const hash = { accessToken: "monkey", refreshToken: "abaca" };
  const token = AccessToken.fromHash(client, { ...hash, expiresIn: 600 });
  assertEquals([token.token, token.refreshToken], ["monkey", "abaca"]);
  assertEquals([token.expiresIn, token.expiresAt], [600, NOW + 600]);
  assertEquals(token.params, {});
  const { expiresAt } = AccessToken.fromHash(client, {
    ...hash,
    expiresAt: NOW,
  });
  assertEquals(expiresAt, NOW);
});

clientTest("fromHash prefers expires_at to expires_in", [], ({ client }) => {
  const hash = { access_token: "m", expires_at: NOW + 5, expires_in: 600 };
  const token = AccessToken.fromHash(client, hash);
  assertEquals([token.expiresAt, token.expiresIn], [NOW + 5, 600]);
});

clientTest(
  "fromHash counts expires_in from the second that began",
  [],
  ({ client }) => {
    const hash = { access_token: "m", expires_in: 600 };
    assertEquals(AccessToken.fromHash(client, hash).expiresAt, NOW + 600);
  },
  { clock: () => NOW * 1000 + 999 },
);

clientTest("fromHash keeps in params what it does not read", [], (world) => {
  const hash = { access_token: "m", token: "ape", expires_in: 1, expires: 2 };
  const { params } = AccessToken.fromHash(world.client, hash);
  assertEquals(params, { token: "ape", expires: 2 });
});

clientTest("fromHash keeps a field params that is text", [], ({ client }) => {
  const hash = { access_token: "m", params: "x" };
  assertEquals(AccessToken.fromHash(client, hash).params, { params: "x" });
});

clientTest("fromHash tells which of many names it uses", [], (world) => {
  config.silenceExtraTokensWarning = false;
  try {
    const hash = { idToken: "confusing", token: "monkey" };
    AccessToken.fromHash(world.client, hash);
  } finally {
    config.silenceExtraTokensWarning = true;
  }
  const [line = "", ...more] = world.log;
  assert(line.includes('["token","idToken"]'), line);
  assert(line.endsWith('using "token"'), line);
  assert(!/confusing|monkey/.test(line), line);
  assertEquals(more, []);
});

clientTest("fromKvform lets no text set an option", [], ({ client }) => {
  const token = AccessToken.fromKvform(
    client,
    "#access_token=monkey&mode=query&header_format=%25s&param_name=evil" +
      "&token_name=evil&evil=ape&expires_latency=99999&expires_in=600",
  );
  assertEquals(token.token, "monkey");
  assertEquals(token.headers, { Authorization: "Bearer monkey" });
  assertEquals(token.expiresAt, NOW + 600);
  assertEquals(token.options.mode, "header");
  assertEquals(token.params.mode, "query");
});

for (const text of ["\n#access_token=m", " ?access_token=m\n"]) {
  clientTest(`fromKvform reads ${JSON.stringify(text)}`, [], ({ client }) => {
    assertEquals(AccessToken.fromKvform(client, text).token, "m");
  });
}

clientTest("headers do not read a token as a pattern", [], ({ client }) => {
  const hash = { access_token: "$&$1%s" };
  const { headers } = AccessToken.fromHash(client, hash);
  assertEquals(headers, { Authorization: "Bearer $&$1%s" });
});

clientTest(
  "mode goes by the verb in any letter case, and by no inherited name",
  [
    visited({ status: 204 }, {
      query: { access_token: "monkey" },
      headers: { authorization: null },
    }),
    visited({ status: 204 }, {
      method: "CONSTRUCTOR",
      headers: { authorization: "Bearer monkey" },
    }),
  ],
  async ({ client }) => {
    const hash = { access_token: "monkey", mode: { get: "query" } };
    const token = AccessToken.fromHash(client, hash);
    await token.request("GET", "/from");
    await token.request("constructor", "/from");
  },
);

clientTest(
  "request with an empty token tells why it is empty",
  [asked(json({ error: "invalid_grant" }, 400))],
  async ({ client }) => {
    const token = await client.getToken();
    const error = await assertRejects(() => token.get("/from"), TypeError);
    const reason = token.response?.error;
    assert(reason !== undefined && (error as Error).cause === reason);
  },
  { raiseErrors: false },
);

clientTest(
  "refresh keeps the options for which it is given undefined",
  [asked(json({ access_token: "ape" }))],
  async ({ client }) => {
    const hash = { access_token: "m", refresh_token: "r", mode: "query" };
    const token = AccessToken.fromHash(client, hash);
    const { options } = await token.refresh({}, { mode: undefined });
    assertEquals(options.mode, "query");
  },
);

clientTest("toHash leaves a mode out that is a function", [], ({ client }) => {
  const hash = { access_token: "monkey" };
  const mode = () => "query" as const;
  const stored = AccessToken.fromHash(client, hash, { mode }).toHash();
  assert(!("mode" in stored));
  assertEquals(AccessToken.fromHash(client, stored).options.mode, "header");
});

clientTest("toJSON shows times and the names of fields", [], ({ client }) => {
  const token = AccessToken.fromHash(client, {
    access_token: "monkey",
    expires_in: 600,
    expires_latency: 10,
    scope: "read",
  });
  assertEquals(JSON.parse(JSON.stringify(token)), {
    token: "[FILTERED]",
    expiresIn: 600,
    expiresAt: NOW + 590,
    params: ["scope"],
  });
});

clientTest(
  "get, post, put, patch and delete are their verbs",
  ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) =>
    visited({ status: 204 }, { method, url: `${SITE}/from` })
  ),
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "monkey" });
    for (const verb of ["get", "post", "put", "patch", "delete"] as const) {
      await token[verb]("/from");
    }
  },
);

for (
  const [what, hash, options, warning] of [
    [
      "the first",
      { access_token: "a", token: "b" },
      {},
      'using "access_token"',
    ],
    [
      "one with a value",
      { access_token: null, token: "b" },
      {},
      'using "token"',
    ],
    [
      "none",
      { refresh_token: "r", id_token: "a", idToken: "b" },
      {},
      "using none",
    ],
    [
      "its name",
      { access_token: "a", token: "b" },
      { tokenName: "token" },
      undefined,
    ],
  ] as const
) {
  clientTest(
    `fromHash warns of several tokens and names ${what}`,
    [],
    ({ client, log }) => {
      AccessToken.fromHash(client, hash, options);
      assertEquals(log.length, warning ? 1 : 0);
      if (warning) assertEquals(log[0]!.includes(warning), true, log[0]);
    },
    { config: { silenceExtraTokensWarning: false } },
  );
}
