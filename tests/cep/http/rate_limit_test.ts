import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { RateLimiter } from "../../../cep/http/rate_limit.ts";
import {
  address,
  type Call,
  fakeStore,
  Service,
  type ServiceOptions,
} from "../_server.ts";

/** One request regained each ten seconds, five at once. */
const OPTIONS = { max: 3, burst: 2, minutes: 0.5 };
const INTERVAL = 10_000;

Deno.test("RateLimiter lets MAX and BURST be spent at once", () => {
  const limiter = new RateLimiter(OPTIONS);
  assertEquals(limiter.capacity, 5);
  const remaining = [];
  for (let i = 0; i < 5; i++) {
    const allowance = limiter.spend("a", 0);
    assertEquals(allowance.allowed, true);
    assertEquals(allowance.retrySeconds, 0);
    remaining.push(allowance.remaining);
  }
  assertEquals(remaining, [4, 3, 2, 1, 0]);
  assertEquals(limiter.spend("a", 0), {
    allowed: false,
    remaining: 0,
    resetSeconds: 50,
    retrySeconds: 10,
  });
});

Deno.test("RateLimiter gives back a request after another, not all at once", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const times = [9_999, 10_000, 10_001, 19_999, 20_000, 20_000, 30_000];
  assertEquals(
    times.map((time) => limiter.spend("a", time).allowed),
    [false, true, false, false, true, false, true],
  );
});

Deno.test("RateLimiter tells how long to wait", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const waits = [0, 1, 1_000, 1_001, 9_000, 9_999].map((time) =>
    limiter.spend("a", time).retrySeconds
  );
  assertEquals(waits, [10, 10, 9, 9, 1, 1]);
});

Deno.test("RateLimiter lets pass what waited as long as it was told", () => {
  fc.assert(
    fc.property(
      fc.record({
        max: fc.integer({ min: 1, max: 500 }),
        burst: fc.integer({ min: 0, max: 50 }),
        minutes: fc.double({ min: 1, max: 120, noNaN: true }),
      }),
      fc.integer({ min: 0, max: 1e9 }),
      (options, start) => {
        const limiter = new RateLimiter(options);
        spendAll(limiter, "a", start);
        const { allowed, retrySeconds } = limiter.spend("a", start);
        assertEquals(allowed, false);
        assert(retrySeconds >= 1);
        const later = start + retrySeconds * 1000;
        assertEquals(limiter.spend("a", later).allowed, true);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("RateLimiter tells when everything is regained", () => {
  const limiter = new RateLimiter(OPTIONS);
  assertEquals(limiter.spend("a", 0).resetSeconds, 10);
  assertEquals(limiter.spend("a", 0).resetSeconds, 20);
  assertEquals(limiter.spend("a", 5_000).resetSeconds, 25);
});

Deno.test("RateLimiter gives back no more than MAX and BURST", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const later = 1_000 * INTERVAL;
  spendAll(limiter, "a", later);
  assertEquals(limiter.spend("a", later).allowed, false);
});

Deno.test("RateLimiter does not charge for what it refuses", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  for (let time = 1; time < INTERVAL; time++) limiter.spend("a", time);
  assertEquals(limiter.spend("a", INTERVAL).allowed, true);
});

Deno.test("RateLimiter counts each client by itself", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  assertEquals(limiter.spend("b", 0).remaining, 4);
  assertEquals(limiter.spend("a", 0).allowed, false);
});

Deno.test("RateLimiter with no burst lets MAX be spent at once", () => {
  const limiter = new RateLimiter({ max: 1, burst: 0, minutes: 1 });
  assertEquals(limiter.spend("a", 0).allowed, true);
  assertEquals(limiter.spend("a", 59_999).allowed, false);
  assertEquals(limiter.spend("a", 60_000).allowed, true);
});

Deno.test("RateLimiter never lets more pass than was regained", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
      (max, burst, steps) => {
        const limiter = new RateLimiter({ max, burst, minutes: 1 });
        let [now, passed] = [1e9, 0];
        for (const step of steps) {
          now += step;
          const { allowed, remaining } = limiter.spend("a", now);
          if (allowed) passed++;
          const regained = (now - 1e9) * max / 60_000;
          assert(passed <= max + burst + regained + 1e-3);
          assert(remaining >= 0 && remaining < max + burst);
        }
      },
    ),
    { seed: 2, numRuns: 100 },
  );
});

Deno.test("RateLimiter remembers a bounded number of a million clients", () => {
  const limiter = new RateLimiter(OPTIONS);
  for (let i = 0; i < 1_000_000; i++) {
    const client = `10.${i >> 16 & 255}.${i >> 8 & 255}.${i & 255}`;
    assertEqual(limiter.spend(client, i / 1000).allowed, true);
  }
  assertEquals(limiter.clients, 100_000);
});

