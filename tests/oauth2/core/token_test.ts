import { assert, assertEquals, assertRejects } from "@std/assert";
import { AccessToken } from "../../../oauth2/mod.ts";
import { clientTest, NOW, SITE } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";

for (
  const [order, hash, token] of [
    ["access_token before token", { token: "b", access_token: "a" }, "a"],
    ["token before accessToken", { accessToken: "b", token: "a" }, "a"],
    ["accessToken", { accessToken: "a" }, "a"],
    ["token if access_token is null", {
      access_token: null,
      token: "a",
    }, "a"],
  ] as const
) {
  clientTest(`fromHash reads ${order}`, [], ({ client }) => {
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
  "fromHash adds expires_in to the current second, rounded down",
  [],
  ({ client }) => {
    const hash = { access_token: "m", expires_in: 600 };
    assertEquals(AccessToken.fromHash(client, hash).expiresAt, NOW + 600);
  },
  { clock: () => NOW * 1000 + 999 },
);

clientTest("fromHash keeps other fields in params", [], (world) => {
  const hash = { access_token: "m", token: "ape", expires_in: 1, expires: 2 };
  const { params } = AccessToken.fromHash(world.client, hash);
  assertEquals(params, { token: "ape", expires: 2 });
});

clientTest("fromHash keeps a string in the field params", [], ({ client }) => {
  const hash = { access_token: "m", params: "x" };
  assertEquals(AccessToken.fromHash(client, hash).params, { params: "x" });
});

clientTest(
  "fromHash warns of several token fields without their values",
  [],
  ({ client, log }) => {
    const hash = { idToken: "confusing", token: "monkey" };
    AccessToken.fromHash(client, hash);
    const [line = "", ...more] = log;
    assert(line.includes('(["token","idToken"])'), line);
    assert(!/confusing|monkey/.test(line), line);
    assertEquals(more, []);
  },
  { config: { silenceExtraTokensWarning: false } },
);

clientTest("fromKvform reads no options from the text", [], ({ client }) => {
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

clientTest("headers contain a token with $& unchanged", [], ({ client }) => {
  const hash = { access_token: "$&$1%s" };
  const { headers } = AccessToken.fromHash(client, hash);
  assertEquals(headers, { Authorization: "Bearer $&$1%s" });
});

clientTest(
  "mode reads a map by the verb in any letter case, and ignores inherited names",
  [
    onResource({ status: 204 }, {
      query: { access_token: "monkey" },
      headers: { authorization: null },
    }),
    onResource({ status: 204 }, {
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
  "request with an empty token throws with the error of its response as the cause",
  [onToken(json({ error: "invalid_grant" }, 400))],
  async ({ client }) => {
    const token = await client.getToken();
    const error = await assertRejects(() => token.get("/from"), TypeError);
    const reason = token.response?.error;
    assert(reason !== undefined && (error as Error).cause === reason);
  },
  { raiseErrors: false },
);

clientTest(
  "refresh ignores undefined options",
  [onToken(json({ access_token: "ape" }))],
  async ({ client }) => {
    const hash = { access_token: "m", refresh_token: "r", mode: "query" };
    const token = AccessToken.fromHash(client, hash);
    const { options } = await token.refresh({}, { mode: undefined });
    assertEquals(options.mode, "query");
  },
);

clientTest("toHash omits a mode that is a function", [], ({ client }) => {
  const hash = { access_token: "monkey" };
  const mode = () => "query" as const;
  const stored = AccessToken.fromHash(client, hash, { mode }).toHash();
  assert(!("mode" in stored));
  assertEquals(AccessToken.fromHash(client, stored).options.mode, "header");
});

clientTest(
  "toJSON returns the expiry and the names of params",
  [],
  ({ client }) => {
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
  },
);

clientTest(
  "get, post, put, patch and delete send their methods",
  ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) =>
    onResource({ status: 204 }, { method, url: `${SITE}/from` })
  ),
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "monkey" });
    for (const verb of ["get", "post", "put", "patch", "delete"] as const) {
      await token[verb]("/from");
    }
  },
);

for (
  const [hash, end] of [
    [{ access_token: "a", token: "b" }, 'using "access_token"'],
    [{ access_token: null, token: "b" }, 'using "token"'],
    [{ refresh_token: "r", id_token: "a", idToken: "b" }, "using none"],
  ] as const
) {
  clientTest(
    `fromHash warns of the fields ${Object.keys(hash).join(", ")}, ${end}`,
    [],
    ({ client, log }) => {
      AccessToken.fromHash(client, hash);
      assertEquals(log.length, 1);
      assert(log[0]!.endsWith(end), log[0]);
    },
    { config: { silenceExtraTokensWarning: false } },
  );
}

clientTest(
  "fromHash with a tokenName does not warn of several token fields",
  [],
  ({ client, log }) => {
    const hash = { access_token: "a", token: "b" };
    AccessToken.fromHash(client, hash, { tokenName: "token" });
    assertEquals(log, []);
  },
  { config: { silenceExtraTokensWarning: false } },
);
