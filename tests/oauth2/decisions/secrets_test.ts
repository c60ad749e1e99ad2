/** Redaction of secrets in printed values and errors. */
import { assert, assertEquals } from "@std/assert";
import { AccessToken } from "../../../oauth2/mod.ts";
import { clientTest, oauth2Error } from "../_client.ts";
import { json, onResource, onToken, redirect } from "../_exchanges.ts";
import type { Answer } from "../_fake_fetch.ts";
import { CLAIMS } from "../_jwt.ts";
import { print } from "../_print.ts";
import { assertHidden } from "../_secrets.ts";

const LEAKY = {
  access_token: "monkey123",
  refresh_token: "rhesus456",
  note: "private789",
};

clientTest(
  "print shows no secret of client, token and response",
  [
    onToken(json(LEAKY)),
    onResource({
      status: 200,
      headers: { "set-cookie": "session=private789" },
      body: "private789",
    }),
  ],
  async ({ client }) => {
    const token = await client.getToken();
    const response = await token.get("/from");
    for (const value of [client, client.authCode, response, token.response]) {
      assertHidden(print(value));
    }
    const printed = print(token);
    for (const secret of ["hush-hush", "monkey123", "rhesus456"]) {
      assert(!printed.includes(secret), printed);
    }
    assert(printed.includes("[FILTERED]"), printed);
  },
);

for (
  const [answer, respond] of [
    ["an OAuth error", json({ error: "x", ...LEAKY }, 400)],
    [
      "an error whose description repeats secrets",
      json({
        error: "invalid_token",
        error_description: "rhesus456 of hush-hush is expired",
      }, 401),
    ],
    ["an error page", { status: 500, body: "<p>private789</p>" }],
    ["a response without a token", json({ ...LEAKY, access_token: null })],
    ["a refused token_type", json({ ...LEAKY, token_type: "mac" })],
    ["invalid JSON", {
      status: 200,
      headers: { "content-type": "application/json" },
      body: "{private789",
    }],
    ["a redirect", redirect("https://x.example/?access_token=monkey123")],
    ["a failed connection", { fail: "cannot send rhesus456 with hush-hush" }],
  ] as [string, Answer][]
) {
  clientTest(
    `refresh and get after ${answer} show no secret`,
    [
      onToken(respond),
      onResource(respond, { query: { client_secret: "hush-hush" } }),
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
  "OAuth2Error redacts the token that a resource server repeats",
  [onResource(json({
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

clientTest(
  "errors of invalid arguments show no secret",
  [],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "monkey123" });
    for (
      const call of [
        () => token.refresh({ note: "private789" }),
        () => token.revoke({ token_type_hint: "refresh_token" }),
        () => token.get("http://x.example/?access_token=monkey123"),
        () => client.authCode.authorizeUrl({ client_secret: "hush-hush" }),
        () => AccessToken.fromHash(client, { note: "private789" }),
        () =>
          client.assertion.getToken(CLAIMS, {
            algorithm: "x",
            key: "private789",
          }),
      ]
    ) {
      // Some calls throw, others reject.
      const error = await (async () => await call())().catch((error) => error);
      assert(error instanceof Error);
      assertHidden(print(error));
    }
  },
);
