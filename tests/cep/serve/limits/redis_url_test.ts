import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  parseRedisUrl,
  publicRedisUrl,
  type RedisAddress,
  redisUrl,
} from "../../../../cep/serve/limits/redis_url.ts";

const LOCAL: RedisAddress = {
  host: "localhost",
  port: 6379,
  isEncrypted: false,
  username: undefined,
  password: undefined,
  database: 0,
};

const VALID: Readonly<Record<string, Partial<RedisAddress>>> = {
  "redis://localhost": {},
  "valkey://localhost/": {},
  "redis://localhost:6380": { port: 6380 },
  "rediss://localhost": { isEncrypted: true },
  "valkeys://localhost:1": { isEncrypted: true, port: 1 },
  "redis://localhost/15": { database: 15 },
  "redis://:secret@localhost": { password: "secret" },
  "redis://ann:secret@localhost": { username: "ann", password: "secret" },
  "redis://ann@localhost": { username: "ann" },
  "redis://:a%20secret%2F%40%3A@localhost": { password: "a secret/@:" },
  "redis://127.0.0.1": { host: "127.0.0.1" },
  "redis://[::1]:6380/1": { host: "::1", port: 6380, database: 1 },
  "REDIS://cache_1.internal": { host: "cache_1.internal" },
};

for (const [url, parts] of Object.entries(VALID)) {
  Deno.test(`parseRedisUrl parses ${url}`, () => {
    assertEquals(parseRedisUrl(url), { ...LOCAL, ...parts });
    assertEquals(redisUrl.check(url), undefined);
  });
}

const INVALID: readonly string[] = [
  "redis:",
  "redis://",
  "redis:///0",
  "redis://:secret@",
  "localhost:6379",
  "http://localhost",
  "redis+tls://localhost",
  "unix:///run/redis.sock",
  "redis://localhost:0",
  "redis://localhost:65536",
  "redis://localhost:port",
  "redis://localhost/x",
  "redis://localhost/-1",
  "redis://localhost/1/2",
  "redis://localhost/123456",
  "redis://localhost?db=1",
  "redis://localhost#a",
  "redis://:%zz@localhost",
  "redis://:%ff@localhost",
  "redis://a b",
  "redis://a%0ab",
];

for (const url of INVALID) {
  Deno.test(`parseRedisUrl refuses ${url}`, () => {
    assertEquals(parseRedisUrl(url), undefined);
    assertEquals(redisUrl.check(url)?.startsWith("must be a URL"), true);
  });
}

Deno.test("parseRedisUrl returns a host, a port and a number, or undefined, for any text", () => {
  const part = fc.oneof(fc.string(), fc.constantFrom("[", "]", "%", "@", ":"));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const address = parseRedisUrl(`redis://${parts.join("")}`);
      if (address === undefined) return;
      assertEquals(/^[\w.:-]+$/.test(address.host), true);
      assertEquals(address.port > 0 && address.port < 65536, true);
      assertEquals(Number.isSafeInteger(address.database), true);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

Deno.test("publicRedisUrl leaves out user and password", () => {
  for (
    const [url, name] of [
      ["rediss://ann:secret@cache:6380/2", "rediss://cache:6380/2"],
      ["valkey://:secret@[::1]", "redis://[::1]:6379/0"],
    ] as const
  ) {
    assertEquals(publicRedisUrl(parseRedisUrl(url)!), name);
  }
});

Deno.test("publicRedisUrl returns a URL of the same server", () => {
  for (const [url, parts] of Object.entries(VALID)) {
    const address = parseRedisUrl(publicRedisUrl(parseRedisUrl(url)!));
    assertEquals(address, {
      ...LOCAL,
      ...parts,
      username: undefined,
      password: undefined,
    });
  }
});
