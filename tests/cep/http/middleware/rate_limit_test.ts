import { assert, assertEquals, assertThrows } from "@std/assert";
import { createHandler } from "../../../../cep/http/handler.ts";
import {
  RateLimiter,
  type RateLimitStore,
} from "../../../../cep/http/rate_limiter.ts";
import { address, fakeStore } from "../../_records.ts";
import {
  type Call,
  items,
  Service,
  type ServiceOptions,
} from "../../_service.ts";

const RECORDS = [address()];
const CONFIG = {
  rateLimitMax: 3,
  rateLimitBurst: 2,
  rateLimitMinutes: 0.5,
};
const FROM = "192.0.2.1";

Deno.test("rateLimit returns 429 after rateLimitMax and rateLimitBurst requests", async () => {
  await using service = await open();
  for (let i = 0; i < 5; i++) assertEquals(await status(service), 200);
  const response = await service.ask("/cep/01900001", { from: FROM });
  assertEquals(response.status, 429);
  assertEquals(limits(response), {
    "ratelimit": '"default";r=0;t=10',
    "ratelimit-policy": '"default";q=5;w=30',
    "retry-after": "10",
  });
  assertEquals(response.headers.get("cache-control"), "no-store");
  const exposed = items(response, "access-control-expose-headers");
  for (const name of ["RateLimit", "RateLimit-Policy", "Retry-After"]) {
    assert(exposed.includes(name), name);
  }
  assertEquals((await response.json()).code, "rate_limited");
});

Deno.test("rateLimit warns once of a refused client that may be a proxy", async () => {
  await using service = await open({ now: () => 0 });
  const warnings = () =>
    service.logger.at("warn").filter((it) => it["client"] === FROM).length;
  for (let i = 0; i < 6; i++) await status(service);
  assertEquals(warnings(), 0);
  for (let i = 0; i < 3; i++) {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const response = await service.ask("/cep/01900001", {
      from: FROM,
      headers,
    });
    assertEquals(response.status, 429);
    await response.body?.cancel();
  }
  assertEquals(warnings(), 1);
});

Deno.test("rateLimit allows 100 requests and a burst of 20 by default", async () => {
  await using service = await open({ config: {}, now: () => 0 });
  for (let i = 0; i < 120; i++) assertEquals(await status(service), 200);
  const response = await service.ask("/cep/01900001", { from: FROM });
  assertEquals(response.status, 429);
  // A hundred requests in 15 minutes: one in nine seconds.
  assertEquals(response.headers.get("retry-after"), "9");
  assertEquals(
    response.headers.get("ratelimit-policy"),
    '"default";q=120;w=900',
  );
  await response.body?.cancel();
});

const NAMED = { headers: { "x-request-id": "r-1" } };
const MATCHING = { "if-none-match": "*" };

const ORDINARY: readonly (readonly [
  status: number,
  path: string,
  call?: Call,
  options?: ServiceOptions,
])[] = [
  [200, "/debug/count"],
  [200, "/debug/list", { method: "HEAD" }],
  [200, "/cep/01900001", NAMED],
  [304, "/cep/01900001", { headers: { ...MATCHING, ...NAMED.headers } }],
  [400, "/cep/x"],
  [404, "/cep/99999999"],
  [404, "/nada"],
  [405, "/cep", { method: "POST" }],
  [500, "/debug/count", {}, { store: fakeStore() }],
];

for (const [expected, path, call, options] of ORDINARY) {
  const method = call?.method ?? "GET";
  const named = call?.headers ? " with a request id" : "";
  Deno.test(`rateLimit sends the requests left with ${expected} for ${method} ${path}${named}`, async () => {
    await using service = await open(options);
    const response = await service.ask(path, { ...call, from: FROM });
    assertEquals(response.status, expected);
    assertEquals(limits(response), {
      "ratelimit": '"default";r=4;t=10',
      "ratelimit-policy": null,
      "retry-after": null,
    });
    assert(
      /^no-store$|^private,/.test(response.headers.get("cache-control") ?? ""),
    );
    await response.body?.cancel();
  });
}

const SHARED: readonly (readonly [status: number, call: Call])[] = [
  [200, {}],
  [200, { method: "HEAD" }],
  [304, { headers: MATCHING }],
];

