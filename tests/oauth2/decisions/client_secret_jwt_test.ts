/** The method client_secret_jwt (OpenID Connect Core 9), and what private_key_jwt leaves to it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import {
  asked,
  clientTest,
  json,
  JWT_KEY,
  NOW,
  TOKEN_URL,
} from "../testing.ts";

const SECRET = "a secret of sufficient length for HS256";

for (
  const [what, options, audience] of [
    ["the token endpoint", {}, TOKEN_URL],
    [
      "the issuer",
      { issuer: "https://issuer.example" },
      "https://issuer.example",
    ],
  ] as const
) {
  clientTest(
    `client_secret_jwt signs an assertion for ${what} with the secret, by HS256`,
    [asked(json({ access_token: "m" }), { headers: { authorization: null } })],
    async ({ client, fetch }) => {
      await client.clientCredentials.getToken();
      const fields = new URLSearchParams(fetch.requests[0]!.body);
      assertEquals(fields.get("client_secret"), null);
      assertEquals(
        fields.get("client_assertion_type"),
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      );
      const { payload } = await jwtVerify(
        fields.get("client_assertion")!,
        new TextEncoder().encode(SECRET),
        {
          algorithms: ["HS256"],
          audience,
          issuer: "abc",
          subject: "abc",
          currentDate: new Date(NOW * 1000),
        },
      );
      assert(payload.exp && payload.jti);
    },
    { authScheme: "client_secret_jwt", secret: SECRET, ...options },
  );
}

clientTest(
  "client_secret_jwt revokes and refreshes like any other method",
  [
    asked(json({ access_token: "m", refresh_token: "r" })),
    asked(json({ access_token: "m" })),
    { respond: { status: 200 } },
  ],
  async ({ client, fetch }) => {
    const token = await client.getToken();
    await token.refresh();
    await token.revoke();
    const assertions = fetch.requests.map(({ body }) =>
      new URLSearchParams(body).get("client_assertion")
    );
    assert(!assertions.includes(null));
    assertEquals(new Set(assertions).size, 3);
  },
  { authScheme: "client_secret_jwt", secret: SECRET },
);

clientTest(
  "client_secret_jwt sends an assertion of the caller's as it is",
  [asked(json({ access_token: "m" }))],
  async ({ client, fetch }) => {
    await client.getToken({ client_assertion: "a.b.c" });
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(fields.getAll("client_assertion"), ["a.b.c"]);
  },
  { authScheme: "client_secret_jwt", secret: SECRET },
);

clientTest(
  "client_secret_jwt without a secret is refused, and nothing is sent",
  [],
  async ({ client }) => {
    await assertRejects(
      () => client.getToken(),
      TypeError,
      "client_secret_jwt",
    );
  },
  { authScheme: "client_secret_jwt", secret: null },
);

clientTest(
  "client_secret_jwt beside an Authorization is refused, and nothing is sent",
  [],
  async ({ client }) => {
    const headers = { Authorization: "Basic YTpi" };
    await assertRejects(() => client.getToken({ headers }), TypeError);
  },
  { authScheme: "client_secret_jwt", secret: SECRET },
);

for (const algorithm of ["HS256", "HS384", "HS512"]) {
  for (const authScheme of ["private_key_jwt", undefined] as const) {
    clientTest(
      `private_key_jwt ${
        authScheme ? "by name" : "by its key"
      } refuses ${algorithm} and names client_secret_jwt`,
      [],
      async ({ client }) => {
        const error = await assertRejects(() => client.getToken(), TypeError);
        const { message } = error as Error;
        assert(message.includes("client_secret_jwt"), message);
        assert(!message.includes(JWT_KEY.key), message);
      },
      { authScheme, assertionKey: { ...JWT_KEY, algorithm } },
    );
  }
}

clientTest(
  "assertion.getToken signs by HS256 as before",
  [asked(json({ access_token: "m" }))],
  ({ client }) => client.assertion.getToken({ iss: "otter" }, JWT_KEY),
);
