/** Use, refresh, revocation and introspection of tokens. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { AccessToken, type Fetch, randomState } from "../../../oauth2/mod.ts";
import { CONFIDENTIAL, OTHER, PUBLIC } from "../_clients.ts";
import { type Cases, refuses, type Session } from "../_session.ts";

/** Cases of tokens. */
export const TOKENS = {
  "userinfo": async (session) => {
    const token = await session.getToken();
    const response = session.witness.see(
      await token.get(session.endpoint("userinfo_endpoint")),
    );
    const { sub } = response.parsed as { sub: unknown };
    assert(typeof sub === "string" && sub !== "");
  },

  "userinfo, token in the body": async (session) => {
    const { client, token } = await session.getToken();
    const inBody = new AccessToken(client, token, {}, { mode: "body" });
    const response = session.witness.see(
      await inBody.post(session.endpoint("userinfo_endpoint")),
    );
    assertEquals(response.status, 200);
  },

  "userinfo, unknown token: refused": (session) =>
    assertUnusable(session, session.witness.hide(randomState())),

  "userinfo, expired token: refused": async (session) => {
    const { userinfo, token } = await session.server.expired();
    await assertUnusable(session, session.witness.hide(token), userinfo);
  },

  "userinfo, revoked token: refused": async (session) => {
    const token = await session.getToken();
    const userinfo = session.endpoint("userinfo_endpoint");
    session.witness.see(await token.get(userinfo));
    await revoke(session, token, "access_token");
    await assertUnusable(session, token.token);
  },

  "refresh with rotation": async (session) => {
    const token = await session.getToken();
    const fresh = session.assertToken(await token.refresh());
    assertNotEquals(fresh.token, token.token);
    assertNotEquals(fresh.refreshToken, token.refreshToken);
    const stored = JSON.stringify(fresh.toHash());
    const again = AccessToken.fromHash(fresh.client, JSON.parse(stored));
    session.assertToken(await again.refresh());
  },

  "refresh with rotation, public client": async (session) => {
    const token = await session.getToken(PUBLIC);
    const fresh = session.assertToken(await token.refresh());
    assertNotEquals(fresh.refreshToken, token.refreshToken);
  },

  "refresh twice at once: one request": async (session) => {
    let requests = 0;
    const fetch: Fetch = (url, init) => {
      requests++;
      return session.witness.fetch(url, init);
    };
    const { refreshToken } = await session.getToken();
    const client = session.client(CONFIDENTIAL, { fetch });
    const token = AccessToken.fromHash(client, { refresh_token: refreshToken });
    const [fresh, same] = await Promise.all([token.refresh(), token.refresh()]);
    assertEquals(requests, 1);
    assertEquals(fresh.token, same.token);
    assertEquals(fresh.refreshToken, same.refreshToken);
    // A replayed refresh token would have ended the session.
    session.assertToken(await fresh.refresh());
  },

  "refresh, token used before: refused": async (session) => {
    const token = await session.getToken();
    session.assertToken(await token.refresh());
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "refresh, unknown token: refused": refuses((session) => {
    const refresh_token = session.witness.hide(randomState());
    const client = session.client(CONFIDENTIAL);
    return AccessToken.fromHash(client, { refresh_token }).refresh();
  }, "invalid_grant"),

  "refresh, token of another client: refused": async (session) => {
    const token = await session.getToken();
    const stolen = AccessToken.fromHash(session.client(OTHER), token.toHash());
    await session.assertRefused(() => stolen.refresh(), "invalid_grant");
  },

  "refresh, unknown scope: refused": async (session) => {
    const token = await session.getToken();
    await session.assertRefused(
      () => token.refresh({ scope: "openid nonsense" }),
      "invalid_scope",
    );
  },

  "revocation: the refresh token is refused": async (session) => {
    const token = await session.getToken();
    await revoke(session, token, "refresh_token");
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "revocation, public client": async (session) => {
    const token = await session.getToken(PUBLIC);
    await revoke(session, token, "refresh_token");
    await session.assertRefused(() => token.refresh(), "invalid_grant");
  },

  "revocation, wrong secret: refused": async (session) => {
    const token = await session.getToken();
    const client = session.client({ ...CONFIDENTIAL, secret: "wrong: 9% + 0" });
    await session.assertRefused(
      () => client.revokeToken(token.refreshToken ?? "", "refresh_token"),
      "invalid_client",
      // Keycloak.
      "unauthorized_client",
    );
    session.assertToken(await token.refresh());
  },

  "introspection": async (session) => {
    const { token } = await session.getToken();
    assertEquals(await session.isActive(token), true);
  },

  "introspection, unknown token: not active": async (session) => {
    const token = session.witness.hide(randomState());
    assertEquals(await session.isActive(token), false);
  },

  "introspection, revoked token: not active": async (session) => {
    const token = await session.getToken();
    await revoke(session, token, "access_token");
    assertEquals(await session.isActive(token.token), false);
  },

  "introspection, wrong secret: refused": async (session) => {
    const { token } = await session.getToken();
    const client = session.client({ ...CONFIDENTIAL, secret: "wrong: 1% + 0" });
    await session.assertRefused(
      () => session.isActive(token, client),
      "invalid_client",
      // Keycloak, and Django OAuth Toolkit, which returns no code.
      "invalid_request",
      "",
    );
  },
} satisfies Cases;

async function revoke(
  session: Session,
  token: AccessToken,
  token_type_hint: "access_token" | "refresh_token",
): Promise<void> {
  const response = await token.revoke({ token_type_hint });
  assertEquals(session.witness.see(response).status, 200);
}

/** Fails unless userinfo refuses a token. */
async function assertUnusable(
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
