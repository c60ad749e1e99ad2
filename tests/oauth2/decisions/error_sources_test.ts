/** Where the code and the description of an error are read: body, challenge, fragment. */
import { assertEquals, assertThrows } from "@std/assert";
import { AccessToken, OAuth2Error } from "../../../oauth2/mod.ts";
import {
  asked,
  clientTest,
  FORM,
  json,
  oauth2Error,
  visited,
} from "../testing.ts";

const FRAGMENT = "#error=access_denied&error_description=not%20today" +
  "&error_uri=https%3A%2F%2Fx.example%2Fhelp&state=xyz";

for (const text of [FRAGMENT, FRAGMENT.replace("#", "?"), FRAGMENT.slice(1)]) {
  clientTest(
    `fromKvform of ${text.slice(0, 21)}… throws the error that it tells`,
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
  "fromKvform without raiseErrors gives an empty token with the error",
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
  "fromKvform takes an error beside a token for an error",
  [],
  ({ client }) => {
    const text = "#access_token=monkey&error=access_denied";
    assertThrows(() => AccessToken.fromKvform(client, text), OAuth2Error);
  },
);

clientTest(
  "fromKvform takes an empty error for none",
  [],
  ({ client }) => {
    const text = "#access_token=monkey&error=";
    assertEquals(AccessToken.fromKvform(client, text).token, "monkey");
  },
);

clientTest(
  "fromKvform retries nothing that the user refused",
  [],
  ({ client }) => {
    for (
      const [code, retryable] of [
        ["access_denied", false],
        ["temporarily_unavailable", true],
      ] as const
    ) {
      const error = assertThrows(
        () => AccessToken.fromKvform(client, `#error=${code}`),
        OAuth2Error,
      ) as OAuth2Error;
      assertEquals([error.code, error.retryable], [code, retryable]);
    }
  },
);

for (
  const [challenge, code, description] of [
    ['Bearer error="invalid_token"', "invalid_token", undefined],
    ['Bearer Error="invalid_token"', "invalid_token", undefined],
    [
      'bearer ERROR="invalid_token", Error_Description="it expired"',
      "invalid_token",
      "it expired",
    ],
    ["Bearer eRRoR=invalid_token", "invalid_token", undefined],
    [
      'DPoP realm="x", Error="invalid_dpop_proof"',
      "invalid_dpop_proof",
      undefined,
    ],
  ] as const
) {
  clientTest(
    `an error has the code of the challenge ${challenge}`,
    [visited({ status: 401, headers: { "www-authenticate": challenge } })],
    async ({ client }) => {
      const error = await oauth2Error(client.request("get", "/from"));
      assertEquals([error.code, error.description], [code, description]);
    },
  );
}

const CHALLENGE =
  'Bearer error="of_challenge", error_description="said by it", error_uri="https://x.example/challenge"';
const URI = "https://x.example/challenge";
for (
  const [body, code, description, uri] of [
    // The code is the body's: so is what the body tells besides.
    [{ error: "of_body" }, "of_body", "said by it", URI],
    [
      { error: "of_body", error_description: "said by body" },
      "of_body",
      "said by body",
      URI,
    ],
    [
      { error: "of_body", error_uri: "https://x.example/body" },
      "of_body",
      "said by it",
      "https://x.example/body",
    ],
    [{ error: "of_body", error_description: 5 }, "of_body", "said by it", URI],
    // The body has no code that is text: the challenge's.
    [{}, "of_challenge", "said by it", URI],
    [{ error: 5 }, "of_challenge", "said by it", URI],
    [{ error: null }, "of_challenge", "said by it", URI],
    [{ error: { message: "no" } }, "of_challenge", "said by it", URI],
    [{ error: ["x"] }, "of_challenge", "said by it", URI],
    [
      { error_description: "said by body" },
      "of_challenge",
      "said by it",
      URI,
    ],
    ["plain text", "of_challenge", "said by it", URI],
    [["a", "list"], "of_challenge", "said by it", URI],
  ] as const
) {
  clientTest(
    `an error of ${
      JSON.stringify(body)
    } beside a challenge has the code ${code}`,
    [visited({
      ...json(body) as { body: string },
      status: 401,
      headers: {
        "content-type": "application/json",
        "www-authenticate": CHALLENGE,
      },
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
  "an error takes the description of the body where the challenge has a code alone",
  [visited({
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
  "an error of a body that is not what its type says has the code of the challenge",
  [
    visited({
      status: 401,
      headers: {
        "content-type": "application/json",
        "www-authenticate": CHALLENGE,
      },
      body: "<p>",
    }),
    asked({
      status: 401,
      headers: { ...FORM, "www-authenticate": CHALLENGE },
      body: "",
    }),
  ],
  async ({ client }) => {
    for (const call of [client.request("get", "/from"), client.getToken()]) {
      assertEquals((await oauth2Error(call)).code, "of_challenge");
    }
  },
);
