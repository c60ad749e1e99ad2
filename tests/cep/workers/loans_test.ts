import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Allowance } from "../../../cep/http/rate_limiter.ts";
import { Crew, type FakeWorker } from "./_fake_workers.ts";

/** Forty requests at once, and one more in twenty minutes. */
const FORTY = { max: 30, burst: 10, minutes: 600 };

/** Sends requests of clients at the same time. */
async function spend(
  crew: Crew,
  requests: readonly (readonly [FakeWorker, string])[],
): Promise<Allowance[]> {
  const { time } = crew.timer;
  const all = requests.map(([{ limits }, client]) =>
    limits.spend(client, time)
  );
  await crew.timer.pass(1);
  return await Promise.all(all);
}

function countAllowed(allowances: readonly Allowance[]): number {
  return allowances.filter(({ allowed }) => allowed).length;
}

Deno.test("Loans answer most requests of a client without the supervisor", async () => {
  using crew = await Crew.listening({ quota: { ...FORTY, max: 3000 } });
  const [worker] = crew.workers;
  await spend(crew, [[worker!, "a"]]);
  for (let i = 0; i < 500; i++) {
    const allowance = worker!.limits.spend("a", crew.timer.time);
    assert(!(allowance instanceof Promise) && allowance.allowed, `${i}`);
  }
  const spent = worker!.received.filter(({ type }) => type === "spent");
  assertEquals(spent.length, 1);
});

Deno.test("Loans tell the requests left", async () => {
  using crew = await Crew.listening({ quota: FORTY });
  const [worker] = crew.workers;
  const remaining = [];
  for (let i = 0; i < 40; i++) {
    const [allowance] = await spend(crew, [[worker!, "a"]]);
    remaining.push(allowance!.remaining);
  }
  assertEquals(remaining, Array.from({ length: 40 }, (_, i) => 39 - i));
  const [refused] = await spend(crew, [[worker!, "a"]]);
  assertEquals(refused, { allowed: false, remaining: 0, waitSeconds: 1200 });
});

Deno.test("Loans of all workers allow exactly the quota", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(
        fc.tuple(fc.nat(3), fc.nat(1), fc.integer({ min: 1, max: 30 })),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      async (workers, groups) => {
        using crew = await Crew.listening({ workers, quota: FORTY });
        const asked = new Map([["a", 0], ["b", 0]]);
        const allowed = new Map([["a", 0], ["b", 0]]);
        for (const [i, which, count] of groups) {
          const worker = crew.workers[i % workers]!;
          const client = which === 0 ? "a" : "b";
          const requests = Array.from(
            { length: count },
            () => [worker, client] as const,
          );
          const allowances = await spend(crew, requests);
          asked.set(client, asked.get(client)! + count);
          const before = allowed.get(client)!;
          allowed.set(client, before + countAllowed(allowances));
        }
        for (const [client, count] of allowed) {
          assertEquals(count, Math.min(asked.get(client)!, 40));
        }
      },
    ),
    { seed: 11, numRuns: 40 },
  );
});

Deno.test("Loans of requests that wait are not lost", async () => {
  using crew = await Crew.listening({ quota: FORTY });
  const [one, two] = crew.workers;
  const all: (Allowance | Promise<Allowance>)[] = [];
  const ask = (worker: FakeWorker, count: number) => {
    const { time } = crew.timer;
    for (let i = 0; i < count; i++) all.push(worker.limits.spend("a", time));
  };
  ask(one!, 1);
  for (let turn = 0; turn < 8; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    ask(one!, 2);
  }
  await crew.timer.pass(1);
  ask(two!, 40);
  await crew.timer.pass(1);
  ask(one!, 1);
  await crew.timer.pass(1);
  assertEquals(countAllowed(await Promise.all(all)), 40);
});

Deno.test("Loans of all workers never allow more than the quota, and all of it in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }),
          fc.nat(4),
        ),
        { minLength: 1, maxLength: 10 },
      ),
      async (groups) => {
        using crew = await Crew.listening({ workers: 3, quota: FORTY });
        const all: (Allowance | Promise<Allowance>)[] = [];
        for (const [workers, turns] of groups) {
          for (const i of workers) {
            const { limits } = crew.workers[i]!;
            all.push(limits.spend("a", crew.timer.time));
          }
          for (let turn = 0; turn < turns; turn++) {
            await new Promise<void>((resolve) => setImmediate(resolve));
          }
        }
        await crew.timer.pass(10);
        let allowed = countAllowed(await Promise.all(all));
        assert(allowed <= 40, `${allowed}`);
        // Then each worker asks for the rest alone.
        for (const worker of crew.workers) {
          for (let i = 0; i < 40; i++) {
            allowed += countAllowed(await spend(crew, [[worker, "a"]]));
          }
        }
        assertEquals(allowed, 40);
      },
    ),
    { seed: 12, numRuns: 25 },
  );
});

Deno.test("Loans of a worker that has ended count as used", async () => {
  using crew = await Crew.listening({ quota: FORTY });
  const [one, two] = crew.workers;
  await spend(crew, [[one!, "a"]]);
  one!.end("SIGKILL");
  let allowed = 1;
  for (let i = 0; i < 50; i++) {
    allowed += countAllowed(await spend(crew, [[two!, "a"]]));
  }
  assertEquals(allowed, 40 - Math.floor(39 / 4));
});

Deno.test("Loans of a worker that does not answer are not waited for long", async () => {
  using crew = await Crew.listening({ quota: FORTY });
  const [one, two] = crew.workers;
  await spend(crew, [[one!, "a"]]);
  one!.isStuck = true;
  let allowed = 1;
  for (let i = 0; i < 50; i++) {
    const spent = two!.limits.spend("a", crew.timer.time);
    await crew.timer.pass(600);
    allowed += countAllowed([await spent]);
  }
  assertEquals(allowed, 40 - Math.floor(39 / 4));
});
