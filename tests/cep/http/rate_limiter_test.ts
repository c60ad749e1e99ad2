import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import {
  type Quota,
  QuotaTimes,
  RateLimiter,
  ROUNDING_MS,
  type Spent,
} from "../../../cep/http/rate_limiter.ts";
import { plainMemory, sharedMemory } from "../../../cep/util/memory.ts";
import { moduleUrl } from "../../_program.ts";

/** A burst of five requests, and one more every ten seconds. */
const OPTIONS = { max: 3, burst: 2, minutes: 0.5 };
const INTERVAL = 10_000;

Deno.test("RateLimiter allows max plus burst requests at once", () => {
  const limiter = new RateLimiter(OPTIONS);
  assertEquals(limiter.capacity, 5);
  const remaining = [];
  for (let i = 0; i < 5; i++) {
    const allowance = limiter.spend("a", 0);
    assertEquals(allowance.allowed, true);
    assertEquals(allowance.waitSeconds, 10);
    remaining.push(allowance.remaining);
  }
  assertEquals(remaining, [4, 3, 2, 1, 0]);
  assertEquals(limiter.spend("a", 0), {
    allowed: false,
    remaining: 0,
    waitSeconds: 10,
  });
});

Deno.test("RateLimiter returns the seconds until one more request is regained", () => {
  const limiter = new RateLimiter(OPTIONS);
  assertEquals(limiter.spend("a", 0).waitSeconds, 10);
  assertEquals(limiter.spend("a", 3_000).waitSeconds, 7);
  assertEquals(limiter.spend("a", 10_000).waitSeconds, 10);
});

