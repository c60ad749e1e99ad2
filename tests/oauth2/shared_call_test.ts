import { assert, assertEquals, assertRejects } from "@std/assert";
import { SharedCall } from "../../oauth2/shared_call.ts";

/** A call whose results are given by hand, and the signals of those that began. */
function manual() {
  const signals: AbortSignal[] = [];
  const results: PromiseWithResolvers<string>[] = [];
  const shared = new SharedCall<string>();
  const start = (signal: AbortSignal) => {
    const result = Promise.withResolvers<string>();
    signals.push(signal);
    results.push(result);
    return result.promise;
  };
  const join = (signal?: AbortSignal) => shared.join(start, signal);
  return { signals, results, join };
}

Deno.test("join starts one call for all who wait at the same time", async () => {
  const { signals, results, join } = manual();
  const waits = [join(), join(new AbortController().signal), join()];
  assertEquals(signals.length, 1);
  results[0]!.resolve("a");
  assertEquals(await Promise.all(waits), ["a", "a", "a"]);
});

Deno.test("join gives the error of the call to all who wait", async () => {
  const { results, join } = manual();
  const reason = new Error("lost");
  const waits = [join(), join(new AbortController().signal)];
  results[0]!.reject(reason);
  for (const wait of waits) assert(await wait.catch((e) => e) === reason);
});

Deno.test("join starts again after the call has settled", async () => {
  const { signals, results, join } = manual();
  for (const settle of ["resolve", "reject"] as const) {
    const wait = join().catch((error) => error);
    results.at(-1)![settle](settle);
    assertEquals(await wait, settle);
  }
  assertEquals(signals.length, 2);
});

for (const settle of ["resolve", "reject"] as const) {
  Deno.test(`join starts again for the first who hears of the ${settle}, though others have yet to hear`, async () => {
    const { signals, results, join } = manual();
    const first = join().then(() => join(), () => join());
    // A wait with a signal takes longer to end.
    const second = join(new AbortController().signal).catch(() => {});
    results[0]![settle]("a");
    await second;
    assertEquals(signals.length, 2);
    results[1]!.resolve("b");
    assertEquals(await first, "b");
  });
}

Deno.test("join ends the wait of the caller whose signal aborts, and leaves the call", async () => {
  const { signals, results, join } = manual();
  const controller = new AbortController();
  const alone = join(controller.signal);
  const other = join();
  controller.abort("enough");
  assertEquals(await alone.catch((error) => error), "enough");
  assertEquals(signals.map(({ aborted }) => aborted), [false]);
  results[0]!.resolve("a");
  assertEquals(await other, "a");
});

Deno.test("join aborts the call with the reason of the last who leaves, and starts again", async () => {
  const { signals, results, join } = manual();
  const controllers = [new AbortController(), new AbortController()];
  const waits = controllers.map(({ signal }) =>
    join(signal).catch((error) => error)
  );
  for (const [i, controller] of controllers.entries()) {
    controller.abort(`enough ${i}`);
    assertEquals(await waits[i], `enough ${i}`);
  }
  assertEquals(signals[0]!.reason, "enough 1");
  const later = join();
  // An aborted call that settles late concerns nobody.
  results[0]!.reject("late");
  results[1]!.resolve("b");
  assertEquals(await later, "b");
  assertEquals(signals.map(({ aborted }) => aborted), [true, false]);
});

Deno.test("join with a signal that has aborted starts and joins nothing", async () => {
  const { signals, results, join } = manual();
  const signal = AbortSignal.abort("enough");
  assertEquals(await join(signal).catch((error) => error), "enough");
  assertEquals(signals, []);
  const wait = join();
  assertEquals(await join(signal).catch((error) => error), "enough");
  results[0]!.resolve("a");
  assertEquals(await wait, "a");
});

Deno.test("join does not abort the signal of a call that succeeded", async () => {
  const { signals, results, join } = manual();
  const wait = join();
  results[0]!.resolve("a");
  await wait;
  assertEquals(signals[0]!.aborted, false);
});

Deno.test("join starts again after a call that could not begin", async () => {
  const shared = new SharedCall<string>();
  const fail = () => {
    throw new TypeError("no");
  };
  await assertRejects(() => shared.join(fail, undefined), TypeError, "no");
  assertEquals(
    await shared.join(() => Promise.resolve("a"), undefined),
    "a",
  );
});

Deno.test("join forgets the caller's signal when the call ends", async () => {
  const { results, join } = manual();
  let listeners = 0;
  const counted = Object.defineProperties(new EventTarget(), {
    throwIfAborted: { value: () => {} },
    addEventListener: { value: () => void listeners++ },
    removeEventListener: { value: () => void listeners-- },
  }) as AbortSignal;
  const wait = join(counted);
  results[0]!.resolve("a");
  await wait;
  assertEquals(listeners, 0);
});
