import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { RateLimiter } from "../../../cep/http/rate_limiter.ts";

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

Deno.test("RateLimiter regains one request after another", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const times = [9_999, 10_000, 10_001, 19_999, 20_000, 20_000, 30_000];
  assertEquals(
    times.map((time) => limiter.spend("a", time).allowed),
    [false, true, false, false, true, false, true],
  );
});

Deno.test("RateLimiter returns the seconds to wait", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const waits = [0, 1, 1_000, 1_001, 9_000, 9_999].map((time) =>
    limiter.spend("a", time).waitSeconds
  );
  assertEquals(waits, [10, 10, 9, 9, 1, 1]);
});

Deno.test("RateLimiter allows a request after the seconds to wait", () => {
  fc.assert(
    fc.property(
      fc.record({
        max: fc.integer({ min: 1, max: 500 }),
        burst: fc.integer({ min: 0, max: 50 }),
        minutes: fc.double({ min: 1, max: 120, noNaN: true }),
      }),
      fc.integer({ min: 0, max: 1e9 }),
      (options, start) => {
        const limiter = new RateLimiter({ ...options, maxClients: 1 });
        spendAll(limiter, "a", start);
        const { allowed, waitSeconds } = limiter.spend("a", start);
        assertEquals(allowed, false);
        assert(waitSeconds >= 1);
        const later = start + waitSeconds * 1000;
        assertEquals(limiter.spend("a", later).allowed, true);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("RateLimiter returns the seconds until one more request is regained", () => {
  const limiter = new RateLimiter(OPTIONS);
  assertEquals(limiter.spend("a", 0).waitSeconds, 10);
  assertEquals(limiter.spend("a", 3_000).waitSeconds, 7);
  assertEquals(limiter.spend("a", 10_000).waitSeconds, 10);
});

Deno.test("RateLimiter returns the seconds to wait to a client that keeps sending requests", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  for (let time = 0; time < INTERVAL; time += 1_000) {
    const { allowed, waitSeconds } = limiter.spend("a", time);
    assertEquals([allowed, waitSeconds], [false, 10 - time / 1_000]);
  }
});

Deno.test("RateLimiter regains at most max plus burst requests", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  const later = 1_000 * INTERVAL;
  spendAll(limiter, "a", later);
  assertEquals(limiter.spend("a", later).allowed, false);
});

Deno.test("RateLimiter does not charge refused requests", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  for (let time = 1; time < INTERVAL; time++) limiter.spend("a", time);
  assertEquals(limiter.spend("a", INTERVAL).allowed, true);
});

Deno.test("RateLimiter counts each client separately", () => {
  const limiter = new RateLimiter(OPTIONS);
  spendAll(limiter, "a", 0);
  assertEquals(limiter.spend("b", 0).remaining, 4);
  assertEquals(limiter.spend("a", 0).allowed, false);
});

Deno.test("RateLimiter allows max requests at once without a burst", () => {
  const limiter = new RateLimiter({ max: 1, burst: 0, minutes: 1 });
  assertEquals(limiter.spend("a", 0).allowed, true);
  assertEquals(limiter.spend("a", 59_999).allowed, false);
  assertEquals(limiter.spend("a", 60_000).allowed, true);
});

Deno.test("RateLimiter never allows more requests than were regained", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
      (max, burst, steps) => {
        const limiter = new RateLimiter({
          max,
          burst,
          minutes: 1,
          maxClients: 1,
        });
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

Deno.test("RateLimiter remembers at most 100,000 clients by default", () => {
  const limiter = new RateLimiter(OPTIONS);
  for (let i = 0; i < 150_000; i++) limiter.spend(`client ${i}`, 0);
  assertEquals(limiter.clients, 100_000);
});

Deno.test("RateLimiter evicts the least recently seen client", () => {
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
