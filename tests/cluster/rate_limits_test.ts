/** Rate limits that instances share in Redis or Valkey. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { Redis as Client } from "ioredis";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createHandler } from "../../cep/http/handler.ts";
import { type Quota, RateLimiter } from "../../cep/http/rate_limiter.ts";
import {
  openLimits,
  type SharedLimits,
} from "../../cep/serve/limits/open_limits.ts";
import { RedisCounter } from "../../cep/serve/limits/redis_counter.ts";
import { parseRedisUrl } from "../../cep/serve/limits/redis_url.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { address, recordsStore } from "../cep/_records.ts";
import { info } from "../cep/_service.ts";
import { Redis, type RedisOptions } from "./_redis.ts";
import { testsWith } from "./_tests_with.ts";

const testWithRedis = await testsWith("redis");

/** Twenty requests at once, and one more in an hour. */
const CONFIG = {
  rateLimitMax: 10,
  rateLimitBurst: 10,
  rateLimitMinutes: 600,
};

const LOST = "Rate limit store lost: this process counts requests alone";
const BACK = "Rate limit store is back: requests are counted there";

/** Limits of an instance, and its log. */
class Instance implements Disposable {
  readonly logger: CapturingLogger;
  readonly limits: SharedLimits;

  private constructor(logger: CapturingLogger, limits: SharedLimits) {
    this.logger = logger;
    this.limits = limits;
  }

  static async open(rateLimitStore: string): Promise<Instance> {
    const logger = new CapturingLogger();
    const config = { ...CONFIG, rateLimitStore };
    return new Instance(logger, await openLimits({ config, logger }));
  }

  async spend(client = "192.0.2.1") {
    return await this.limits.spend(client, performance.now());
  }

  /** Spends a request, and again until the log has a message. */
  async spendUntil(message: string): Promise<void> {
    let logged = false;
    this.logger.logged(message).then(() => logged = true);
    while (!logged) {
      await this.spend(`${Math.random()}`);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  get isShared(): boolean | undefined {
    return this.limits.sharing?.isShared;
  }

  [Symbol.dispose](): void {
    this.limits.close();
  }
}

/** Sends a command. */
async function command(url: string, ...words: string[]): Promise<unknown> {
  const client = new Client(url, { protocol: 2 });
  try {
    return await client.call(words[0]!, ...words.slice(1));
  } finally {
    client.disconnect();
  }
}

testWithRedis(
  "openLimits shares one quota exactly among instances",
  async () => {
    await using server = await Redis.start();
    const instances = await Promise.all(
      Array.from({ length: 4 }, () => Instance.open(server.url)),
    );
    const clients = ["192.0.2.1", "192.0.2.2", "2001:db8:0:1"];
    const allowed = new Map(clients.map((client) => [client, 0]));
    await Promise.all(
      instances.flatMap((instance) =>
        clients.flatMap((client) =>
          Array.from({ length: 30 }, async () => {
            const spent = await instance.spend(client);
            if (spent.allowed) allowed.set(client, allowed.get(client)! + 1);
            else assertEquals(spent.waitSeconds, 3600);
          })
        )
      ),
    );
    assertEquals([...allowed.values()], [20, 20, 20]);
    for (const instance of instances) {
      assertEquals(instance.logger.entries, []);
      instance[Symbol.dispose]();
    }
  },
);

testWithRedis(
  "RedisCounter counts like RateLimiter in random sequences",
  async () => {
    await using server = await Redis.start();
    const address = parseRedisUrl(server.url)!;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          max: fc.integer({ min: 1, max: 1000 }),
          burst: fc.integer({ min: 0, max: 5 }),
          minutes: fc.double({ min: 1e-4, max: 0.02, noNaN: true }),
        }),
        fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }), {
          minLength: 1,
          maxLength: 25,
        }),
        async (quota: Quota, batches) => {
          run++;
          const counter = await RedisCounter.open({ address, quota });
          try {
            const local = new RateLimiter(quota);
            for (const batch of batches) {
              const clients = batch.map((client) => `${run}.${client}`);
              const { now, spent } = await counter.spendAt(clients);
              const expected = clients.map((client) => local.take(client, now));
              assertEquals(spent, expected);
            }
          } finally {
            counter.close();
          }
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  },
);

