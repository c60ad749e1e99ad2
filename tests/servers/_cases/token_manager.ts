/** Cases of the token manager. */
import { assertEquals } from "@std/assert";
import { TokenManager } from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { CONFIDENTIAL } from "../_clients.ts";
import type { Cases, Session } from "../_session.ts";

/** Managers of one session, as in several processes. */
async function share(session: Session, changes: Record<string, unknown>) {
  const requests: string[] = [];
  const client = session.client(CONFIDENTIAL, {
    fetch: (url, init) => {
      requests.push(url);
      return session.witness.fetch(url, init);
    },
  });
  const userinfo = session.endpoint("userinfo_endpoint");
  const store = new MemoryStore();
  const managers = Array.from({ length: 2 }, () =>
    new TokenManager({
      client,
      store,
      key: "session",
      allowedOrigins: [userinfo],
    }));
  const token = await session.getToken();
  const fields = { ...token.toHash(), ...changes };
  await managers[0]!.set(AccessToken.fromHash(client, fields));
  return {
    managers,
    async assertServed() {
      const calls = Array.from(
        { length: 10 },
        (_, i) => managers[i % 2]!.fetch(userinfo),
      );
      for (const response of await Promise.all(calls)) {
        assertEquals(response.status, 200);
        await response.body?.cancel();
      }
      return requests.filter((url) => url === client.tokenUrl()).length;
    },
  };
}

/** Cases of the token manager. */
export const TOKEN_MANAGER = {
  "token manager: one refresh for two managers": async (session) => {
    const { assertServed } = await share(session, { expires_at: 1 });
    assertEquals(await assertServed(), 1);
    assertEquals(await assertServed(), 1);
  },

  "token manager: a rejected token is renewed": async (session) => {
    const { assertServed } = await share(session, {
      access_token: "unknown",
      // As if it was issued some time ago.
      expires_in: 3600,
      expires_at: Math.floor(Date.now() / 1000) + 3000,
    });
    assertEquals(await assertServed(), 1);
  },
} satisfies Cases;