for (const [expected, call] of SHARED) {
  const method = call.method ?? "GET";
  Deno.test(`rateLimit sends no header with a cacheable ${expected} for ${method}`, async () => {
    await using service = await open();
    const response = await service.ask("/cep/01900001", {
      ...call,
      from: FROM,
    });
    assertEquals(response.status, expected);
    assertEquals(response.headers.get("cache-control"), "max-age=300");
    assertEquals(limits(response), NO_LIMITS);
    assertEquals(response.headers.get("access-control-expose-headers"), null);
    assertEquals(
      (await service.ask("/cep/x", { from: FROM })).headers.get(
        "ratelimit",
      ),
      '"default";r=3;t=10',
    );
  });
}

Deno.test("rateLimit charges requests to unknown paths", async () => {
  await using service = await open();
  const all = [];
  for (let i = 0; i < 6; i++) all.push(await status(service, `/nada/${i}`));
  assertEquals(all, [404, 404, 404, 404, 404, 429]);
});

Deno.test("rateLimit allows every request without a client address", async () => {
  await using service = await open();
  for (let i = 0; i < 20; i++) {
    const response = await service.ask("/cep/01900001");
    assertEquals(response.status, 200);
    assertEquals(limits(response), NO_LIMITS);
    await response.body?.cancel();
  }
});

Deno.test("rateLimit allows every request if disabled", async () => {
  await using service = await open({
    config: { ...CONFIG, rateLimit: false },
  });
  for (let i = 0; i < 20; i++) {
    const response = await service.ask("/cep/01900001", { from: FROM });
    assertEquals(response.status, 200);
    assertEquals(limits(response), NO_LIMITS);
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
  Deno.test(`rateLimit counts ${a} and ${b} as ${how}`, async () => {
    await using service = await open();
    for (let i = 0; i < 5; i++) await status(service, undefined, { from: a });
    assertEquals(
      await status(service, undefined, { from: b }),
      shared ? 429 : 200,
    );
  });
}

Deno.test("rateLimit waits for limits that are shared", async () => {
  const local = new RateLimiter({ max: 3, burst: 2, minutes: 0.5 });
  const limits: RateLimitStore = {
    spend: (client) => Promise.resolve(local.spend(client, 0)),
  };
  await using service = await open({ limits });
  for (let i = 0; i < 5; i++) assertEquals(await status(service), 200);
  const response = await service.ask("/cep/01900001", { from: FROM });
  assertEquals(response.status, 429);
  assertEquals(response.headers.get("retry-after"), "10");
  await response.body?.cancel();
  assertEquals(await status(service, "/livez"), 200);
});

Deno.test("rateLimit charges streams to limits that are shared", async () => {
  const local = new RateLimiter({ max: 3, burst: 2, minutes: 0.5 });
  const limits: RateLimitStore = {
    spend: (client) => Promise.resolve(local.spend(client, 0)),
  };
  await using service = await open({ limits });
  const response = await service.ask("/ceps", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: '"01900001"\n'.repeat(6000),
    from: FROM,
  });
  const lines = (await response.text()).trim().split("\n");
  assertEquals(lines.length, 5001);
  const last = JSON.parse(lines.at(-1)!);
  assertEquals([last.code, last.retry_after], ["rate_limited", 10]);
});

Deno.test("rateLimit answers 500 if limits fail", async () => {
  const limits: RateLimitStore = {
    spend: () => Promise.reject(new Error("broken")),
  };
  await using service = await open({ limits });
  assertEquals(await status(service), 500);
});

Deno.test("createHandler refuses a rateLimitStore without its limits", () => {
  const config = { rateLimitStore: "redis://:hunter2@localhost" };
  const error = assertThrows(
    () => createHandler({ store: fakeStore(), config }),
    TypeError,
    "Cannot use rateLimitStore",
  );
  assert(!error.message.includes("hunter2"));
  createHandler({
    store: fakeStore(),
    config: { ...config, rateLimit: false },
  });
});

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
  const names = Object.keys(NO_LIMITS);
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

const NO_LIMITS = {
  "ratelimit": null,
  "ratelimit-policy": null,
  "retry-after": null,
};