testWithRedis(
  "RedisCounter lets keys expire when their quota is full",
  async () => {
    await using server = await Redis.start();
    using instance = await Instance.open(server.url);
    for (let i = 0; i < 3; i++) await instance.spend();
    const key = "cep:limit:192.0.2.1";
    const expiry = Number(await command(server.url, "PTTL", key));
    assert(expiry > 2.9 * 3_600_000 && expiry <= 3 * 3_600_000, `${expiry}`);
    const keys = await command(server.url, "KEYS", "*") as string[];
    assertEquals(keys.filter((it) => it !== "cep:limit:probe"), [key]);
  },
);

for (const value of ["", "x", "nan", "inf", "-inf", "1e300", "-5"]) {
  testWithRedis(
    `RedisCounter counts in place of a key that is "${value}"`,
    async () => {
      await using server = await Redis.start();
      using instance = await Instance.open(server.url);
      await command(server.url, "SET", "cep:limit:192.0.2.1", value);
      const { allowed, waitSeconds } = await instance.spend();
      // A time in the far future counts as an empty bucket.
      assertEquals(allowed, !["inf", "1e300"].includes(value));
      assertEquals(waitSeconds, 3600);
      assertEquals(instance.isShared, true);
    },
  );
}

testWithRedis(
  "RedisCounter replaces a key of another type",
  async () => {
    await using server = await Redis.start();
    using instance = await Instance.open(server.url);
    await command(server.url, "LPUSH", "cep:limit:192.0.2.1", "x");
    assertEquals((await instance.spend()).remaining, 19);
    assertEquals((await instance.spend()).remaining, 18);
    assertEquals(instance.logger.entries, []);
  },
);

testWithRedis(
  "openLimits goes on after the server has forgotten the script",
  async () => {
    await using server = await Redis.start();
    using instance = await Instance.open(server.url);
    assertEquals((await instance.spend()).remaining, 19);
    await command(server.url, "SCRIPT", "FLUSH");
    assertEquals((await instance.spend()).remaining, 18);
    assertEquals(instance.logger.entries, []);
  },
);

testWithRedis(
  "openLimits counts alone after SIGKILL, and shares again",
  async () => {
    await using server = await Redis.start();
    using instance = await Instance.open(server.url);
    for (let i = 0; i < 5; i++) await instance.spend();
    await server.kill();
    await instance.spendUntil(LOST);
    // From the last shared quota on.
    assertEquals((await instance.spend()).remaining, 14);
    await server.restart();
    await instance.spendUntil(BACK);
    assertEquals(instance.logger.entries.length, 2);
    assertEquals((await instance.spend()).remaining, 19); // an empty server
  },
);

testWithRedis(
  "openLimits counts alone while the server is frozen",
  async () => {
    await using server = await Redis.start();
    using instance = await Instance.open(server.url);
    await instance.spend();
    server.freeze();
    const start = performance.now();
    assertEquals((await instance.spend()).remaining, 18);
    const waited = performance.now() - start;
    assert(waited >= 90, `${waited} ms`);
    assert(!(instance.limits.spend("192.0.2.1", 0) instanceof Promise));
    server.thaw();
    await instance.spendUntil(BACK);
    assertEquals(instance.logger.entries.length, 2);
  },
);

interface Refusal {
  readonly name: string;
  readonly options?: RedisOptions;
  /** Arguments that need another server. */
  readonly replicates?: boolean;
  readonly url?: (server: Redis) => string;
  readonly error: string;
  /** Command after which requests are counted there. */
  readonly remedy: readonly string[];
}

const PASSWORD = "correct-horse";
const WRONG = "wrong-battery";

