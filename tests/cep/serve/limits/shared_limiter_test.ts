import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Allowance,
  RateLimiter,
  type Spent,
} from "../../../../cep/http/rate_limiter.ts";
import {
  type SharedCounter,
  SharedLimiter,
} from "../../../../cep/serve/limits/shared_limiter.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ManualTimer, settle } from "../../_manual_timer.ts";

/** A burst of five requests, and one more every ten seconds. */
const QUOTA = { max: 3, burst: 2, minutes: 0.5 };

/** Counter in this process that may be late or fail. */
class FakeCounter implements SharedCounter {
  readonly name = "redis://cache:6379/0";
  readonly calls: string[][] = [];
  state: "works" | "hangs" | "fails" = "works";
  probes = 0;
  reconnections = 0;
  isClosed = false;
  readonly #limiter: RateLimiter;
  readonly #now: () => number;

  constructor(now: () => number, limiter = new RateLimiter(QUOTA)) {
    this.#now = now;
    this.#limiter = limiter;
  }

  async spend(clients: readonly string[]): Promise<Spent[]> {
    this.calls.push([...clients]);
    await this.#work();
    return clients.map((client) => this.#limiter.take(client, this.#now()));
  }

  async probe(): Promise<void> {
    this.probes++;
    await this.#work();
  }

  async #work(): Promise<void> {
    if (this.state === "hangs") await new Promise(() => {});
    if (this.state === "fails") throw new Error("READONLY");
  }

  reconnect(): void {
    this.reconnections++;
  }

  close(): void {
    this.isClosed = true;
  }
}

class Scene {
  readonly timer = new ManualTimer();
  readonly logger = new CapturingLogger();
  readonly counter: FakeCounter;
  readonly limiter: SharedLimiter;

  constructor(shared?: RateLimiter, quota = QUOTA) {
    this.counter = new FakeCounter(this.timer.now, shared);
    this.limiter = new SharedLimiter({
      quota,
      counter: this.counter,
      logger: this.logger,
      now: this.timer.now,
      schedule: this.timer.schedule,
    });
  }

  spend(client = "a"): Allowance | Promise<Allowance> {
    return this.limiter.spend(client, this.timer.time);
  }

  /** Spends, and lets the time pass that the limiter waits at most. */
  async spent(client?: string): Promise<Allowance> {
    const spent = this.spend(client);
    await this.timer.pass(1);
    return await spent;
  }

  messages(): string[] {
    return this.logger.entries.map(({ level, message }) =>
      `${level}: ${message.split(":")[0]}`
    );
  }
}

const LOST = "warn: Rate limit store lost";
const BACK = "info: Rate limit store is back";

Deno.test("SharedLimiter counts requests that arrive together by one call", async () => {
  const scene = new Scene();
  const spent = ["a", "b", "a"].map((client) => scene.spend(client));
  await settle();
  assertEquals(scene.counter.calls, [["a", "b", "a"]]);
  const allowances = await Promise.all(spent);
  assertEquals(allowances.map(({ remaining }) => remaining), [4, 4, 3]);
});

Deno.test("SharedLimiter counts requests that arrive during a call by the next one", async () => {
  const scene = new Scene();
  const first = ["a", "b"].map((client) => scene.spend(client));
  setImmediate(() => first.push(scene.spend("c"), scene.spend("d")));
  await settle();
  await scene.timer.pass(1);
  await Promise.all(first);
  assertEquals(scene.counter.calls.flat(), ["a", "b", "c", "d"]);
  assertEquals(scene.counter.calls.length, 2);
});

Deno.test("SharedLimiter counts at most 500 requests by one call", async () => {
  const scene = new Scene();
  const all = Array.from({ length: 1201 }, (_, i) => scene.spend(`${i}`));
  await scene.timer.pass(2);
  assertEquals((await Promise.all(all)).every((it) => it.allowed), true);
  assertEquals(scene.counter.calls.map((it) => it.length), [500, 500, 201]);
});

