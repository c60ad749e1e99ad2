/** Error codes, which are told as the server said them, whatever the request held. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { inspect } from "node:util";
import { AccessToken, Client } from "../../../oauth2/mod.ts";
import { tokenOf } from "../calls.ts";
import { fakeFetch } from "../fake_fetch.ts";
import { print } from "../print.ts";
import {
  asked,
  clientTest,
  json,
  oauth2Error,
  type Setting,
  visited,
} from "../testing.ts";

/** RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 8628 (3.5) and RFC 7009 (2.2.1). */
const CODES = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "invalid_scope",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  "invalid_token",
  "insufficient_scope",
  "authorization_pending",
  "slow_down",
  "expired_token",
  "unsupported_token_type",
];

for (
  const [username, password, code, retryable] of [
    ["client", "hunter2", "invalid_client", false],
    ["ana", "invalid", "invalid_grant", false],
    ["unavailable", "hunter2", "temporarily_unavailable", true],
    ["ana", "server", "server_error", true],
    ["_____", "hunter2", "temporarily_unavailable", true],
    ["grant", "invalid", "invalid_grant", false],
  ] as const
) {
  clientTest(
    `password.getToken of ${username}, ${password} tells the code ${code}`,
    [asked(json({ error: code, error_description: "no" }, 400))],
    async ({ client }) => {
      const error = await oauth2Error(
        client.password.getToken(username, password),
      );
      assertEquals([error.code, error.retryable], [code, retryable]);
      assertEquals(error.message, `${code}: no`);
    },
  );
}

clientTest(
  "getToken redacts the description and leaves the code alone",
  [asked(json({
    error: "invalid_client",
    error_description: "the client with hush-hush is not known",
  }, 401))],
  async ({ client }) => {
    const error = await oauth2Error(client.getToken());
    const description = "the client with [FILTERED] is not known";
    assertEquals([error.code, error.description], [
      "invalid_client",
      description,
    ]);
    assertEquals(error.message, `invalid_client: ${description}`);
  },
);

for (
  const [code, message] of [
    // The whole code is a secret of the request.
    ["monkey_business", undefined],
    // It does not look like a code.
    ["no such token: monkey_business", undefined],
    ["Invalid monkey_business", undefined],
    // It looks like one, and holds the secret.
    ["invalid_monkey_business", "invalid_monkey_business"],
  ] as const
) {
  clientTest(
    `error.code "${code}" with a secret in it is kept, and ${
      message ? "readable" : "hidden"
    } in the message`,
    [visited(json({ error: code }, 400))],
    async ({ client }) => {
      const token = tokenOf(client, { access_token: "monkey_business" });
      const error = await oauth2Error(token.get("/from"));
      assertEquals(error.code, code);
      if (message) assertEquals(error.message, message);
      else assert(!error.message.includes("monkey_b"), error.message);
    },
  );
  clientTest(
    `printing an error does not show its code "${code}" as a property`,
    [visited(json({ error: code }, 400))],
    async ({ client }) => {
      const token = tokenOf(client, { access_token: "monkey_business" });
      const error = await oauth2Error(token.get("/from"));
      assert(!Object.keys(error).includes("code"));
      assert(!JSON.stringify(error).includes("monkey_b"));
      if (!message) assert(!print(error).includes("monkey_b"), print(error));
    },
  );
}

clientTest(
  "printing an error with its hidden properties does not show a code with a secret",
  [visited(json({ error: "no such token: monkey_business" }, 400))],
  async ({ client }) => {
    const token = tokenOf(client, { access_token: "monkey_business" });
    const error = await oauth2Error(token.get("/from"));
    const shown = inspect(error, { showHidden: true });
    assert(!shown.includes("monkey_b"), shown);
  },
);

clientTest(
  "printing an error shows no code of any length",
  [asked(json({ error: "a".repeat(100_000) }, 400))],
  async ({ client }) => {
    const error = await oauth2Error(client.getToken());
    assertEquals(error.code?.length, 100_000);
    assert(error.message.length < 1100, error.message);
  },
);