Deno.test("RateLimiter forgets whoever was silent for longest", () => {
  const limiter = new RateLimiter({ ...OPTIONS, maxClients: 100 });
  spendAll(limiter, "busy", 0);
  spendAll(limiter, "silent", 0);
  for (let i = 0; i < 150; i++) {
    limiter.spend(`other ${i}`, 0);
    assertEquals(limiter.spend("busy", 0).allowed, false);
  }
  assertEquals(limiter.clients, 100);
  assertEquals(limiter.spend("silent", 0).allowed, true);
});

const RECORDS = [address()];
const CONFIG = {
  rateLimitMax: 3,
  rateLimitBurst: 2,
  rateLimitMinutes: 0.5,
};
const FROM = "192.0.2.1";

Deno.test("rateLimit answers 429 once MAX and BURST are spent", async () => {
  await using service = await open();
  for (let i = 0; i < 5; i++) assertEquals(await status(service), 200);
  const response = await service.ask("/cep/01900001", { from: FROM });
  assertEquals(response.status, 429);
  assertEquals(limits(response), {
    "ratelimit-limit": "5",
    "ratelimit-remaining": "0",
    "ratelimit-reset": "50",
    "retry-after": "10",
  });
  const { error, ...rest } = await response.json();
  assertEquals(rest, { code: "rate_limited" });
  assertEquals(typeof error, "string");
});

Deno.test("rateLimit lets a client pass again as time goes by", async () => {
  let time = 1e6;
  await using service = await open({ now: () => time });
  for (let i = 0; i < 5; i++) await status(service);
  time += INTERVAL - 1;
  assertEquals(await status(service), 429);
  time += 1;
  assertEquals(await status(service), 200);
  assertEquals(await status(service), 429);
  time += 5 * INTERVAL;
  const all = [];
  for (let i = 0; i < 6; i++) all.push(await status(service));
  assertEquals(all, [200, 200, 200, 200, 200, 429]);
});

Deno.test("rateLimit allows 100 and 20 requests by default", async () => {
  await using service = await open({ config: {}, now: () => 0 });
  for (let i = 0; i < 120; i++) assertEquals(await status(service), 200);
  const response = await service.ask("/cep/01900001", { from: FROM });
  assertEquals(response.status, 429);
  // 15 minutes for a hundred requests are nine seconds for one.
  assertEquals(response.headers.get("retry-after"), "9");
  assertEquals(response.headers.get("ratelimit-limit"), "120");
  await response.body?.cancel();
});

const ORDINARY: readonly (readonly [
  status: number,
  path: string,
  call?: Call,
  options?: ServiceOptions,
])[] = [
  [200, "/cep/01900001"],
  [200, "/debug/count"],
  [200, "/cep/01900001", { method: "HEAD" }],
  [304, "/cep/01900001", { headers: { "if-none-match": "*" } }],
  [400, "/cep/x"],
  [404, "/nada"],
  [405, "/cep", { method: "POST" }],
  [500, "/debug/count", {}, { store: fakeStore() }],
];

for (const [expected, path, call, options] of ORDINARY) {
  const method = call?.method ?? "GET";
  Deno.test(`rateLimit tells on ${expected} to ${method} ${path} what is left`, async () => {
    await using service = await open(options);
    const response = await service.ask(path, { ...call, from: FROM });
    assertEquals(response.status, expected);
    assertEquals(limits(response), {
      "ratelimit-limit": "5",
      "ratelimit-remaining": "4",
      "ratelimit-reset": "10",
      "retry-after": null,
    });
    await response.body?.cancel();
  });
}

const FREE: readonly (readonly [what: string, path: string, call?: Call])[] = [
  ["/healthcheck", "/healthcheck"],
  ["/healthcheck/", "/healthcheck/"],
  ["HEAD /healthcheck", "/healthcheck", { method: "HEAD" }],
  ["/metrics", "/metrics"],
  ["a preflight", "/cep/01900001", {
    method: "OPTIONS",
    headers: {
      origin: "https://a.test",
      "access-control-request-method": "GET",
    },
  }],
];

for (const [what, path, call] of FREE) {
  Deno.test(`rateLimit takes nothing for ${what}`, async () => {
    await using service = await open();
    for (let i = 0; i < 20; i++) {
      const response = await service.ask(path, { ...call, from: FROM });
      assert(response.ok);
      assertEquals(response.headers.get("ratelimit-remaining"), null);
      await response.body?.cancel();
    }
    const response = await service.ask("/cep/01900001", { from: FROM });
    assertEquals(response.headers.get("ratelimit-remaining"), "4");
    await response.body?.cancel();
  });

  Deno.test(`rateLimit lets ${what} pass when all is spent`, async () => {
    await using service = await open();
    for (let i = 0; i < 6; i++) await status(service);
    assertEquals(await status(service), 429);
    const response = await service.ask(path, { ...call, from: FROM });
    assert(response.ok);
    await response.body?.cancel();
  });
}

Deno.test("rateLimit charges for unknown routes, so that guessing is limited", async () => {
  await using service = await open();
  const all = [];
  for (let i = 0; i < 6; i++) all.push(await status(service, `/nada/${i}`));
  assertEquals(all, [404, 404, 404, 404, 404, 429]);
});

