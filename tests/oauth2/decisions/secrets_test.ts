/** What is printed, told in errors and logged holds no secret. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken } from "../../../oauth2/mod.ts";
import type { Answer } from "../fake_fetch.ts";
import { print } from "../print.ts";
import {
  asked,
  assertHidden,
  CLAIMS,
  clientTest,
  json,
  oauth2Error,
  redirect,
  visited,
} from "../testing.ts";

const LEAKY = {
  access_token: "monkey123",
  refresh_token: "rhesus456",
  note: "private789",
};

clientTest(
  "printing shows no secret of client, token and response",
  [
    asked(json(LEAKY)),
    visited({
      status: 200,
      headers: { "set-cookie": "session=private789" },
      body: "private789",
    }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    const response = await token.get("/from");
    for (const thing of [client, client.authCode, response, token.response]) {
      assertHidden(print(thing));
    }
    const printed = print(token);
    for (const secret of ["hush-hush", "monkey123", "rhesus456"]) {
      assert(!printed.includes(secret), printed);
    }
    assert(printed.includes("[FILTERED]"), printed);
  },
);

for (
  const [name, respond] of [
    ["an OAuth error", json({ error: "x", ...LEAKY }, 400)],
    [
      "an error whose description repeats secrets",
      json({
        error: "invalid_token",
        error_description: "rhesus456 of hush-hush is expired",
      }, 401),
    ],
    ["an error page", { status: 500, body: "<p>private789</p>" }],
    ["no token", json({ ...LEAKY, access_token: null })],
    ["an unusable token", json({ ...LEAKY, token_type: "mac" })],
    ["a body that is not JSON", {
      status: 200,
      headers: { "content-type": "application/json" },
      body: "{private789",
    }],
    ["a redirect", redirect("https://x.example/?access_token=monkey123")],
    ["a lost connection", { fail: "cannot send rhesus456 with hush-hush" }],
  ] as [string, Answer][]
) {
  clientTest(
    `an error because of ${name} shows no secret`,
    [
      asked(respond),
      visited(respond, { query: { client_secret: "hush-hush" } }),
    ],
    async ({ client }) => {
      const hash = { access_token: "monkey123", refresh_token: "rhesus456" };
      const token = AccessToken.fromHash(client, hash);
      for (
        const call of [
          () => token.refresh({ api_secret: "hush-hush" }),
          () =>
            token.get("/from", {
              params: { client_secret: "hush-hush" },
              headers: { "x-refresh-token": "rhesus456" },
            }),
        ]
      ) {
        const outcome = await call().catch((error) => error);
        if (outcome instanceof Error) assertHidden(outcome.message);
        assertHidden(print(outcome));
      }
    },
  );
}

clientTest(
  "an error of a resource does not repeat the token",
  [visited(json({
    error: "invalid_token monkey123",
    error_description: "the token monkey123 is expired",
    error_uri: "https://x.example/?q=monkey123",
  }, 401))],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "monkey123" });
    const error = await oauth2Error(token.get("/from"));
    assertEquals(error.description, "the token [FILTERED] is expired");
    assertHidden(print(error));
  },
);

clientTest("an error of misuse shows no secret", [], async ({ client }) => {
  const token = AccessToken.fromHash(client, { access_token: "monkey123" });
  for (
    const call of [
      () => token.refresh({ note: "private789" }),
      () => token.revoke({ token_type_hint: "refresh_token" }),
      () => token.get("http://x.example/?access_token=monkey123"),
      () => client.authCode.authorizeUrl({ client_secret: "hush-hush" }),
      () => AccessToken.fromHash(client, { note: "private789" }),
      () => client.assertion.getToken(CLAIMS, { algorithm: "x", ...KEY }),
    ]
  ) {
    // It may throw at once or reject.
    const error = await (async () => await call())().catch((error) => error);
    assert(error instanceof Error);
    assertHidden(print(error));
  }
});
const KEY = { key: "private789" };
