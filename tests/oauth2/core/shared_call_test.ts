import { assert, assertEquals, assertRejects } from "@std/assert";
import { SharedCall } from "../../../oauth2/core/shared_call.ts";
import { countedSignal } from "../_counted_signal.ts";

/** Creates a shared call whose results the test sets. */
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

Deno.test("join starts one call for concurrent callers", async () => {
  const { signals, results, join } = manual();
  const waits = [join(), join(new AbortController().signal), join()];
  assertEquals(signals.length, 1);
  results[0]!.resolve("a");
  assertEquals(await Promise.all(waits), ["a", "a", "a"]);
});

Deno.test("join rejects for all callers with the error of the call", async () => {
  const { results, join } = manual();
  const reason = new Error("lost");
  const waits = [join(), join(new AbortController().signal)];
  results[0]!.reject(reason);
  for (const wait of waits) assert(await wait.catch((e) => e) === reason);
});

Deno.test("join starts a new call after the last has settled", async () => {
  const { signals, results, join } = manual();
  for (const settle of ["resolve", "reject"] as const) {
    const wait = join().catch((error) => error);
    results.at(-1)![settle](settle);
    assertEquals(await wait, settle);
  }
  assertEquals(signals.length, 2);
});

for (const settle of ["resolve", "reject"] as const) {
  Deno.test(`join starts a new call in the first callback after a ${settle}`, async () => {
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

Deno.test("join rejects for the caller whose signal aborts and continues the call", async () => {
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

Deno.test("join aborts the call with the reason of the last caller, and starts a new one", async () => {
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
  // An aborted call that settles later is ignored.
  results[0]!.reject("late");
  results[1]!.resolve("b");
  assertEquals(await later, "b");
  assertEquals(signals.map(({ aborted }) => aborted), [true, false]);
});

Deno.test("join with an aborted signal rejects and starts no call", async () => {
  const { signals, results, join } = manual();
  const signal = AbortSignal.abort("enough");
  assertEquals(await join(signal).catch((error) => error), "enough");
  assertEquals(signals, []);
  const wait = join();
  assertEquals(await join(signal).catch((error) => error), "enough");
  results[0]!.resolve("a");
  assertEquals(await wait, "a");
});

Deno.test("join does not abort the signal of a resolved call", async () => {
  const { signals, results, join } = manual();
  const wait = join();
  results[0]!.resolve("a");
  await wait;
  assertEquals(signals[0]!.aborted, false);
});

Deno.test("join starts a new call after one that threw", async () => {
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

Deno.test("join leaves no listener on the signal of the caller", async () => {
  const { results, join } = manual();
  const { signal, listeners } = countedSignal();
  const wait = join(signal);
  assertEquals(listeners.size, 1);
  results[0]!.resolve("a");
  await wait;
  assertEquals(listeners.size, 0);
});