const REFUSALS: readonly Refusal[] = [
  {
    name: "a wrong password",
    options: { password: PASSWORD },
    url: ({ port }) => `redis://:${WRONG}@127.0.0.1:${port}`,
    error: "WRONGPASS",
    remedy: ["CONFIG", "SET", "requirepass", WRONG],
  },
  {
    name: "no password",
    options: { password: PASSWORD },
    url: ({ port }) => `redis://127.0.0.1:${port}`,
    error: "NOAUTH",
    remedy: ["CONFIG", "SET", "requirepass", ""],
  },
  {
    name: "a read-only replica",
    replicates: true,
    error: "READONLY",
    remedy: ["REPLICAOF", "NO", "ONE"],
  },
  {
    name: "a server without memory left",
    options: { args: ["--maxmemory", "1"] },
    error: "OOM",
    remedy: ["CONFIG", "SET", "maxmemory", "0"],
  },
];

for (const { name, options, replicates, url, error, remedy } of REFUSALS) {
  testWithRedis(
    `openLimits counts alone with ${name}, and shares after the remedy`,
    async () => {
      await using primary = await Redis.start();
      const args = ["--replicaof", "127.0.0.1", `${primary.port}`];
      await using server = await Redis.start(replicates ? { args } : options);
      using instance = await Instance.open(url?.(server) ?? server.url);
      assertEquals(instance.isShared, false);
      assertEquals((await instance.spend()).remaining, 19);
      await command(server.url, ...remedy);
      await instance.spendUntil(BACK);
      const log = JSON.stringify(instance.logger.entries);
      assertStringIncludes(log, error);
      for (const secret of [PASSWORD, WRONG]) {
        assert(!log.includes(secret), log);
      }
      assertEquals(instance.logger.entries.length, 2);
    },
  );
}

const STRANGERS: Readonly<Record<string, string | undefined>> = {
  "a web server": "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
  "a server that repeats the password":
    `-ERR unknown command 'AUTH', with args beginning with: '${WRONG}'\r\n`
      .repeat(3),
  "a server that does not answer": undefined,
  "a server that answers with another type": "+OK\r\n+OK\r\n+OK\r\n+OK\r\n",
};

for (const [name, answer] of Object.entries(STRANGERS)) {
  Deno.test(`openLimits counts alone with ${name}`, async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => answer !== undefined && socket.write(answer));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    {
      using instance = await Instance.open(
        `redis://:${WRONG}@127.0.0.1:${port}`,
      );
      assertEquals(instance.isShared, false);
      assertEquals((await instance.spend()).remaining, 19);
      const log = JSON.stringify(instance.logger.entries);
      assert(!log.includes(WRONG), log);
      assertEquals(instance.logger.entries.length, 1);
    }
    server.close();
    await once(server, "close");
  });
}

testWithRedis("createHandler charges streams to the shared quota", async () => {
  await using server = await Redis.start();
  using one = await Instance.open(server.url);
  using two = await Instance.open(server.url);
  const store = recordsStore([address()]);
  const config = { ...CONFIG, rateLimitStore: server.url };
  const [first, second] = [one, two].map(({ limits, logger }) =>
    createHandler({ store, config, limits, logger })
  );
  // One request for the stream, one for each thousand lines after the first.
  const response = await first!(
    new Request("http://localhost/ceps", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: '"01900001"\n'.repeat(4500),
    }),
    info("192.0.2.9"),
  );
  assertEquals((await response.text()).trim().split("\n").length, 4500);
  const other = await second!(
    new Request("http://localhost/debug/count"),
    info("192.0.2.9"),
  );
  assertEquals(other.headers.get("ratelimit"), '"default";r=14;t=3600');
  await other.body?.cancel();
  const refused = await first!(
    new Request("http://localhost/ceps", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: '"01900001"\n'.repeat(20_000),
    }),
    info("192.0.2.9"),
  );
  const lines = (await refused.text()).trim().split("\n");
  assertEquals(lines.length, 14_001);
  assertEquals(JSON.parse(lines.at(-1)!).code, "rate_limited");
  await store.close();
});
