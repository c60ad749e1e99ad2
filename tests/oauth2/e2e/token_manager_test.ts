/** Token manager at a certified server, which detects reused refresh tokens. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  TokenManager,
  TokenManagerError,
} from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { BASIC } from "./_authorization_server.ts";
import { Fixture } from "./_fixture.ts";

const HOUR = 3_600_000;

/** Session with managers as in several processes. */
async function open(count = 1) {
  const fixture = await Fixture.open();
  const clock = { offset: 0 };
  const grants: string[] = [];
  const store = new MemoryStore();
  const { tokenUrl } = fixture.found;
  const createClient = () =>
    fixture.client(BASIC, {
      clock: () => Date.now() + clock.offset,
      fetch: (url, init) => {
        if (url === tokenUrl) {
          const form = new URLSearchParams(String(init.body));
          grants.push(form.get("grant_type")!);
        }
        return fixture.witness.fetch(url, init);
      },
    });
  const managers = Array.from(
    { length: count },
    () => new TokenManager({ client: createClient(), store, key: "ana" }),
  );
  const [api] = managers as [TokenManager];
  const token = await fixture.getToken(createClient());
  await api.set(token);
  return {
    fixture,
    clock,
    grants,
    api,
    managers,
    token,
    url: fixture.userinfoUrl,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("TokenManager refreshes once for four managers, and keeps the session for later", async () => {
  await using session = await open(4);
  const { managers, clock, grants, url } = session;
  for (const _ of Array(3)) {
    clock.offset += HOUR;
    const calls = Array.from(
      { length: 40 },
      (_, i) => managers[i % 4]!.fetch(url),
    );
    for (const response of await Promise.all(calls)) {
      assertEquals(response.status, 200);
      await response.body?.cancel();
    }
  }
  assertEquals(grants, [
    "authorization_code",
    ...Array(3).fill("refresh_token"),
  ]);
});

Deno.test("TokenManager renews a token that the server does not know", async () => {
  await using session = await open();
  const { api, clock, grants, token, url } = session;
  // Revoking the token would revoke the refresh token, too.
  const fields = { ...token.toHash(), access_token: "unknown" };
  await api.set(AccessToken.fromHash(token.client, fields));
  clock.offset += 20_000;
  const response = await api.fetch(url);
  assertEquals([response.status, grants.length], [200, 2]);
  await response.body?.cancel();
});

Deno.test("TokenManager ends a session that the server has ended", async () => {
  await using session = await open();
  const { api, clock, token, url } = session;
  await token.revoke({ token_type_hint: "refresh_token" });
  clock.offset += HOUR;
  const error = await assertRejects(() => api.fetch(url), TokenManagerError);
  assertEquals((error as TokenManagerError).code, "login_required");
});

Deno.test("TokenManager.revoke ends a session at the server", async () => {
  await using session = await open();
  const { api, fixture, token } = session;
  await api.revoke();
  assertEquals(await fixture.isActive(token.token), false);
});
