/**
 * Managers in four processes that share a store and a session, against a server
 * that rotates refresh tokens and ends the session at a reuse, in virtual time.
 */
import { assert, assertEquals } from "@std/assert";
import { signOut } from "./_sign_out_world.ts";
import { type Outcome, type Plan, simulate, type StoreKind } from "./_world.ts";

const STORES: readonly StoreKind[] = ["compareAndSwap", "lock"];
const SEEDS = 3;

/** Runs with one fault, at each step but those of requests to the API. */
async function simulateEach(
  store: StoreKind,
  planOf: (step: number, name: string) => Partial<Plan> | undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let seed = 0; seed < SEEDS; seed++) {
    const { steps } = await simulate({ seed, store });
    for (const [i, name] of steps.entries()) {
      const plan = name.endsWith(" request") ? undefined : planOf(i + 1, name);
      if (plan) outcomes.push(await simulate({ seed, store, ...plan }));
    }
  }
  return outcomes;
}

/** Asserts that no call failed, except in a process that crashed. */
function assertServed({ results, unstored }: Outcome, calls = 100): void {
  assertEquals(unstored, 0);
  const { crash = 0, 200: ok = 0 } = results;
  assertEquals(crash + ok, calls, JSON.stringify(results));
}

for (const store of STORES) {
  Deno.test(`TokenManager refreshes once for a hundred callers in four processes (${store})`, async () => {
    for (let seed = 0; seed < 20; seed++) {
      const outcome = await simulate({ seed, store });
      const { server, results } = outcome;
      assertEquals([server.reuses, server.rotations], [[], 1]);
      assertEquals(results, { 200: 100 });
      assertServed(outcome);
    }
  });

  Deno.test(`TokenManager loses no session by a crash at any step, except between rotation and save (${store})`, async () => {
    const outcomes = await simulateEach(store, (step) => ({
      crashes: new Set([step]),
    }));
    const lost = outcomes.filter(({ lostRotations }) => lostRotations > 0);
    assert(lost.length > 0 && lost.length < outcomes.length / 5);
    for (const outcome of outcomes) {
      const { server, results } = outcome;
      if (!lost.includes(outcome)) {
        assertEquals([server.reuses, server.isRevoked], [[], false]);
        assertServed(outcome);
        continue;
      }
      // The rotated token died with the process: one attempt with the old one,
      // and then the user must sign in.
      assertEquals([server.reuses.length, server.isRevoked], [1, true]);
      assert(results.login_required! > 0);
      assertEquals(
        Object.keys(results).filter((name) => !/^(200|crash)$/.test(name)),
        ["login_required"],
      );
    }
  });

  Deno.test(`TokenManager loses no session by a crash at any step if the server forgives a reuse for a minute (${store})`, async () => {
    const outcomes = await simulateEach(store, (step) => ({
      crashes: new Set([step]),
      overlap: 60_000,
    }));
    for (const outcome of outcomes) {
      const { server, lostRotations } = outcome;
      assertEquals(server.reuses, []);
      assertEquals(server.forgiven.length, lostRotations);
      assertServed(outcome);
    }
  });

  Deno.test(`TokenManager uses no refresh token twice if a process stops for a minute before it sends it (${store})`, async () => {
    const outcomes = await simulateEach(
      store,
      (step, name) =>
        /^(get|claim|lock)/.test(name)
          ? { stalls: new Set([step]) }
          : undefined,
    );
    // In the others, it stops before it saves a token.
    const found = outcomes.filter(({ lostRotations }) => lostRotations === 0);
    assert(found.length > outcomes.length / 2);
    for (const outcome of found) {
      assertEquals(outcome.server.reuses, []);
      assertServed(outcome);
    }
  });

  for (const when of ["before", "after"] as const) {
    Deno.test(`TokenManager loses no session if an operation of the store fails ${when} it was done (${store})`, async () => {
      const outcomes = await simulateEach(
        store,
        (step, name) =>
          /^(get|claim|save)$/.test(name)
            ? { storeFaults: new Map([[step, when]]) }
            : undefined,
      );
      for (const { server, results } of outcomes) {
        assertEquals([server.reuses, server.isRevoked], [[], false]);
        const { 200: ok = 0, store_failed = 0 } = results;
        assertEquals(ok + store_failed, 100, JSON.stringify(results));
      }
    });
  }
}

Deno.test("TokenManager loses no session in an hour of random crashes if the server forgives a reuse for ten minutes", async () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const plan = { seed, calls: 12, pause: 600_000, overlap: 600_000 };
    const outcome = await simulate({ ...plan, crashRate: 0.01 });
    const { server, results } = outcome;
    assertEquals(server.reuses, []);
    assert(server.rotations > 10 && results.crash! > 10);
    assertServed(outcome, 1200);
  }
});

/** Runs of each row; together more than ten thousand. */
const RUNS = 1500;

for (
  const [store, maxStale, crashRate, timeoutRate] of [
    ["compareAndSwap", 30, 0, 0],
    ["compareAndSwap", 0, 0, 0],
    ["compareAndSwap", 5, 0.01, 0],
    ["compareAndSwap", 5, 0, 0.03],
    ["compareAndSwap", 30, 0.01, 0.03],
    ["lock", 5, 0, 0],
    ["lock", 0, 0.01, 0.03],
  ] as const
) {
  const faults = [
    crashRate > 0 && "crashes",
    timeoutRate > 0 && "timeouts of the store",
  ].filter((fault) => fault).join(" and ") || "no faults";
  Deno.test(`TokenManager keeps the rules of sign-out in ${RUNS} runs with ${faults} (${store}, maxStale ${maxStale})`, async () => {
    const counts: Record<string, number> = {};
    for (let seed = 0; seed < RUNS; seed++) {
      const outcome = await signOut({
        seed,
        store,
        maxStale,
        crashRate,
        timeoutRate,
      });
      assertEquals(outcome.violations, []);
      for (const [name, count] of Object.entries(outcome.counts)) {
        counts[name] = (counts[name] ?? 0) + count;
      }
    }
    // The runs do what they are about.
    for (const name of ["renewed", "revoked", "clear", "kept"]) {
      assert(counts[name]! > RUNS / 4, `${name}: ${counts[name]}`);
    }
    assertEquals([crashRate, timeoutRate].map((rate) => rate > 0), [
      "crash" in counts,
      "timeout" in counts,
    ]);
  });
}
