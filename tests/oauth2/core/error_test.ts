/** Code and description of an error, from body, challenge or fragment. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { inspect } from "node:util";
import {
  AccessToken,
  OAuth2Error,
  OAuth2Response,
} from "../../../oauth2/mod.ts";
import { tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  oauth2Error,
  type Setting,
} from "../_client.ts";
import {
  FORM_HEADERS,
  json,
  JSON_HEADERS,
  onResource,
  onToken,
} from "../_exchanges.ts";
import { fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";

for (
  const [challenge, code, description] of [
    ["Bearer", undefined, undefined],
    ['Bearer error="x", error_description="a b"', "x", "a b"],
    ["Bearer error=x,error_description=y", "x", "y"],
    ['Bearer error = "x"', "x", undefined],
    [
      'Bearer error_description="no error=here", error="x"',
      "x",
      "no error=here",
    ],
    ['Bearer my_error="x"', undefined, undefined],
    [
      'Bearer error_description="say \\"please\\" \\\\o/"',
      undefined,
      'say "please" \\o/',
    ],
    ['Bearer error=""', "", undefined],
    ['Bearer error="x', undefined, undefined],
    ['Basic realm="x", Bearer error="y"', "y", undefined],
    ['Basic realm="error=x", Bearer error="y"', "y", undefined],
    ['Digest error="x"', undefined, undefined],
    ['Digest error="x", Bearer error="y"', "y", undefined],
    ['Bearer scope="a", DPoP error="x", error_description="y"', "x", "y"],
    ['DPoP error="x", Bearer error="y"', "x", undefined],
    ['OAuth error="x"', "x", undefined],
    ['Bearer realm="x" error="y"', "y", undefined],
    [`Bearer realm="${"x".repeat(3000)}", error="y"`, "y", undefined],
  ] as const
) {
  Deno.test(`OAuth2Error reads the challenge ${challenge.slice(0, 80)}`, () => {
    const headers = { "www-authenticate": challenge };
    const error = new OAuth2Error(new OAuth2Response({ status: 401, headers }));
    assertEquals([error.code, error.description], [code, description]);
  });
}

Deno.test("OAuth2Error prefers the body to the challenge", () => {
  const response = new OAuth2Response({
    status: 401,
    headers: {
      "content-type": "application/json",
      "www-authenticate": 'Bearer error="x", error_description="of x"',
    },
    body: '{"error":"y"}',
  });
  const { code, description } = new OAuth2Error(response);
  assertEquals([code, description], ["y", "of x"]);
});

Deno.test("OAuth2Error appends the error of the server to the given message", () => {
  const headers = { "content-type": "application/json" };
  const body = '{"error":"x","error_description":"a b"}';
  const withError = new OAuth2Response({ status: 302, headers, body });
  const withoutError = new OAuth2Response({ status: 302 });
  const message = "Cannot go on";
  assertEquals(new OAuth2Error(withError).message, "x: a b");
  assertEquals(new OAuth2Error(withoutError).message, "Got status 302");
  assertEquals(
    new OAuth2Error(withError, { message }).message,
    "Cannot go on (x: a b)",
  );
  assertEquals(new OAuth2Error(withoutError, { message }).message, message);
  assert(new OAuth2Error(withError).response === withError);
});

Deno.test("OAuth2Error rounds retryAfter up to whole seconds", () => {
  const headers = { "retry-after": "Tue, 14 Nov 2023 22:13:50 GMT" };
  const response = new OAuth2Response({ status: 503, headers });
  const now = Date.UTC(2023, 10, 14, 22, 13, 20, 400);
  assertEquals(new OAuth2Error(response, { now }).retryAfter, 30);
});

const FRAGMENT = "#error=access_denied&error_description=not%20today" +
  "&error_uri=https%3A%2F%2Fx.example%2Fhelp&state=xyz";

for (const text of [FRAGMENT, FRAGMENT.replace("#", "?"), FRAGMENT.slice(1)]) {
  clientTest(
    `fromKvform throws the error of ${text.slice(0, 21)}…`,
    [],
    ({ client }) => {
      const error = assertThrows(
        () => AccessToken.fromKvform(client, text),
        OAuth2Error,
      ) as OAuth2Error;
      assertEquals(
        [error.code, error.description, error.uri, error.status],
        ["access_denied", "not today", "https://x.example/help", 400],
      );
      assertEquals(error.response.fields?.state, "xyz");
      assertEquals(error.message, "access_denied: not today");
    },
  );
}

clientTest(
  "fromKvform without raiseErrors returns an empty token with the error",
  [],
  ({ client }) => {
    const { token, response } = AccessToken.fromKvform(client, FRAGMENT);
    assertEquals([token, response?.error?.code, response?.status], [
      "",
      "access_denied",
      400,
    ]);
  },
  { raiseErrors: false },
);

clientTest(
  "fromKvform throws an error beside a token",
  [],
  ({ client }) => {
    const text = "#access_token=monkey&error=access_denied";
    assertThrows(() => AccessToken.fromKvform(client, text), OAuth2Error);
  },
);

clientTest(
  "fromKvform ignores an empty error",
  [],
  ({ client }) => {
    const text = "#access_token=monkey&error=";
    assertEquals(AccessToken.fromKvform(client, text).token, "monkey");
  },
);

const CHALLENGE =
  'Bearer error="of_challenge", error_description="of the challenge", error_uri="https://x.example/challenge"';

const URI = "https://x.example/challenge";

for (
  const [body, code, description, uri] of [
    // The body has a code: its other fields are preferred too.
    [{ error: "of_body" }, "of_body", "of the challenge", URI],
    [
      { error: "of_body", error_description: "of the body" },
      "of_body",
      "of the body",
      URI,
    ],
    [
      { error: "of_body", error_uri: "https://x.example/body" },
      "of_body",
      "of the challenge",
      "https://x.example/body",
    ],
    [
      { error: "of_body", error_description: 5 },
      "of_body",
      "of the challenge",
      URI,
    ],
    // The body has no code that is a string.
    [{}, "of_challenge", "of the challenge", URI],
    [{ error: 5 }, "of_challenge", "of the challenge", URI],
    [{ error: null }, "of_challenge", "of the challenge", URI],
    [{ error: { message: "no" } }, "of_challenge", "of the challenge", URI],
    [{ error: ["x"] }, "of_challenge", "of the challenge", URI],
    [
      { error_description: "of the body" },
      "of_challenge",
      "of the challenge",
      URI,
    ],
    ["plain text", "of_challenge", "of the challenge", URI],
    [["a", "list"], "of_challenge", "of the challenge", URI],
  ] as const
) {
  clientTest(
    `OAuth2Error of ${
      JSON.stringify(body)
    } and a challenge has the code ${code}`,
    [onResource({
      status: 401,
      headers: { ...JSON_HEADERS, "www-authenticate": CHALLENGE },
      body: JSON.stringify(body),
    })],
    async ({ client }) => {
      const error = await oauth2Error(client.request("get", "/from"));
      assertEquals(
        [error.code, error.description, error.uri],
        [code, description, uri],
      );
    },
  );
}

clientTest(
  "OAuth2Error reads the description of the body if the challenge has only a code",
  [onResource({
    status: 401,
    headers: {
      "content-type": "application/json",
      "www-authenticate": 'Bearer error="invalid_token"',
    },
    body: JSON.stringify({ error_description: "it expired" }),
  })],
  async ({ client }) => {
    const error = await oauth2Error(client.request("get", "/from"));
    assertEquals([error.code, error.description], [
      "invalid_token",
      "it expired",
    ]);
  },
);

clientTest(
  "OAuth2Error of an invalid body has the code of the challenge",
  [
    onResource({
      status: 401,
      headers: {
        "content-type": "application/json",
        "www-authenticate": CHALLENGE,
      },
      body: "<p>",
    }),
    onToken({
      status: 401,
      headers: { ...FORM_HEADERS, "www-authenticate": CHALLENGE },
      body: "",
    }),
  ],
  async ({ client }) => {
    for (const call of [client.request("get", "/from"), client.getToken()]) {
      assertEquals((await oauth2Error(call)).code, "of_challenge");
    }
  },
);

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

clientTest(
  "request that sends null, true and {} as secrets keeps the words of the error",
  [onResource(
    json({ error: "null", error_description: "true or null" }, 400),
    { method: "POST" },
  )],
  async ({ client }) => {
    const headers = { "content-type": "application/json" };
    const body = { token: null, password: true, key: {}, secret: [[]] };
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
