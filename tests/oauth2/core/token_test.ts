/** Tokens: fields, expiry, storing, and token responses that are accepted. */
import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { inspect } from "node:util";
import {
  AccessToken,
  type Client,
  type ClientOptions,
} from "../../../oauth2/mod.ts";
import { clientTest, createClient, NOW, oauth2Error } from "../_client.ts";
import { form, json, onResource, onToken } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";

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

for (const value of [null, "", 0, 5, true, {}, ["monkey"]]) {
  const shown = JSON.stringify(value);
  clientTest(
    `getToken refuses the access_token ${shown}`,
    [onToken(json({ access_token: value }))],
    async ({ client }) => {
      assertEquals((await oauth2Error(client.getToken())).status, 200);
    },
  );
  clientTest(
    `fromHash refuses the access_token ${shown}`,
    [],
    (world) => {
      const hash = { access_token: value };
      assertThrows(() => AccessToken.fromHash(world.client, hash), TypeError);
    },
  );
}

for (const status of [200, 299, 300, 302, 304, 399, 404, 500]) {
  const isToken = status < 300;
  clientTest(
    `getToken ${isToken ? "returns" : "throws on"} the token of a ${status}`,
    [onToken(json({ access_token: "monkey" }, status))],
    async ({ client }) => {
      const got = await client.getToken().catch((error) => error);
      assertEquals(
        isToken ? got.token : got.status,
        isToken ? "monkey" : status,
      );
    },
  );
}

for (
  const respond of [
    json({ error: "slow_down" }),
    json({ error: "slow_down", access_token: "monkey" }),
    form("error=slow_down&access_token=monkey"),
  ]
) {
  clientTest(
    `getToken throws on a 200 with ${"body" in respond && respond.body}`,
    [onToken(respond)],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken());
      assertEquals([error.code, error.status], ["slow_down", 200]);
    },
  );
}

clientTest(
  "getToken refuses a form with two access tokens",
  [onToken(form("access_token=monkey&access_token=ape"))],
  async ({ client }) => {
    assertEquals((await oauth2Error(client.getToken())).status, 200);
  },
);

for (
  const [type, tokenTypes, accepted] of [
    [undefined, undefined, true],
    ["bearer", undefined, true],
    ["Bearer", undefined, true],
    ["BEARER", undefined, true],
    ["mac", undefined, false],
    ["DPoP", undefined, false],
    ["N_A", undefined, false],
    ["bearer token", undefined, false],
    [{ a: "bearer" }, undefined, false],
    ["DPoP", ["DPoP"], true],
    ["dpop", ["DPoP"], true],
    ["bearer", ["DPoP"], true],
    ["mac", ["DPoP"], false],
  ] as const
) {
  clientTest(
    `getToken ${accepted ? "accepts" : "refuses"} token_type ${
      JSON.stringify(type)
    } with tokenTypes ${JSON.stringify(tokenTypes)}`,
    [onToken(json({ access_token: "monkey", token_type: type }))],
    async ({ client }) => {
      if (accepted) {
        assertEquals((await client.getToken()).token, "monkey");
      } else {
        assertEquals((await oauth2Error(client.getToken())).status, 200);
      }
    },
    tokenTypes ? { tokenTypes: [...tokenTypes] } : {},
  );
}

clientTest(
  "refresh overrides options of the token and fields of the response",
  [
    onToken(json({ access_token: "ape", refresh_token: "theirs" })),
    onResource({ status: 204 }, { query: { mine: "ape" } }),
  ],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, {
      access_token: "monkey",
      refresh_token: "abaca",
      param_name: "o_param",
      header_format: "OAuth %s",
    });
    const options = { mode: "query", paramName: "mine" } as const;
    const fresh = await token.refresh({}, {
      ...options,
      refresh_token: "mine",
    });
    assertEquals(fresh.refreshToken, "mine");
    await fresh.get("/from");
  },
);

clientTest(
  "refresh does not change the old token and shares no objects with it",
  [onToken(
    json({ access_token: "ape", refresh_token: "new", nested: { a: 1 } }),
  )],
  async ({ client }) => {
    const mode = { get: "query" };
    const token = AccessToken.fromHash(client, {
      access_token: "monkey",
      refresh_token: "abaca",
      nested: { a: 0 },
      mode,
    });
    const before = structuredClone(token.toHash());
    const fresh = await token.refresh();
    assertEquals(token.toHash(), before);
    assertNotStrictEquals(fresh, token);
    assertNotStrictEquals(fresh.params, token.params);
    const shared = (hash: Record<string, unknown>) =>
      Object.values(hash).filter((value) => typeof value === "object");
    for (const value of shared(fresh.toHash())) {
      assert(!shared(token.toHash()).includes(value) && value !== mode);
    }
    fresh.refreshToken = "changed";
    assertEquals(token.refreshToken, "abaca");
  },
);

clientTest(
  "toHash returns a copy",
  [],
  ({ client }) => {
    const mode = { get: "query" } as const;
    const token = AccessToken.fromHash(client, {
      access_token: "monkey",
      mode,
    });
    const before = structuredClone(token.toHash());
    Object.assign(token.toHash().mode as object, { get: "body" });
    assertEquals(token.toHash(), before);
    assertEquals(mode, { get: "query" });
  },
);

