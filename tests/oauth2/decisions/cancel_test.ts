/** Cancellation of bodies after a timeout or an abort. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Fetch, TimeoutError } from "../../../oauth2/mod.ts";
import { discover } from "../../../oauth2/server/discover.ts";
import { type Call, CALLS } from "../_calls.ts";
import { createClient, SITE } from "../_client.ts";
import { settle } from "../_settle.ts";

/** Body that never ends. */
class Unending {
  /** Resolves when the body is read. */
  readonly started = Promise.withResolvers<void>();
  /** Resolves when the body is cancelled. */
  readonly cancelled = Promise.withResolvers<unknown>();
  readonly body: ReadableStream<Uint8Array> = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new TextEncoder().encode("{"));
      this.started.resolve();
      // No further chunk.
      return new Promise(() => {});
    },
    cancel: (reason) => this.cancelled.resolve(reason),
  }, { highWaterMark: 0 });
}

const JSON_HEADERS = { "content-type": "application/json" };

/** Calls with a signal or a timeout, including discover. */
const FETCH_CALLS: Readonly<
  Record<
    string,
    (fetch: Fetch, options: Parameters<Call>[1]) => Promise<unknown>
  >
> = {
  ...Object.fromEntries(
    Object.entries(CALLS).map(([name, call]) => [
      name,
      (fetch: Fetch, options: Parameters<Call>[1]) =>
        call(createClient({ fetch }), options),
    ]),
  ),
  discover: (fetch, options) => discover(SITE, { fetch, ...options }),
};

for (const [name, call] of Object.entries(FETCH_CALLS)) {
  Deno.test(`${name} cancels the body on an abort that fetch ignores`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const answer = new Unending();
    const outcome = call(
      () =>
        Promise.resolve(new Response(answer.body, { headers: JSON_HEADERS })),
      { signal: controller.signal },
    ).catch((error) => error);
    await answer.started.promise;
    controller.abort(reason);
    assert(await outcome === reason);
    await answer.cancelled.promise;
  });

  Deno.test(`${name} cancels the body on a timeout that fetch ignores`, async () => {
    const answer = new Unending();
    const outcome = call(
      () => Promise.resolve(new Response(answer.body)),
      { timeout: 1 },
    );
    await assertRejects(() => outcome, TimeoutError);
    await answer.cancelled.promise;
  });

  Deno.test(`${name} cancels the body of a response that arrives after an abort`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const answer = new Unending();
    const late = Promise.withResolvers<Response>();
    const isCalled = Promise.withResolvers<void>();
    const outcome = call(() => {
      isCalled.resolve();
      return late.promise;
    }, { signal: controller.signal }).catch((error) => error);
    await isCalled.promise;
    controller.abort(reason);
    assert(await outcome === reason);
    late.resolve(new Response(answer.body));
    await answer.cancelled.promise;
  });
}

Deno.test("request cancels the body of a response that arrives after the timeout", async () => {
  const answer = new Unending();
  const late = Promise.withResolvers<Response>();
  const client = createClient({ fetch: () => late.promise });
  await assertRejects(
    () => client.request("get", "/from", { timeout: 1 }),
    TimeoutError,
  );
  late.resolve(new Response(answer.body));
  await answer.cancelled.promise;
});

Deno.test("request leaves no unhandled rejection if a late fetch or its cancellation fails", async () => {
  for (
    const late of [
      () => Promise.reject(new Error("lost")),
      () =>
        Promise.resolve(
          new Response(
            new ReadableStream({
              cancel: () => Promise.reject(new Error("cannot cancel")),
            }),
          ),
        ),
    ]
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const client = createClient({
      fetch: async () => {
        await promise;
        return await late();
      },
    });
    const outcome = client
      .request("get", "/from", { signal: controller.signal })
      .catch((error) => error);
    controller.abort("enough");
    assertEquals(await outcome, "enough");
    resolve();
    await settle();
  }
});

Deno.test("request does not cancel a body that it has read", async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode("whole"));
      controller.close();
    },
    cancel: () => void (isCancelled = true),
  });
  const controller = new AbortController();
  const fetch = () => Promise.resolve(new Response(body));
  const response = await createClient({ fetch })
    .request("get", "/from", { signal: controller.signal });
  controller.abort();
  assertEquals([response.body, isCancelled], ["whole", false]);
});
