/** Client authentication with client_secret_jwt (OpenID Connect Core section 9). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { jwtVerify } from "jose";
import { clientTest, NOW } from "../_client.ts";
import { json, onToken, TOKEN_URL } from "../_exchanges.ts";
import { HS256_KEY, HS256_SECRET } from "../_jwt.ts";

for (
  const [endpoint, options, audience] of [
    ["the token endpoint", {}, TOKEN_URL],
    [
      "the issuer",
      { issuer: "https://issuer.example" },
      "https://issuer.example",
    ],
    [
      "the issuer of the metadata",
      { metadata: { issuer: "https://issuer.example" } },
      "https://issuer.example",
    ],
  ] as const
) {
  clientTest(
    `client_secret_jwt signs an assertion for ${endpoint} with HS256 and the secret`,
    [onToken(json({ access_token: "m" }), {
      headers: { authorization: null },
    })],
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
        new TextEncoder().encode(HS256_SECRET),
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
    { authScheme: "client_secret_jwt", secret: HS256_SECRET, ...options },
  );
}

clientTest(
  "client_secret_jwt signs a new assertion for refresh and revoke",
  [
    onToken(json({ access_token: "m", refresh_token: "r" })),
    onToken(json({ access_token: "m" })),
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
  { authScheme: "client_secret_jwt", secret: HS256_SECRET },
);

clientTest(
  "client_secret_jwt sends the client_assertion of the caller",
  [onToken(json({ access_token: "m" }))],
  async ({ client, fetch }) => {
    await client.getToken({ client_assertion: "a.b.c" });
    const fields = new URLSearchParams(fetch.requests[0]!.body);
    assertEquals(fields.getAll("client_assertion"), ["a.b.c"]);
  },
  { authScheme: "client_secret_jwt", secret: HS256_SECRET },
);

clientTest(
  "client_secret_jwt without a secret throws and sends nothing",
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
  "client_secret_jwt with an Authorization throws and sends nothing",
  [],
  async ({ client }) => {
    const headers = { Authorization: "Basic YTpi" };
    await assertRejects(() => client.getToken({ headers }), TypeError);
  },
  { authScheme: "client_secret_jwt", secret: HS256_SECRET },
);

for (const algorithm of ["HS256", "HS384", "HS512"]) {
  for (const authScheme of ["private_key_jwt", undefined] as const) {
    clientTest(
      `${
        authScheme ?? "assertionKey"
      } refuses ${algorithm} and names client_secret_jwt`,
      [],
      async ({ client }) => {
        const error = await assertRejects(() => client.getToken(), TypeError);
        const { message } = error as Error;
        assert(message.includes("client_secret_jwt"), message);
        assert(!message.includes(HS256_KEY.key), message);
      },
      { authScheme, assertionKey: { ...HS256_KEY, algorithm } },
    );
  }
}

clientTest(
  "assertion.getToken accepts HS256",
  [onToken(json({ access_token: "m" }))],
  ({ client }) => client.assertion.getToken({ iss: "otter" }, HS256_KEY),
);