clientTest(
  "refresh throws on a response without an access token",
  [onToken(json({ refresh_token: "new" }))],
  async ({ client }) => {
    const hash = { access_token: "monkey", refresh_token: "abaca" };
    const token = AccessToken.fromHash(client, hash);
    assertEquals((await oauth2Error(token.refresh())).status, 200);
  },
);

clientTest(
  "refresh without raiseErrors returns an empty token with the error",
  [onToken(json({ refresh_token: "new" })), onToken({ status: 204 })],
  async ({ client }) => {
    const hash = { access_token: "monkey", refresh_token: "abaca" };
    const token = AccessToken.fromHash(client, hash);
    for (const status of [200, 204]) {
      const fresh = await token.refresh();
      assertEquals(fresh.token, "");
      assertEquals(fresh.response?.error?.status, status);
    }
  },
  { raiseErrors: false },
);

const ISSUER = "https://issuer.example";

for (
  const [name, setting, isAccepted] of [
    ["a plain client", {}, true],
    ["other token types", { tokenTypes: ["bot"] }, true],
    ["DPoP", { tokenTypes: ["DPoP"] }, false],
    ["tls_client_auth", { authScheme: "tls_client_auth" }, true],
    ["tls_client_auth and bound tokens", {
      authScheme: "tls_client_auth",
      metadata: {
        issuer: ISSUER,
        tls_client_certificate_bound_access_tokens: true,
      },
    }, false],
    ["bound tokens of other clients", {
      metadata: {
        issuer: ISSUER,
        tls_client_certificate_bound_access_tokens: true,
      },
    }, true],
    ["an endpoint for mutual TLS", {
      tokenUrl: "https://api.example.com/oauth/token",
      metadata: {
        issuer: ISSUER,
        mtls_endpoint_aliases: {
          token_endpoint: "https://api.example.com/oauth/token",
        },
      },
    }, false],
  ] as [string, ClientOptions, boolean][]
) {
  clientTest(
    `getToken with ${name} ${
      isAccepted ? "accepts" : "refuses"
    } a token without token_type`,
    [onToken(json({ access_token: "monkey" }))],
    async ({ client }) => {
      if (isAccepted) return void await client.getToken();
      const { message } = await oauth2Error(client.getToken());
      assertStringIncludes(message, "token_type, which is missing");
    },
    setting,
  );
}

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

for (const value of ["1h", "", "Infinity", NaN, -Infinity, true, {}, [600]]) {
  clientTest(
    `fromHash ignores expires_in ${inspect(value)} with a warning`,
    [],
    ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      const token = AccessToken.fromHash(client, hash);
      assertEquals([token.expiresIn, token.expiresAt], [undefined, undefined]);
      assertEquals([token.expires(), token.expired()], [false, false]);
      assertEquals(log.length, 1, log.join("\n"));
      assert(log[0]!.includes("expires_in"), log[0]);
    },
  );
}

for (
  const value of [-1, -0.5, -3600, "-1", "-1.5", " -60 "]
) {
  clientTest(
    `a token with expires_in ${inspect(value)} has expired`,
    [onToken(json({ access_token: "ape", expires_in: value }))],
    async ({ client, log }) => {
      const hash = { access_token: "monkey", expires_in: value };
      for (
        const token of [
          AccessToken.fromHash(client, hash),
          await client.getToken(),
        ]
      ) {
        assertEquals([token.expires(), token.expired()], [true, true]);
        assert(token.expiresAt! <= NOW, String(token.expiresAt));
        const copy = AccessToken.fromHash(client, token.toHash());
        assertEquals([copy.expired(), copy.expiresAt], [true, token.expiresAt]);
      }
      assertEquals(log, []);
    },
  );
}

clientTest(
  "warnings of an invalid expiry do not show its value",
  [onToken(json({ access_token: "ape", expires_in: "hush-hush" }))],
  async ({ client, log }) => {
    await client.getToken();
    AccessToken.fromHash(client, {
      access_token: "monkey",
      expires_at: "hush-hush",
    });
    assertEquals(log.length, 2);
    assert(log[1]!.includes("expires_at"), log[1]);
    assert(!log.join().includes("hush"), log.join());
  },
);

clientTest(
  "an empty token has expired regardless of its expiry",
  [
    onToken(json({ error: "invalid_grant" }, 400)),
    onToken(json({ error: "invalid_grant" }, 400)),
  ],
  async ({ client }) => {
    const empty = await client.getToken();
    assertEquals([empty.token, empty.expired()], ["", true]);
    const later = await client.getToken({}, { expires_in: 600 });
    assertEquals([later.token, later.expired()], ["", true]);
    const hash = { refresh_token: "abaca", expires_in: 600 };
    assertEquals(AccessToken.fromHash(client, hash).expired(), true);
    assertEquals(new AccessToken(client, "").expired(), true);
  },
  { raiseErrors: false },
);

clientTest(
  "expires_latency without an expiry has no effect",
  [],
  ({ client }) => {
    const hash = { access_token: "monkey", expires_latency: 10 };
    const token = AccessToken.fromHash(client, hash);
    assertEquals([token.expiresAt, token.expired()], [undefined, false]);
  },
);