for (
  const body of [
    { token: { a: { toString: 1, valueOf: 1 } } },
    { token: null, password: true },
    { token: [[]], key: {} },
  ]
) {
  clientTest(
    `request that sends ${JSON.stringify(body)} tells the error of the server`,
    [visited(json({ error: "null", error_description: "true or null" }, 400), {
      method: "POST",
    })],
    async ({ client }) => {
      const headers = { "content-type": "application/json" };
      const error = await oauth2Error(
        client.request("post", "/from", { headers, body }),
      );
      assertEquals(error.message, "null: true or null");
      assert(Object.keys(error).includes("code"));
    },
  );
}

clientTest(
  "request that sends 5,000 keys tells of 5 MB of description what fits a line",
  [visited(
    json({
      error: "invalid_key",
      error_description: "unknown key-4999! ".repeat(300_000),
    }, 400),
    { method: "POST" },
  )],
  async ({ client }) => {
    const headers = { "content-type": "application/json" };
    const body = Array.from({ length: 5000 }, (_, i) => ({ key: `key-${i}!` }));
    const error = await oauth2Error(
      client.request("post", "/from", { headers, body }),
    );
    assertMatch(
      error.description!,
      /^(unknown \[FILTERED\] )+unknown( \[FILTERED\])?…$/,
    );
  },
);

clientTest(
  "printing an error shows a code that holds no secret",
  [asked(json({ error: "invalid_grant" }, 400))],
  async ({ client }) => {
    const error = await oauth2Error(client.getToken());
    assert(Object.keys(error).includes("code"));
    assert(/code: ["']invalid_grant/.test(print(error)), print(error));
    assertEquals(JSON.parse(JSON.stringify(error)).code, "invalid_grant");
  },
);

for (
  const code of ["", " ", "INVALID", "invalid grant", "é", "a".repeat(5000)]
) {
  clientTest(
    `error.code ${
      JSON.stringify(code.slice(0, 20))
    } of ${code.length} letters is the server's`,
    [asked(json({ error: code }, 400))],
    async ({ client }) => {
      assertEquals((await oauth2Error(client.getToken())).code, code);
    },
  );
}

clientTest(
  "error.code of a challenge is the server's",
  [visited({
    status: 401,
    headers: {
      "www-authenticate":
        'Bearer error="invalid_token", error_description="token expired"',
    },
  })],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "token" });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.code, "invalid_token");
    assertEquals(error.description, "[FILTERED] expired");
  },
);

/** Words of the codes, and parts of them across their underscores. */
const word = fc.constantFrom(...CODES).chain((code) =>
  fc.oneof(
    fc.constantFrom(code, ...code.split("_")),
    fc.tuple(fc.nat(code.length), fc.nat(code.length)).map(([a, b]) =>
      code.slice(Math.min(a, b), Math.max(a, b))
    ),
  )
);
const SETTINGS: readonly Setting[] = [
  { authScheme: "basic_auth" },
  { authScheme: "request_body" },
];

Deno.test("error.code of a token request is never changed, whatever name, password, id and secret are sent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CODES),
      word,
      word,
      word,
      fc.constantFrom(...SETTINGS),
      fc.constantFrom(200, 400, 401),
      async (code, username, password, secret, setting, status) => {
        const fetch = fakeFetch([{ respond: json({ error: code }, status) }]);
        const client = new Client("abc", secret, {
          site: "https://x.example",
          fetch,
          ...setting,
        });
        const error = await oauth2Error(
          client.password.getToken(username, password),
        );
        assertEquals(error.code, code);
        const isSecret = [username, password, secret].includes(code);
        if (!isSecret) assertEquals(error.message, code);
        const isTransient = /^(server_error|temporarily_unavailable)$/;
        assertEquals(error.retryable, isTransient.test(code));
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});
