/** Error codes, which are never redacted. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { inspect } from "node:util";
import { AccessToken } from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  oauth2Error,
  type Setting,
} from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";
import fc from "fast-check";

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
    `password.getToken("${username}", "${password}") throws with the code ${code}`,
    [onToken(json({ error: code, error_description: "no" }, 400))],
    async ({ client }) => {
      const error = await oauth2Error(
        client.password.getToken(username, password),
      );
      assertEquals([error.code, error.retryable], [code, retryable]);
      assertEquals(
        error.message,
        `${code}: no (POST https://api.example.com/oauth/token)`,
      );
    },
  );
}

clientTest(
  "getToken redacts the description and keeps the code",
  [onToken(json({
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
    assertEquals(
      error.message,
      `invalid_client: ${description} (POST https://api.example.com/oauth/token)`,
    );
  },
);

for (
  const [code, message] of [
    // The code is a secret of the request.
    ["monkey_business", undefined],
    // A sentence with a secret.
    ["no such token: monkey_business", undefined],
    ["Invalid monkey_business", undefined],
    // An identifier with a secret.
    ["invalid_monkey_business", "invalid_monkey_business"],
  ] as const
) {
  clientTest(
    `error.code "${code}" keeps a secret, and the message ${
      message ? "shows" : "redacts"
    } it`,
    [onResource(json({ error: code }, 400))],
    async ({ client }) => {
      const token = tokenOf(client, { access_token: "monkey_business" });
      const error = await oauth2Error(token.get("/from"));
      assertEquals(error.code, code);
      if (message) {
        const request = "GET https://api.example.com/from";
        assertEquals(error.message, `${message} (${request})`);
      } else assert(!error.message.includes("monkey_b"), error.message);
    },
  );
  clientTest(
    `error.code "${code}" with a secret is not enumerable`,
    [onResource(json({ error: code }, 400))],
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
  "inspect with showHidden does not show an error code with a secret",
  [onResource(json({ error: "no such token: monkey_business" }, 400))],
  async ({ client }) => {
    const token = tokenOf(client, { access_token: "monkey_business" });
    const error = await oauth2Error(token.get("/from"));
    const shown = inspect(error, { showHidden: true });
    assert(!shown.includes("monkey_b"), shown);
  },
);

clientTest(
  "error.message truncates a long code",
  [onToken(json({ error: "a".repeat(100_000) }, 400))],
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
    `request that sends ${JSON.stringify(body)} keeps the words of the error`,
    [onResource(
      json({ error: "null", error_description: "true or null" }, 400),
      {
        method: "POST",
      },
    )],
    async ({ client }) => {
      const headers = { "content-type": "application/json" };
      const error = await oauth2Error(
        client.request("post", "/from", { headers, body }),
      );
      assertEquals(
        error.message,
        "null: true or null (POST https://api.example.com/from)",
      );
      assert(Object.keys(error).includes("code"));
    },
  );
}

clientTest(
  "request that sends 5,000 keys truncates a description of 5 MB",
  [onResource(
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
  "error.code without a secret is enumerable",
  [onToken(json({ error: "invalid_grant" }, 400))],
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
    `error.code keeps ${
      JSON.stringify(code.slice(0, 20))
    } of ${code.length} letters`,
    [onToken(json({ error: code }, 400))],
    async ({ client }) => {
      assertEquals((await oauth2Error(client.getToken())).code, code);
    },
  );
}

clientTest(
  "error.code keeps the code of a challenge",
  [onResource({
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

/** Codes, their words and other parts of them. */
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

Deno.test("error.code is never redacted by username, password or client secret", async () => {
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
        const client = createClient({ ...setting, secret, fetch });
        const error = await oauth2Error(
          client.password.getToken(username, password),
        );
        assertEquals(error.code, code);
        const isSecret = [username, password, secret].includes(code);
        if (!isSecret) {
          const start = `${code} (POST https://api.example.com/`;
          assert(error.message.startsWith(start), error.message);
        }
        const isTransient = /^(server_error|temporarily_unavailable)$/;
        assertEquals(error.retryable, isTransient.test(code));
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});
