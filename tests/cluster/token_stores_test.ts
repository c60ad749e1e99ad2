/** Stores of a token manager, on real servers. */
import { assertEquals } from "@std/assert";
import { createClient } from "@libsql/client/http";
import { Redis as Client } from "ioredis";
import { LibsqlStore, RedisStore } from "../../oauth2/stores/mod.ts";
import { testStore } from "../oauth2/stores/_contract.ts";
import { Redis } from "./_redis.ts";
import { Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const testWithRedis = await testsWith("redis");
const testWithSqld = await testsWith("sqld");

/** Starts a server, and connects to it. */
async function startRedis() {
  const server = await Redis.start();
  const client = new Client(server.url, { protocol: 2 });
  return {
    client,
    async close() {
      client.disconnect();
      await server[Symbol.asyncDispose]();
    },
  };
}

testStore("RedisStore with ioredis", async () => {
  const { client, close } = await startRedis();
  return { store: new RedisStore(client), close };
}, testWithRedis);

testStore("RedisStore with an expiry", async () => {
  const { client, close } = await startRedis();
  return { store: new RedisStore(client, { ttl: 60 }), close };
}, testWithRedis);

testWithRedis("RedisStore sets prefix and expiry", async () => {
  const { client, close } = await startRedis();
  try {
    const store = new RedisStore(client, { prefix: "app:", ttl: 60 });
    await store.set("ana", "1");
    assertEquals(await client.ttl("app:ana"), 60);
    await client.persist("app:ana");
    await store.compareAndSwap("ana", "1", "2");
    assertEquals(await client.ttl("app:ana"), 60);
    await new RedisStore(client, { prefix: "app:" }).set("ana", "3");
    assertEquals(await client.ttl("app:ana"), -1);
  } finally {
    await close();
  }
});

testStore("LibsqlStore with @libsql/client", async () => {
  const server = await Sqld.start();
  const client = createClient({ url: server.url });
  return {
    store: new LibsqlStore(client),
    async close() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}, testWithSqld);
