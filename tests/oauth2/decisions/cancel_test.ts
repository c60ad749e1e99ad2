/** Bodies of answers, which nobody reads on after a timeout or an abort. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  type Fetch,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { discover } from "../../../oauth2/discover.ts";
import { type Call, CALLS } from "../calls.ts";
import { SITE } from "../testing.ts";

/** A body that begins and never ends, and what becomes of it. */
class Unending {
  readonly started = Promise.withResolvers<void>();
  readonly cancelled = Promise.withResolvers<unknown>();
  readonly body: ReadableStream<Uint8Array> = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new TextEncoder().encode("{"));
      this.started.resolve();
      // Nothing more comes.
      return new Promise(() => {});
    },
    cancel: (reason) => this.cancelled.resolve(reason),
  }, { highWaterMark: 0 });
}

const JSON_HEADERS = { "content-type": "application/json" };
const clientOf = (fetch: Fetch, options: ClientOptions = {}) =>
  new Client("abc", "hush-hush", { site: SITE, fetch, ...options });

/** What asks for an answer with a signal or a timeout. */
const ASKS: Readonly<
  Record<
    string,
    (fetch: Fetch, options: Parameters<Call>[1]) => Promise<unknown>
  >
> = {
  ...Object.fromEntries(
    Object.entries(CALLS).map(([name, call]) => [
      name,
      (fetch: Fetch, options: Parameters<Call>[1]) =>
        call(clientOf(fetch), options),
    ]),
  ),
  discover: (fetch, options) => discover(SITE, { fetch, ...options }),
};

for (const [name, ask] of Object.entries(ASKS)) {
  Deno.test(`${name} cancels the body on an abort, though fetch does not heed the signal`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const answer = new Unending();
    const asked = ask(
      () =>
        Promise.resolve(new Response(answer.body, { headers: JSON_HEADERS })),
      { signal: controller.signal },
    ).catch((error) => error);
    await answer.started.promise;
    controller.abort(reason);
    assert(await asked === reason);
    await answer.cancelled.promise;
  });

  Deno.test(`${name} cancels the body on a timeout, though fetch does not heed the signal`, async () => {
    const answer = new Unending();
    const asked = ask(
      () => Promise.resolve(new Response(answer.body)),
      { timeout: 1 },
    );
    await assertRejects(() => asked, TimeoutError);
    await answer.cancelled.promise;
  });

  Deno.test(`${name} cancels the body of an answer that comes after an abort`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const answer = new Unending();
    const late = Promise.withResolvers<Response>();
    const isAsked = Promise.withResolvers<void>();
    const asked = ask(() => {
      isAsked.resolve();
      return late.promise;
    }, { signal: controller.signal }).catch((error) => error);
    await isAsked.promise;
    controller.abort(reason);
    assert(await asked === reason);
    late.resolve(new Response(answer.body));
    await answer.cancelled.promise;
  });
}

Deno.test("request cancels the body of an answer that comes after the timeout", async () => {
  const answer = new Unending();
  const late = Promise.withResolvers<Response>();
  const client = clientOf(() => late.promise);
  await assertRejects(
    () => client.request("get", "/from", { timeout: 1 }),
    TimeoutError,
  );
  late.resolve(new Response(answer.body));
  await answer.cancelled.promise;
});

Deno.test("request leaves no rejection unhandled when a late fetch or its cancellation fails", async () => {
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
    const client = clientOf(async () => {
      await promise;
      return await late();
    });
    const asked = client
      .request("get", "/from", { signal: controller.signal })
      .catch((error) => error);
    controller.abort("enough");
    assertEquals(await asked, "enough");
    resolve();
    // Whatever is not handled is reported by then.
    await new Promise((done) => setTimeout(done, 0));
  }
});

Deno.test("request reads a body to its end and does not cancel it", async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode("whole"));
      controller.close();
    },
    cancel: () => void (isCancelled = true),
  });
  const controller = new AbortController();
  const response = await clientOf(() => Promise.resolve(new Response(body)))
    .request("get", "/from", { signal: controller.signal });
  controller.abort();
  assertEquals([response.body, isCancelled], ["whole", false]);
});
