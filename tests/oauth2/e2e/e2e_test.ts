/** Calls to a certified authorization server, over sockets. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  type ClientOptions,
  ConnectionError,
  discover,
  OAuth2Error,
  pkce,
} from "../../../oauth2/mod.ts";
import { generateAssertionKey } from "../_jwt.ts";
import {
  AuthorizationServer,
  BASIC,
  BODY,
  JWT,
  PUBLIC,
} from "./_authorization_server.ts";
import { PERSON } from "./_pages.ts";
import { Fixture } from "./_fixture.ts";

Deno.test("discover returns the endpoints of an issuer with a path", async () => {
  await using server = await AuthorizationServer.start({ realm: "um/dois" });
  const { metadata, ...found } = await discover(server.issuer);
  assertEquals(found, {
    issuer: server.issuer,
    site: server.issuer,
    authorizeUrl: `${server.issuer}/auth`,
    tokenUrl: `${server.issuer}/token`,
    revokeUrl: `${server.issuer}/token/revocation`,
    authScheme: "basic_auth",
  });
  assertEquals(metadata.userinfo_endpoint, `${server.issuer}/me`);
});

Deno.test("discover refuses an issuer with an additional slash at the server", async () => {
  await using server = await AuthorizationServer.start();
  await assertRejects(() => discover(`${server.issuer}/`), OAuth2Error);
});

Deno.test("discover rejects with 404 for an unknown realm", async () => {
  await using server = await AuthorizationServer.start();
  const error: OAuth2Error = await assertRejects(
    () => discover(new URL("/other", server.issuer).href),
    OAuth2Error,
  );
  assertEquals(error.status, 404);
});

const KINDS = [["public", PUBLIC], ["confidential", BASIC]] as const;

for (const [kind, registered] of KINDS) {
  Deno.test(`authCode.getToken of a ${kind} client returns a token with PKCE`, async () => {
    await using fixture = await Fixture.open();
    const token = await fixture.getToken(fixture.client(registered));
    assertEquals(token.expiresIn, 3600);
    assertEquals(token.expired(), false);
    assertEquals(typeof token.refreshToken, "string");
    assertEquals(typeof token.params.id_token, "string");
    assertEquals(token.params.scope, "openid profile offline_access");
    assertEquals(await fixture.isActive(token.token), true);
  });
}

Deno.test("authCode.getToken throws invalid_grant for a used code", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(PUBLIC);
  const { code, verifier } = await fixture.authorize(client);
  const getToken = () =>
    client.authCode.getToken(code, { code_verifier: verifier });
  const token = fixture.witness.see(await getToken());
  await fixture.assertRefused(getToken, "invalid_grant", 400);
  // The server revokes the token of the first use (RFC 6749 section 4.1.2).
  assertEquals(await fixture.isActive(token.token), false);
});

Deno.test("authCode.getToken throws invalid_grant for another code_verifier", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(PUBLIC);
  const { code } = await fixture.authorize(client);
  const { code_verifier } = await pkce();
  await fixture.assertRefused(
    () => client.authCode.getToken(code, { code_verifier }),
    "invalid_grant",
    400,
  );
});

const SCHEMES: readonly (readonly [
  scheme: NonNullable<ClientOptions["authScheme"]>,
  registered: { id: string; secret?: string },
])[] = [
  ["basic_auth", BASIC],
  ["request_body", BODY],
  ["private_key_jwt", JWT],
];

for (const [authScheme, registered] of SCHEMES) {
  Deno.test(`clientCredentials.getToken returns a token with ${authScheme}`, async () => {
    await using fixture = await Fixture.open();
    const client = fixture.client(registered, {
      authScheme,
      ...(authScheme === "private_key_jwt"
        ? {
          assertionKey: {
            algorithm: "ES256",
            key: fixture.server.key,
            kid: JWT.kid,
          },
        }
        : {}),
    });
    // A client assertion is valid for one request.
    for (const _ of [1, 2]) {
      const token = fixture.witness.see(
        await client.clientCredentials.getToken(),
      );
      assertEquals(token.expiresIn, 3600);
      assertEquals(token.refreshToken, undefined);
      assertEquals(await fixture.isActive(token.token), true);
    }
  });
}

for (const authScheme of ["basic_auth", "request_body"] as const) {
  Deno.test(`clientCredentials.getToken throws invalid_client for a wrong secret with ${authScheme}`, async () => {
    await using fixture = await Fixture.open();
    const { id } = authScheme === "basic_auth" ? BASIC : BODY;
    const client = fixture.client({ id, secret: "errado: 1% + 2" }, {
      authScheme,
    });
    await fixture.assertRefused(
      () => client.clientCredentials.getToken(),
      "invalid_client",
      401,
    );
  });
}

Deno.test("clientCredentials.getToken throws invalid_request with basicAuthEncoding raw", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(BASIC, { basicAuthEncoding: "raw" });
  await fixture.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_request",
    400,
  );
});

Deno.test("clientCredentials.getToken throws invalid_client for an assertion of another key", async () => {
  await using fixture = await Fixture.open();
  const assertionKey = { ...await generateAssertionKey(), kid: JWT.kid };
  const client = fixture.client(JWT, {
    authScheme: "private_key_jwt",
    assertionKey,
  });
  await fixture.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_client",
    401,
  );
});

Deno.test("assertion.getToken throws unsupported_grant_type", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(BASIC);
  await fixture.assertRefused(
    () =>
      client.assertion.getToken({ iss: BASIC.id, aud: fixture.server.issuer }, {
        algorithm: "ES256",
        key: fixture.server.key,
      }),
    "unsupported_grant_type",
    400,
  );
});

for (const tokenMethod of ["post", "get"] as const) {
  Deno.test(`clientCredentials.getToken by ${tokenMethod} throws a redacted ConnectionError without a server`, async () => {
    await using fixture = await Fixture.open();
    const client = fixture.client(BODY, {
      authScheme: "request_body",
      tokenMethod,
    });
    await fixture.server.close();
    const error: ConnectionError = await assertRejects(
      () => client.clientCredentials.getToken(),
      ConnectionError,
    );
    fixture.witness.see(error);
    assertEquals(error.name, "ConnectionError");
    assertEquals(error.retryable, true);
  });
}

Deno.test("refresh returns another token and refresh token", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(PUBLIC));
  const fresh = fixture.witness.see(await token.refresh());
  assertEquals(fresh.token === token.token, false);
  assertEquals(fresh.refreshToken === token.refreshToken, false);
  assertEquals(await fixture.isActive(fresh.token), true);
  const again = fixture.witness.see(await fresh.refresh());
  assertEquals(again.refreshToken === fresh.refreshToken, false);
});

Deno.test("refresh throws invalid_grant for a used refresh token", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(BASIC));
  const fresh = fixture.witness.see(await token.refresh());
  for (const used of [token, fresh]) {
    // The replay also revokes the second token (RFC 9700 section 4.14.2).
    await fixture.assertRefused(() => used.refresh(), "invalid_grant", 400);
  }
});

Deno.test("refresh of a stored token returns a new one", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(BASIC);
  const stored = JSON.stringify((await fixture.getToken(client)).toHash());
  const token = AccessToken.fromHash(client, JSON.parse(stored));
  const fresh = fixture.witness.see(await fixture.witness.see(token).refresh());
  assertEquals(await fixture.isActive(fresh.token), true);
});

Deno.test("revoke revokes an access token", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(BASIC));
  assertEquals(await fixture.isActive(token.token), true);
  const response = fixture.witness.see(await token.revoke());
  assertEquals(response.status, 200);
  assertEquals(await fixture.isActive(token.token), false);
  await fixture.assertRefused(
    () => token.get(fixture.userinfoUrl),
    "invalid_token",
    401,
  );
});

Deno.test("revoke revokes a refresh token", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(PUBLIC));
  fixture.witness.see(await token.revoke({ token_type_hint: "refresh_token" }));
  await fixture.assertRefused(() => token.refresh(), "invalid_grant", 400);
  assertEquals(await fixture.isActive(token.token), false);
});

Deno.test("get sends the token and parses the response", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(PUBLIC));
  const response = fixture.witness.see(await token.get(fixture.userinfoUrl));
  assertEquals(response.status, 200);
  assertEquals(response.contentType, "application/json");
  assertEquals(response.parsed, {
    sub: PERSON.login,
    name: PERSON.claims.name,
  });
});

Deno.test("post sends the token in body mode", async () => {
  await using fixture = await Fixture.open();
  const client = fixture.client(PUBLIC);
  const { token } = await fixture.getToken(client);
  const inBody = fixture.witness.see(
    new AccessToken(client, token, {}, { mode: "body" }),
  );
  const response = fixture.witness.see(await inBody.post(fixture.userinfoUrl));
  assertEquals((response.parsed as { sub: string }).sub, PERSON.login);
});

Deno.test("get throws invalid_token for an expired token", async () => {
  await using fixture = await Fixture.open();
  const token = await fixture.getToken(fixture.client(PUBLIC));
  fixture.server.expire(token.token);
  await fixture.assertRefused(
    () => token.get(fixture.userinfoUrl),
    "invalid_token",
    401,
  );
  const fresh = fixture.witness.see(await token.refresh());
  const response = fixture.witness.see(await fresh.get(fixture.userinfoUrl));
  assertEquals(response.status, 200);
});