Deno.test("SharedLimiter refuses a client without requests left at once", async () => {
  const scene = new Scene();
  for (let i = 0; i < 6; i++) await scene.spent();
  const { length } = scene.counter.calls;
  const refusal = scene.spend();
  assert(!(refusal instanceof Promise));
  assertEquals(refusal, { allowed: false, remaining: 0, waitSeconds: 10 });
  assertEquals(scene.counter.calls.length, length);
  await scene.timer.pass(10_000);
  assertEquals((await scene.spent()).allowed, true);
});

Deno.test("SharedLimiter answers like a limiter in memory", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 8000 }), fc.nat(2)), {
        maxLength: 60,
      }),
      async (steps) => {
        const scene = new Scene();
        const local = new RateLimiter(QUOTA);
        for (const [ms, client] of steps) {
          await scene.timer.pass(ms);
          const expected = local.spend(`${client}`, scene.timer.time);
          assertEquals(await scene.spend(`${client}`), expected);
        }
      },
    ),
    { seed: 3, numRuns: 30 },
  );
});

for (const state of ["fails", "hangs"] as const) {
  Deno.test(`SharedLimiter counts alone when the counter ${state}, and says so once`, async () => {
    const scene = new Scene();
    for (let i = 0; i < 2; i++) await scene.spent();
    scene.counter.state = state;
    const waiting = [scene.spend(), scene.spend()];
    await scene.timer.pass(100);
    // From the last quota of the counter on.
    const allowances = await Promise.all(waiting);
    assertEquals(allowances.map(({ remaining }) => remaining), [2, 1]);
    assertEquals(scene.messages(), [LOST]);
    for (let i = 0; i < 3; i++) assert(!(scene.spend("b") instanceof Promise));
    assertEquals(scene.messages(), [LOST]);
    assertEquals(scene.limiter.sharing, { isShared: false, localRequests: 5 });
  });

  Deno.test(`SharedLimiter uses a counter again that ${state} for a while`, async () => {
    const scene = new Scene();
    scene.counter.state = state;
    scene.spend();
    await scene.timer.pass(5000);
    assertEquals(scene.messages(), [LOST]);
    assert(scene.counter.probes >= 4);
    assertEquals(scene.counter.reconnections, scene.counter.probes + 1);
    scene.counter.state = "works";
    await scene.timer.pass(1100);
    assertEquals(scene.messages(), [LOST, BACK]);
    assertEquals(scene.limiter.sharing.isShared, true);
    const { length } = scene.counter.calls;
    await scene.spent();
    assertEquals(scene.counter.calls.length, length + 1);
    assertEquals(scene.timer.pending, 0);
  });
}

Deno.test("SharedLimiter waits longer for a counter that works only for probes", async () => {
  const scene = new Scene();
  scene.counter.spend = () => Promise.reject(new Error("unexpected answer"));
  for (let i = 0; i < 600; i++) {
    scene.spend();
    await scene.timer.pass(100);
  }
  // After 1, 2, 4, 8 and 16 seconds.
  assertEquals(scene.messages().filter((it) => it === BACK).length, 5);
  await scene.timer.pass(3_600_000);
  scene.spend();
  await scene.timer.pass(1000);
  assertEquals(scene.messages().slice(-2), [LOST, BACK]);
});

Deno.test("SharedLimiter waits for the counter at most once", async () => {
  const scene = new Scene();
  scene.counter.state = "hangs";
  const first = scene.spend();
  await settle();
  const second = scene.spend("b");
  await scene.timer.pass(99);
  assertEquals(scene.messages(), []);
  await scene.timer.pass(1);
  assertEquals(scene.messages(), [LOST]);
  assertEquals((await first).allowed && (await second).allowed, true);
});

Deno.test("SharedLimiter stops trying when it is closed", async () => {
  const scene = new Scene();
  scene.counter.state = "fails";
  await scene.limiter.start(1000);
  scene.limiter.close();
  assertEquals(scene.timer.pending, 0);
  assertEquals(scene.counter.isClosed, true);
});

Deno.test("SharedLimiter counts alone without a word when it is closed during a call", async () => {
  const scene = new Scene();
  scene.counter.state = "fails";
  const spent = scene.spend();
  scene.limiter.close();
  assertEquals((await spent).allowed, true);
  assertEquals(scene.messages(), []);
  assertEquals(scene.timer.pending, 0);
});
