/** Use, refresh, revocation and introspection of tokens. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { AccessToken, randomState } from "../../../oauth2/mod.ts";
import type { Cases } from "../case.ts";
import { CONFIDENTIAL, OTHER, PUBLIC } from "../registered.ts";
import type { Session } from "../session.ts";

/** Cases of tokens. */
export const TOKENS: Cases = {
  "userinfo": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const response = session.witness.see(
      await token.get(session.endpoint("userinfo_endpoint")),
    );
    const { sub } = response.parsed as { sub: unknown };
    assert(typeof sub === "string" && sub !== "");
  },

  "userinfo, token in the body": async (session) => {
    const client = session.client(CONFIDENTIAL);
    const { token } = await session.getToken(client);
    const inBody = new AccessToken(client, token, {}, { mode: "body" });
    const response = session.witness.see(
      await inBody.post(session.endpoint("userinfo_endpoint")),
    );
    assertEquals(response.status, 200);
  },

  "userinfo, unknown token: refused": (session) =>
    assertUseless(session, session.witness.hide(randomState())),

  "userinfo, expired token: refused": async (session) => {
    const { userinfo, token } = await session.server.expired();
    await assertUseless(session, session.witness.hide(token), userinfo);
  },

  "userinfo, revoked token: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const userinfo = session.endpoint("userinfo_endpoint");
    session.witness.see(await token.get(userinfo));
    session.witness.see(
      await token.revoke({ token_type_hint: "access_token" }),
    );
    await assertUseless(session, token.token);
  },

  "refresh with rotation": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const fresh = session.witness.see(await token.refresh());
    assertNotEquals(fresh.token, token.token);
    assertNotEquals(fresh.refreshToken, token.refreshToken);
    const stored = JSON.stringify(fresh.toHash());
    const again = AccessToken.fromHash(fresh.client, JSON.parse(stored));
    session.witness.see(await again.refresh());
  },

  "refresh with rotation, public client": async (session) => {
    const token = await session.getToken(session.client(PUBLIC));
    const fresh = session.witness.see(await token.refresh());
    assertNotEquals(fresh.refreshToken, token.refreshToken);
  },

  "refresh twice at once: one request": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const before = session.requests.length;
    const [fresh, same] = await Promise.all([token.refresh(), token.refresh()]);
    assertEquals(session.requests.length - before, 1);
    assertEquals(fresh.token, same.token);
    assertEquals(fresh.refreshToken, same.refreshToken);
    // The provider has not ended the session for a replay.
    session.witness.see(await fresh.refresh());
  },

  "refresh, token used before: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    session.witness.see(await token.refresh());
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "refresh, unknown token: refused": (session) => {
    const client = session.client(CONFIDENTIAL);
    const refresh_token = session.witness.hide(randomState());
    const token = AccessToken.fromHash(client, {
      access_token: session.witness.hide(randomState()),
      refresh_token,
    });
    return session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "refresh, token of another client: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const stolen = AccessToken.fromHash(session.client(OTHER), token.toHash());
    await session.assertRefused(() => stolen.refresh(), "invalid_grant");
  },

  "refresh, unknown scope: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    await session.assertRefused(
      () => token.refresh({ scope: "openid nonsense" }),
      "invalid_scope",
    );
  },

  "revocation: the refresh token is refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const response = await token.revoke({ token_type_hint: "refresh_token" });
    assertEquals(session.witness.see(response).status, 200);
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "revocation, public client": async (session) => {
    const token = await session.getToken(session.client(PUBLIC));
    session.witness.see(
      await token.revoke({ token_type_hint: "refresh_token" }),
    );
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "revocation, wrong secret: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const client = session.client({ ...CONFIDENTIAL, secret: "wrong: 9% + 0" });
    await session.assertRefused(
      () => client.revokeToken(token.refreshToken ?? "", "refresh_token"),
      "invalid_client",
      // Keycloak.
      "unauthorized_client",
    );
    session.witness.see(await token.refresh());
  },

  "introspection": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    assertEquals(await session.isActive(token.token), true);
  },

  "introspection, unknown token: not active": async (session) => {
    const token = session.witness.hide(randomState());
    assertEquals(await session.isActive(token), false);
  },

  "introspection, revoked token: not active": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    session.witness.see(
      await token.revoke({ token_type_hint: "access_token" }),
    );
    assertEquals(await session.isActive(token.token), false);
  },

  "introspection, wrong secret: refused": async (session) => {
    const token = await session.getToken(session.client(CONFIDENTIAL));
    const client = session.client({ ...CONFIDENTIAL, secret: "wrong: 1% + 0" });
    await session.assertRefused(
      () => session.isActive(token.token, client),
      "invalid_client",
      // Keycloak, and Django OAuth Toolkit, whose answer names no code.
      "invalid_request",
      "",
    );
  },
};

/** Fails unless userinfo refuses a token. */
async function assertUseless(
  session: Session,
  token: string,
  userinfo: string = session.endpoint("userinfo_endpoint"),
): Promise<void> {
  const used = new AccessToken(session.client(CONFIDENTIAL), token);
  await session.assertRefused(
    () => session.witness.see(used).get(userinfo),
    "invalid_token",
  );
}
