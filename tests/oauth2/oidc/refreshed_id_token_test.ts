/** ID tokens of refreshes (OpenID Connect Core section 12.2). */
import { assertEquals, assertRejects } from "@std/assert";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { ValidationError } from "../../../oauth2/oidc/mod.ts";
import { SignIn } from "../../../oauth2/sign_in/mod.ts";
import { toBase64Url } from "../../../oauth2/core/base64.ts";
import { tokenOf } from "../_calls.ts";
import { clientTest, createClient } from "../_client.ts";
import { json, onToken } from "../_exchanges.ts";
import { answer, manage, revoked, TOKEN } from "../manager/_managed.ts";

const CLAIMS = {
  iss: "https://provider.example",
  sub: "ana",
  aud: "abc",
  auth_time: 1_700_000_000,
  nonce: "n",
};

/** Creates a JWT whose signature nobody checks. */
function jwt(claims: unknown): string {
  const parts = [{ alg: "RS256" }, claims].map((part) =>
    toBase64Url(new TextEncoder().encode(JSON.stringify(part)))
  );
  return [...parts, "AA"].join(".");
}

const refresh = async (before: unknown, after: unknown) => {
  const client = createClient({
    fetch: () =>
      Promise.resolve(
        Response.json({
          access_token: "ape",
          ...after !== undefined && { id_token: after },
        }),
      ),
  });
  new SignIn(client);
  return await tokenOf(client, { id_token: before }).refresh();
};

for (
  const [name, changes] of [
    ["the same claims", {}],
    ["new times", { iat: 2, exp: 3 }],
    ["a list of one audience", { aud: ["abc"] }],
    ["no nonce", { nonce: undefined }],
    ["no auth_time", { auth_time: undefined }],
    ["another auth_time", { auth_time: 1_700_000_001 }],
  ] as const
) {
  Deno.test(`refresh accepts an ID token with ${name}`, async () => {
    const after = jwt({ ...CLAIMS, ...changes });
    const { params } = await refresh(jwt(CLAIMS), after);
    assertEquals(params.id_token, after);
  });
}

const PARTY = { ...CLAIMS, azp: "abc" };
const LIST = { ...PARTY, aud: ["abc", "api"] };

Deno.test("refresh accepts an ID token without the azp of the login, if it has one audience", async () => {
  const after = jwt(CLAIMS);
  const { params } = await refresh(jwt(PARTY), after);
  assertEquals(params.id_token, after);
});

for (
  const [name, before, after] of [
    ["another azp than the login", PARTY, { ...PARTY, azp: "x" }],
    ["several audiences and no azp", LIST, { ...LIST, azp: undefined }],
  ] as const
) {
  Deno.test(`refresh refuses an ID token with ${name}`, async () => {
    await assertRejects(
      () => refresh(jwt(before), jwt(after)),
      ValidationError,
      "its azp differs from the login",
    );
  });
}

const REFUSED: Readonly<Record<string, [unknown, string]>> = {
  "another issuer": [
    jwt({ ...CLAIMS, iss: "https://x.example" }),
    "invalid_iss",
  ],
  "another user": [jwt({ ...CLAIMS, sub: "eva" }), "invalid_sub"],
  "no user": [jwt({ ...CLAIMS, sub: undefined }), "invalid_sub"],
  "another audience": [jwt({ ...CLAIMS, aud: "x" }), "invalid_aud"],
  "one more audience": [jwt({ ...CLAIMS, aud: ["abc", "x"] }), "invalid_aud"],
  "a new authorized party": [jwt({ ...CLAIMS, azp: "x" }), "invalid_azp"],
  "another nonce": [jwt({ ...CLAIMS, nonce: "m" }), "invalid_nonce"],
  "a text instead": ["text", "malformed_jwt"],
  "a number instead": [7, "malformed_jwt"],
  "claims that are no object": [jwt([CLAIMS]), "malformed_jwt"],
  "claims that are no JSON": ["a.e30x.b", "malformed_jwt"],
};

for (const [name, [after, code]] of Object.entries(REFUSED)) {
  Deno.test(`refresh refuses an ID token with ${name}`, async () => {
    const error = await assertRejects(
      () => refresh(jwt(CLAIMS), after),
      ValidationError,
      "Cannot use the ID token of the refresh",
    ) as ValidationError;
    assertEquals(error.code, code);
  });
}

clientTest(
  "refresh compares an ID token with that of the login, also after a refresh without one",
  [
    onToken(json({ access_token: "ape" })),
    onToken(
      json({ access_token: "ape", id_token: jwt({ ...CLAIMS, sub: "x" }) }),
    ),
  ],
  async ({ client }) => {
    new SignIn(client);
    const token = tokenOf(client, { id_token: jwt(CLAIMS) });
    const second = await token.refresh();
    await assertRejects(() => second.refresh(), ValidationError, "sub");
  },
);

Deno.test("refresh takes any ID token if the login had none that it can read", async () => {
  for (const before of [undefined, "old", "a.b.c"]) {
    const after = jwt({ sub: "eva" });
    assertEquals((await refresh(before, after)).params.id_token, after);
  }
});

for (
  const [name, id_token] of [
    ["the ID token of another user", jwt({ ...CLAIMS, sub: "eva" })],
    ["an ID token that is no JWT", "garbage"],
  ] as const
) {
  Deno.test(`TokenManager ends a session whose refresh returns ${name}`, async () => {
    const setup = await manage({
      token: { ...TOKEN, id_token: jwt(CLAIMS) },
      answers: [answer({ access_token: "x", refresh_token: "y", id_token })],
    });
    setup.clock.now += 3600;
    for (const api of [setup.api, setup.other()]) {
      const error = await assertRejects(() => api.token(), TokenManagerError);
      assertEquals((error as TokenManagerError).code, "login_required");
    }
    // Also the one that came with it.
    assertEquals(revoked(setup.sent), ["y", "refresh-1"]);
  });
}