Deno.test("RateLimiter never allows more requests than were regained", () => {
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

Deno.test("RateLimiter remembers 100,000 clients", () => {
  const limiter = new RateLimiter({ max: 1, burst: 0, minutes: 1 });
  const addresses = Array.from(
    { length: 100_000 },
    (_, i) => `10.${i >> 16}.${i >> 8 & 255}.${i & 255}`,
  );
  for (const client of addresses) assert(limiter.spend(client, 0).allowed);
  const again = addresses.filter((it) => limiter.spend(it, 0).allowed);
  assertEquals(again, []);
});

Deno.test("RateLimiter forgets the client next to a full quota in a full memory", () => {
  const memory = RateLimiter.allocate(plainMemory, 1);
  const limiter = new RateLimiter({ ...OPTIONS, memory });
  spendAll(limiter, "busy", 0);
  limiter.spend("first", 0);
  for (let i = 0; i < 30; i++) spendAll(limiter, `other ${i}`, 1);
  assertEquals(limiter.spend("first", 2).remaining, 3); // of 32 places, the last
  spendAll(limiter, "new", 3);
  assertEquals(limiter.spend("busy", 4).allowed, false);
  assertEquals(limiter.spend("other 0", 4).allowed, false);
  assertEquals(limiter.spend("first", 4).remaining, 4); // forgotten
});

Deno.test("RateLimiter uses the places of clients whose quota is full again", () => {
  const memory = RateLimiter.allocate(plainMemory, 1);
  const limiter = new RateLimiter({ ...OPTIONS, memory });
  for (let i = 0; i < 31; i++) limiter.spend(`other ${i}`, 0);
  spendAll(limiter, "busy", 1);
  for (let i = 0; i < 31; i++) limiter.spend(`new ${i}`, INTERVAL);
  assertEquals(limiter.spend("busy", INTERVAL).allowed, false);
  assertEquals(limiter.spend("new 0", INTERVAL).remaining, 3);
});

const CLIENTS = [
  ["IPv4 addresses", "203.0.113.25", "203.0.113.2", "255.255.255.255"],
  ["IPv6 networks", "8193:3512:0:1", "65535:65535:65535:65535", "0:0:0:0"],
  ["other names", "São João", "sao joao", "", "\u{1F600}", "a".repeat(24)],
  [
    "long names",
    "cliente.interno.exemplo.com.br.1",
    "cliente.interno.exemplo.com.br.2",
    "日本".repeat(20),
  ],
] as const;

for (const [name, ...clients] of CLIENTS) {
  Deno.test(`RateLimiter tells ${name} apart`, () => {
    const limiter = new RateLimiter(OPTIONS);
    for (const client of clients) spendAll(limiter, client, 0);
    for (const client of clients) {
      assertEquals(limiter.spend(client, 0).allowed, false);
    }
  });
}

/** Times at which the buckets of clients are full, without a limit of memory. */
class Model {
  readonly #times: QuotaTimes;
  readonly #fullAt = new Map<string, number>();

  constructor(quota: Quota) {
    this.#times = new QuotaTimes(quota);
  }

  take(client: string, now: number): Spent {
    const { room, interval } = this.#times;
    const before = Math.max(this.#fullAt.get(client) ?? now, now);
    const after = before + interval;
    const allowed = after - now <= room + ROUNDING_MS;
    if (allowed) this.#fullAt.set(client, after);
    return { allowed, left: room - ((allowed ? after : before) - now) };
  }
}

Deno.test("RateLimiter in shared memory is the same in turns of several", () => {
  const requests = fc.array(
    fc.record({
      limiter: fc.nat(2),
      client: fc.ipV4(),
      step: fc.double({ min: 0, max: 5000, noNaN: true }),
      times: fc.integer({ min: 1, max: 8 }),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(requests, (requests) => {
      const memory = RateLimiter.allocate(sharedMemory, 1000);
      const limiters = Array.from(
        { length: 3 },
        () => new RateLimiter({ ...OPTIONS, memory }),
      );
      const model = new Model(OPTIONS);
      let now = 0;
      for (const { limiter, client, step, times } of requests) {
        now += step;
        for (let i = 0; i < times; i++) {
          assertEquals(
            limiters[limiter]!.take(client, now),
            model.take(client, now),
          );
        }
      }
    }),
    { seed: 7, numRuns: 100 },
  );
});

Deno.test("RateLimiter allows a quota once to threads that share its memory", async () => {
  const threads = 4;
  const quota = { max: 400, burst: 100, minutes: 1e6 };
  const memory = RateLimiter.allocate(sharedMemory);
  const clients = Array.from({ length: 100 }, (_, i) => `10.0.${i % 3}.${i}`);
  const start = new Int32Array(new SharedArrayBuffer(4));
  const allowed = await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Worker(HAMMER, {
        eval: true,
        workerData: { quota, memory, clients, start, threads },
      });
      const [counts] = await once(thread, "message");
      await thread.terminate();
      return counts as number[];
    }),
  );
  const sums = clients.map((_, i) =>
    allowed.reduce((sum, counts) => sum + counts[i]!, 0)
  );
  assertEquals(sums, clients.map(() => quota.max + quota.burst));
});

/** Spends until no client has any left, together with the other threads. */
const HAMMER = `
const { parentPort, workerData } = require("node:worker_threads");
import(${
  JSON.stringify(moduleUrl("cep/http/rate_limiter.ts"))
}).then((module) => {
  const { quota, memory, clients, start, threads } = workerData;
  const limiter = new module.RateLimiter({ ...quota, memory });
  const counts = clients.map(() => 0);
  Atomics.add(start, 0, 1);
  while (Atomics.load(start, 0) < threads);
  for (let left = true; left;) {
    left = false;
    for (let i = 0; i < clients.length; i++) {
      if (!limiter.spend(clients[i], 0).allowed) continue;
      counts[i]++;
      left = true;
    }
  }
  parentPort.postMessage(counts);
});`;

Deno.test("RateLimiter counts after a thread has ended within the memory", () => {
  const memory = RateLimiter.allocate(sharedMemory, 1);
  const limiter = new RateLimiter({ ...OPTIONS, memory });
  limiter.spend("a", 0);
  lock(memory);
  assertEquals(limiter.spend("a", 0).remaining, 3);
  assertEquals(limiter.spend("a", 0).remaining, 2);
});

/** Leaves the memory as a thread that is ended while it writes. */
function lock(memory: ArrayBufferLike): void {
  const words = new Int32Array(memory);
  words[words.length - 7] = 1; // before the seeds
}

Deno.test("RateLimiter.refusal returns what spend would return", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 8000 }), { maxLength: 50 }),
      (steps) => {
        const limiter = new RateLimiter(OPTIONS);
        let now = 0;
        for (const step of steps) {
          now += step;
          const refusal = limiter.refusal("a", now);
          const spent = limiter.spend("a", now);
          assertEquals(refusal, spent.allowed ? undefined : spent);
        }
      },
    ),
    { seed: 3, numRuns: 100 },
  );
});

Deno.test("RateLimiter.learn continues the quota of another limiter", () => {
  const [one, two] = [new RateLimiter(OPTIONS), new RateLimiter(OPTIONS)];
  for (let i = 0; i < 3; i++) {
    two.learn("a", one.take("a", 1000).left, 1000);
  }
  for (const now of [1000, 4000, 4000, 11_000, 11_000]) {
    assertEquals(two.spend("a", now), one.spend("a", now));
  }
});

function spendAll(limiter: RateLimiter, client: string, now: number): void {
  for (let i = 0; i < limiter.capacity; i++) {
    assert(limiter.spend(client, now).allowed);
  }
}
