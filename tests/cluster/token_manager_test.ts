/** Token managers that share a session in Redis or Valkey. */
import { assertEquals, assertRejects } from "@std/assert";
import { Redis as Client } from "ioredis";
import { AccessToken, Client as OAuth2Client } from "../../oauth2/mod.ts";
import { TokenManager, TokenManagerError } from "../../oauth2/manager/mod.ts";
import { RedisStore } from "../../oauth2/stores/mod.ts";
import { RotatingServer } from "../oauth2/manager/_rotating_server.ts";
import { Redis } from "./_redis.ts";
import { testsWith } from "./_tests_with.ts";

const testWithRedis = await testsWith("redis");

const SITE = "https://provider.example";

/** Managers with a connection each, and a session that is about to expire. */
async function open(redis: Redis, count: number, timeout = 10_000) {
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const server = new RotatingServer({ now });
  const client = new OAuth2Client("abc", "secret", {
    site: SITE,
    clock: now,
    logger: { debug() {}, warn() {} },
    fetch: (url, init) => {
      const form = new URLSearchParams(String(init.body));
      const authorization = new Headers(init.headers).get("authorization");
      return Promise.resolve(
        url === `${SITE}/oauth/token`
          ? server.refresh(form.get("refresh_token")!)
          : url === `${SITE}/oauth/revoke`
          ? server.revoke(form.get("token")!)
          : server.serve(authorization),
      );
    },
  });
  const connections = Array.from(
    { length: count },
    () =>
      new Client(redis.url, { protocol: 2, maxRetriesPerRequest: null })
        .on("error", () => {}),
  );
  const managers = connections.map((connection) =>
    new TokenManager({
      client,
      store: new RedisStore(connection),
      key: "ana",
      timeout,
    })
  );
  await managers[0]!.set(AccessToken.fromHash(client, server.login()));
  return {
    server,
    clock,
    managers,
    close: () => connections.forEach((connection) => connection.disconnect()),
  };
}

testWithRedis(
  "TokenManager refreshes once for a hundred callers on four connections",
  async () => {
    await using redis = await Redis.start();
    const { server, clock, managers, close } = await open(redis, 4);
    for (let round = 1; round <= 5; round++) {
      clock.now += 300_000;
      const calls = Array.from(
        { length: 100 },
        (_, i) => managers[i % 4]!.fetch("/me"),
      );
      for (const { status } of await Promise.all(calls)) {
        assertEquals(status, 200);
      }
      assertEquals([server.rotations, server.reuses], [round, []]);
    }
    close();
  },
);

testWithRedis(
  "TokenManager uses a valid token while Redis does not answer, and refreshes it afterwards",
  async () => {
    await using redis = await Redis.start();
    const { server, clock, managers, close } = await open(redis, 2, 200);
    redis.freeze();
    clock.now += 250_000;
    assertEquals((await managers[0]!.fetch("/me")).status, 200);
    clock.now += 50_000;
    const error = await assertRejects(
      () => managers[0]!.fetch("/me"),
      TokenManagerError,
    );
    assertEquals((error as TokenManagerError).code, "store_failed");
    redis.thaw();
    for (const manager of managers) {
      assertEquals((await manager.fetch("/me")).status, 200);
    }
    assertEquals([server.rotations, server.reuses], [1, []]);
    close();
  },
);

testWithRedis(
  "TokenManager.revoke ends a session that other connections renew",
  async () => {
    await using redis = await Redis.start();
    for (let round = 0; round < 10; round++) {
      const { server, clock, managers, close } = await open(redis, 4);
      clock.now += 300_000;
      const calls = managers.map((manager) =>
        manager.token().catch((error) => error.code)
      );
      // After some steps of the renewal, another number in each round.
      for (let i = 0; i < round; i++) await managers[3]!.save();
      await managers[round % 4]!.revoke();
      assertEquals(server.isRevoked, true);
      await Promise.all(calls);
      for (const manager of managers) {
        clock.now += 30_000;
        const error = await assertRejects(
          () => manager.token(),
          TokenManagerError,
        );
        assertEquals((error as TokenManagerError).code, "login_required");
      }
      close();
    }
  },
);
