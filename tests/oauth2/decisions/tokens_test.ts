/** Token responses that are accepted, and refreshes. */
import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { AccessToken, type ClientOptions } from "../../../oauth2/mod.ts";
import { clientTest, oauth2Error } from "../_client.ts";
import { form, json, onResource, onToken } from "../_exchanges.ts";

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

for (const hash of [{ id_token: "monkey" }, { idToken: "monkey" }]) {
  const [name] = Object.keys(hash);
  clientTest(
    `fromHash reads the token from ${name} only with a tokenName`,
    [],
    ({ client }) => {
      assertThrows(() => AccessToken.fromHash(client, hash), TypeError);
      const token = AccessToken.fromHash(client, hash, { tokenName: name });
      assertEquals(token.token, "monkey");
    },
  );
}

for (const status of [300, 302, 304, 399, 404, 500]) {
  clientTest(
    `getToken throws on a ${status} with a token`,
    [onToken(json({ access_token: "monkey" }, status))],
    async ({ client }) => {
      assertEquals((await oauth2Error(client.getToken())).status, status);
    },
  );
}

for (const status of [200, 201, 299]) {
  clientTest(
    `getToken returns the token of a ${status}`,
    [onToken(json({ access_token: "monkey" }, status))],
    async ({ client }) => {
      assertEquals((await client.getToken()).token, "monkey");
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