Deno.test("rateLimit lets everything pass when the server does not tell who asks", async () => {
  await using service = await open();
  for (let i = 0; i < 20; i++) {
    const response = await service.ask("/cep/01900001");
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("ratelimit-limit"), null);
    await response.body?.cancel();
  }
});

Deno.test("rateLimit lets everything pass when switched off", async () => {
  await using service = await open({
    config: { ...CONFIG, rateLimit: false },
  });
  for (let i = 0; i < 20; i++) {
    const response = await service.ask("/cep/01900001", { from: FROM });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("ratelimit-limit"), null);
    await response.body?.cancel();
  }
});

const PAIRS: readonly (readonly [a: string, b: string, shared: boolean])[] = [
  ["192.0.2.1", "192.0.2.1", true],
  ["192.0.2.1", "::ffff:192.0.2.1", true],
  ["192.0.2.1", "192.0.2.2", false],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.2", false],
  ["2001:db8:0:1::1", "2001:db8:0:1::2", true],
  ["2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true],
  ["2001:db8::1", "2001:db8:0:0:5::", true],
  ["2001:db8::", "2001:db8::1:0:0:1", true],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", true],
  ["::1", "::2", true],
  ["2001:db8:0:1::1", "2001:db8:0:2::1", false],
  ["2001:db8::1", "2001:db8:0:1::1", false],
  ["2001:db8:1::1", "2001:db8:2::1", false],
  ["1::2:3:4:5:6", "1:0:0:2::", true],
  ["1::2:3:4:5:6:7", "1:0:2:3::", true],
  ["1::2:3:4:5:6:7", "1:0:0:2::", false],
];

for (const [a, b, shared] of PAIRS) {
  const how = shared ? "one client" : "two clients";
  Deno.test(`rateLimit takes ${a} and ${b} for ${how}`, async () => {
    await using service = await open();
    for (let i = 0; i < 5; i++) await status(service, undefined, { from: a });
    assertEquals(
      await status(service, undefined, { from: b }),
      shared ? 429 : 200,
    );
  });
}

interface Forwarded {
  readonly name: string;
  readonly proxies: readonly string[];
  /** The headers of two requests that come from one peer. */
  readonly headers: readonly [string, string];
  readonly shared: boolean;
}

const FORWARDED: readonly Forwarded[] = [
  {
    name: "ignores X-Forwarded-For by default",
    proxies: [],
    headers: ["203.0.113.1", "203.0.113.2"],
    shared: true,
  },
  {
    name: "ignores X-Forwarded-For of who is no trusted proxy",
    proxies: ["10.0.0.0/8"],
    headers: ["203.0.113.1", "203.0.113.2"],
    shared: true,
  },
  {
    name: "tells apart the clients of a trusted proxy",
    proxies: ["192.0.2.0/24"],
    headers: ["203.0.113.1", "203.0.113.2"],
    shared: false,
  },
  {
    name: "recognises the client of a trusted proxy",
    proxies: ["192.0.2.0/24"],
    headers: ["203.0.113.1", "203.0.113.1"],
    shared: true,
  },
  {
    name: "pays no heed to what a client writes before its own address",
    proxies: ["192.0.2.0/24"],
    headers: ["198.51.100.1, 203.0.113.1", "198.51.100.2, 203.0.113.1"],
    shared: true,
  },
  {
    name: "takes a /64 behind a trusted proxy for one client",
    proxies: ["192.0.2.0/24"],
    headers: ["2001:db8::1", "2001:db8::2"],
    shared: true,
  },
];

for (const { name, proxies, headers, shared } of FORWARDED) {
  Deno.test(`rateLimit ${name}`, async () => {
    const config = { ...CONFIG, trustedProxies: proxies };
    await using service = await open({ config });
    const [first, second] = headers.map((value) => ({
      headers: { "x-forwarded-for": value },
    }));
    for (let i = 0; i < 5; i++) {
      assertEquals(await status(service, undefined, first), 200);
    }
    assertEquals(await status(service, undefined, first), 429);
    assertEquals(
      await status(service, undefined, second),
      shared ? 429 : 200,
    );
  });
}

function open(options?: ServiceOptions): Promise<Service> {
  return Service.open({
    now: () => 0,
    ...(options?.store ? {} : { records: RECORDS }),
    config: CONFIG,
    ...options,
  });
}

async function status(
  service: Service,
  path = "/cep/01900001",
  call: Call = {},
): Promise<number> {
  const response = await service.ask(path, { from: FROM, ...call });
  await response.body?.cancel();
  return response.status;
}

function limits({ headers }: Response): Record<string, string | null> {
  const names = [
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
  ];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

function spendAll(limiter: RateLimiter, client: string, now: number): void {
  for (let i = 0; i < limiter.capacity; i++) {
    assertEqual(limiter.spend(client, now).allowed, true);
  }
}

/** As `assertEquals`, but cheap enough to be called a million times. */
function assertEqual<T>(actual: T, expected: T): void {
  if (actual !== expected) assertEquals(actual, expected);
}
