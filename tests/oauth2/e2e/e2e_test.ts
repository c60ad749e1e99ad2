/** The library against a certified authorization server, over real sockets. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  type ClientOptions,
  ConnectionError,
  discover,
  OAuth2Error,
  pkce,
  randomState,
} from "../../../oauth2/mod.ts";
import {
  AuthorizationServer,
  BASIC,
  BODY,
  JWT,
  PUBLIC,
  REDIRECT_URI,
} from "./authorization_server.ts";
import { Browser } from "./browser.ts";
import { PERSON } from "./pages.ts";
import { ALLOW, Scene } from "./scene.ts";

Deno.test("discover finds the endpoints of an issuer with a path", async () => {
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

Deno.test("discover refuses a server that calls itself otherwise", async () => {
  await using server = await AuthorizationServer.start();
  await assertRejects(() => discover(`${server.issuer}/`), OAuth2Error);
});

Deno.test("discover refuses a realm that the server does not have", async () => {
  await using server = await AuthorizationServer.start();
  const error: OAuth2Error = await assertRejects(
    () => discover(new URL("/other", server.issuer).href),
    OAuth2Error,
  );
  assertEquals(error.status, 404);
});

const KINDS = [["public", PUBLIC], ["confidential", BASIC]] as const;

for (const [kind, registered] of KINDS) {
  Deno.test(`authCode gets a token for a ${kind} client, with PKCE`, async () => {
    await using scene = await Scene.open();
    const token = await scene.getToken(scene.client(registered));
    assertEquals(token.expiresIn, 3600);
    assertEquals(token.expired(), false);
    assertEquals(typeof token.refreshToken, "string");
    assertEquals(typeof token.params.id_token, "string");
    assertEquals(token.params.scope, "openid profile offline_access");
    assertEquals(await scene.isActive(token.token), true);
  });
}

Deno.test("authCode learns of it when the person denies", async () => {
  await using scene = await Scene.open();
  const { challenge, method } = await pkce();
  const url = scene.client(PUBLIC).authCode.authorizeUrl({
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: method,
  });
  const browser = new Browser({ ...ALLOW, decision: "deny" });
  const back = await browser.authorize(url, REDIRECT_URI);
  assertEquals(back.searchParams.get("error"), "access_denied");
});

Deno.test("authCode is refused a code that the server never gave", async () => {
  await using scene = await Scene.open();
  const client = scene.client(BASIC);
  const code = scene.witness.hide(randomState());
  await scene.assertRefused(
    () => client.authCode.getToken(code),
    "invalid_grant",
    400,
  );
});

Deno.test("authCode is refused a code that was used before", async () => {
  await using scene = await Scene.open();
  const client = scene.client(PUBLIC);
  const { code, verifier } = await scene.authorize(client);
  const getToken = () =>
    client.authCode.getToken(code, { code_verifier: verifier });
  const token = scene.witness.see(await getToken());
  await scene.assertRefused(getToken, "invalid_grant", 400);
  // The server takes back what the first use gave (RFC 6749 section 4.1.2).
  assertEquals(await scene.isActive(token.token), false);
});

Deno.test("authCode is refused a verifier of another request", async () => {
  await using scene = await Scene.open();
  const client = scene.client(PUBLIC);
  const { code } = await scene.authorize(client);
  const { verifier } = await pkce();
  await scene.assertRefused(
    () => client.authCode.getToken(code, { code_verifier: verifier }),
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
  Deno.test(`clientCredentials gets a token with ${authScheme}`, async () => {
    await using scene = await Scene.open();
    const client = scene.client(registered, {
      authScheme,
      ...(authScheme === "private_key_jwt"
        ? {
          assertionKey: {
            algorithm: "ES256",
            key: scene.server.key,
            kid: JWT.kid,
          },
        }
        : {}),
    });
    // Twice: an assertion of a client is good for one request.
    for (const _ of [1, 2]) {
      const token = scene.witness.see(
        await client.clientCredentials.getToken(),
      );
      assertEquals(token.expiresIn, 3600);
      assertEquals(token.refreshToken, undefined);
      assertEquals(await scene.isActive(token.token), true);
    }
  });
}

for (const authScheme of ["basic_auth", "request_body"] as const) {
  Deno.test(`clientCredentials is refused a wrong secret with ${authScheme}`, async () => {
    await using scene = await Scene.open();
    const { id } = authScheme === "basic_auth" ? BASIC : BODY;
    const client = scene.client({ id, secret: "errado: 1% + 2" }, {
      authScheme,
    });
    await scene.assertRefused(
      () => client.clientCredentials.getToken(),
      "invalid_client",
      401,
    );
  });
}

Deno.test("clientCredentials is refused a secret in the raw form", async () => {
  await using scene = await Scene.open();
  const client = scene.client(BASIC, { basicAuthEncoding: "raw" });
  await scene.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_request",
    400,
  );
});

Deno.test("clientCredentials is refused an assertion of another key", async () => {
  await using scene = await Scene.open();
  const { privateKey: key } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign", "verify"],
  );
  const client = scene.client(JWT, {
    authScheme: "private_key_jwt",
    assertionKey: { algorithm: "ES256", key, kid: JWT.kid },
  });
  await scene.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_client",
    401,
  );
});

Deno.test("clientCredentials gives an empty token and the error with raiseErrors off", async () => {
  await using scene = await Scene.open();
  const client = scene.client({ ...BASIC, secret: "errado: 3% + 4" }, {
    raiseErrors: false,
  });
  const token = scene.witness.see(await client.clientCredentials.getToken());
  assertEquals(token.token, "");
  assertEquals(token.response?.status, 401);
  assertEquals(token.response?.error?.code, "invalid_client");
});

Deno.test("password is refused by a server that does not offer it", async () => {
  await using scene = await Scene.open();
  const client = scene.client(BASIC);
  await scene.assertRefused(
    () => client.password.getToken(PERSON.login, PERSON.password),
    "unsupported_grant_type",
    400,
  );
});

Deno.test("assertion is refused by a server that does not offer it", async () => {
  await using scene = await Scene.open();
  const client = scene.client(BASIC);
  await scene.assertRefused(
    () =>
      client.assertion.getToken({ iss: BASIC.id, aud: scene.server.issuer }, {
        algorithm: "ES256",
        key: scene.server.key,
      }),
    "unsupported_grant_type",
    400,
  );
});

Deno.test("clientCredentials is refused a client that may not use them", async () => {
  await using scene = await Scene.open();
  const client = scene.client(PUBLIC);
  await scene.assertRefused(
    () => client.clientCredentials.getToken(),
    "invalid_request",
    400,
  );
});

for (const tokenMethod of ["post", "get"] as const) {
  Deno.test(`clientCredentials by ${tokenMethod} tells of a server that is gone, and no secret`, async () => {
    await using scene = await Scene.open();
    const client = scene.client(BODY, {
      authScheme: "request_body",
      tokenMethod,
    });
    await scene.server.close();
    const error: ConnectionError = await assertRejects(
      () => client.clientCredentials.getToken(),
      ConnectionError,
    );
    scene.witness.see(error);
    assertEquals(error.name, "ConnectionError");
    assertEquals(error.retryable, true);
  });
}

Deno.test("refresh replaces the token and the refresh token", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(PUBLIC));
  const fresh = scene.witness.see(await token.refresh());
  assertEquals(fresh.token === token.token, false);
  assertEquals(fresh.refreshToken === token.refreshToken, false);
  assertEquals(await scene.isActive(fresh.token), true);
  const again = scene.witness.see(await fresh.refresh());
  assertEquals(again.refreshToken === fresh.refreshToken, false);
});

Deno.test("refresh is refused a refresh token that was used before", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(BASIC));
  const fresh = scene.witness.see(await token.refresh());
  for (const used of [token, fresh]) {
    // The replay of the first ends what the second was worth (RFC 9700 4.14.2).
    await scene.assertRefused(() => used.refresh(), "invalid_grant", 400);
  }
});

Deno.test("refresh works for a token that was stored meanwhile", async () => {
  await using scene = await Scene.open();
  const client = scene.client(BASIC);
  const stored = JSON.stringify((await scene.getToken(client)).toHash());
  const token = AccessToken.fromHash(client, JSON.parse(stored));
  const fresh = scene.witness.see(await scene.witness.see(token).refresh());
  assertEquals(await scene.isActive(fresh.token), true);
});

Deno.test("revoke ends an access token", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(BASIC));
  assertEquals(await scene.isActive(token.token), true);
  const response = scene.witness.see(await token.revoke());
  assertEquals(response.status, 200);
  assertEquals(await scene.isActive(token.token), false);
  await scene.assertRefused(
    () => token.get(scene.userinfoUrl),
    "invalid_token",
    401,
  );
});

Deno.test("revoke ends a refresh token", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(PUBLIC));
  scene.witness.see(await token.revoke({ token_type_hint: "refresh_token" }));
  await scene.assertRefused(() => token.refresh(), "invalid_grant", 400);
  assertEquals(await scene.isActive(token.token), false);
});

Deno.test("revokeToken is refused a wrong secret", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(BASIC));
  const client = scene.client({ ...BASIC, secret: "errado: 5% + 6" });
  await scene.assertRefused(
    () => client.revokeToken(token.token),
    "invalid_client",
    401,
  );
  assertEquals(await scene.isActive(token.token), true);
});

Deno.test("get uses a token for a resource and reads the answer", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(PUBLIC));
  const response = scene.witness.see(await token.get(scene.userinfoUrl));
  assertEquals(response.status, 200);
  assertEquals(response.contentType, "application/json");
  assertEquals(response.parsed, {
    sub: PERSON.login,
    name: PERSON.claims.name,
  });
});

Deno.test("post sends a token in the body with mode body", async () => {
  await using scene = await Scene.open();
  const client = scene.client(PUBLIC);
  const { token } = await scene.getToken(client);
  const inBody = scene.witness.see(
    new AccessToken(client, token, {}, { mode: "body" }),
  );
  const response = scene.witness.see(await inBody.post(scene.userinfoUrl));
  assertEquals((response.parsed as { sub: string }).sub, PERSON.login);
});

Deno.test("get is refused a token that the server never gave", async () => {
  await using scene = await Scene.open();
  const unknown = scene.witness.hide(randomState());
  const token = scene.witness.see(
    new AccessToken(scene.client(PUBLIC), unknown),
  );
  await scene.assertRefused(
    () => token.get(scene.userinfoUrl),
    "invalid_token",
    401,
  );
});

Deno.test("get is refused a token that has expired", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(PUBLIC));
  scene.server.expire(token.token);
  await scene.assertRefused(
    () => token.get(scene.userinfoUrl),
    "invalid_token",
    401,
  );
  const fresh = scene.witness.see(await token.refresh());
  const response = scene.witness.see(await fresh.get(scene.userinfoUrl));
  assertEquals(response.status, 200);
});

Deno.test("get gives a refusal back with raiseErrors off", async () => {
  await using scene = await Scene.open();
  const token = scene.witness.see(
    new AccessToken(scene.client(PUBLIC), randomState()),
  );
  const response = scene.witness.see(
    await token.get(scene.userinfoUrl, { raiseErrors: false }),
  );
  assertEquals(response.status, 401);
  assertEquals(response.error?.code, "invalid_token");
});

Deno.test("debug logs each exchange and keeps what is not secret readable", async () => {
  await using scene = await Scene.open();
  const token = await scene.getToken(scene.client(BASIC));
  scene.witness.see(await token.refresh());
  const log = scene.witness.lines.join("\n");
  for (
    const part of [
      scene.found.tokenUrl,
      "authorization_code",
      "refresh_token",
      "[FILTERED]",
    ]
  ) {
    assertEquals(log.includes(part), true, part);
  }
});
