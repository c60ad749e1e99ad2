/** Code and description of an error, from body, challenge or fragment. */
import { assertEquals, assertThrows } from "@std/assert";
import { AccessToken, OAuth2Error } from "../../../oauth2/mod.ts";
import { clientTest, oauth2Error } from "../_client.ts";
import {
  FORM_HEADERS,
  JSON_HEADERS,
  onResource,
  onToken,
} from "../_exchanges.ts";

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

clientTest(
  "fromKvform throws access_denied as not retryable",
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
    `OAuth2Error reads the code of the challenge ${challenge}`,
    [onResource({ status: 401, headers: { "www-authenticate": challenge } })],
    async ({ client }) => {
      const error = await oauth2Error(client.request("get", "/from"));
      assertEquals([error.code, error.description], [code, description]);
    },
  );
}

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
