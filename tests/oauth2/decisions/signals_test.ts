/** Signals that outlive their calls: no listener stays, and an abort ends the body. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  type Fetch,
} from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../calls.ts";
import { SITE } from "../testing.ts";

/** A signal of the caller's, and the listeners that it has. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.defineProperties(signal, {
    addEventListener: {
      value: (...args: Parameters<typeof add>) => {
        listeners.add(args[1]);
        add(...args);
      },
    },
    removeEventListener: {
      value: (...args: Parameters<typeof remove>) => {
        listeners.delete(args[1]);
        remove(...args);
      },
    },
  });
  return { controller, signal, listeners };
}
/** Lets everything happen that needs no time. */
const settle = () => new Promise((done) => setTimeout(done, 0));

/** Calls that give a raw response. */
const RAW: Readonly<
  Record<string, (client: Client, signal?: AbortSignal) => Promise<Response>>
> = {
  "token.fetch": (client, signal) =>
    tokenOf(client).fetch("/from", signal ? { signal } : {}),
  "client.open": (client, signal) => client.open("get", "/from", { signal }),
};
const clientOf = (fetch: Fetch, options: ClientOptions = {}) =>
  new Client("abc", "hush-hush", { site: SITE, fetch, ...options });

const redirectTo = (location: string) =>
  new Response(null, { status: 302, headers: { location } });
/** Answers, and what must be set for them. */
const ENDS: Readonly<Record<string, [Fetch, ClientOptions?]>> = {
  "an answer": [() => Promise.resolve(new Response("text"))],
  "an answer without a body": [() => Promise.resolve(new Response())],
  "an error answer": [
    () => Promise.resolve(new Response("text", { status: 500 })),
  ],
  "a redirect and an answer": [
    (url) =>
      Promise.resolve(
        url.endsWith("/from") ? redirectTo("/to") : new Response("text"),
      ),
  ],
  "a redirect that is refused": [
    () => Promise.resolve(redirectTo("https://attacker.example")),
  ],
  "a lost connection": [() => Promise.reject(new TypeError("fetch failed"))],
  "a fetch that throws": [() => {
    throw new Error("a mistake");
  }],
  "a fetch without a response": [
    () => Promise.resolve(undefined as unknown as Response),
  ],
  "a timeout": [
    () => new Promise<Response>(() => {}),
    { connectionOpts: { timeout: 1 } },
  ],
  "an origin that is not allowed": [
    () => Promise.resolve(new Response()),
    { allowedOrigins: ["https://other.example"] },
  ],
};
for (const [end, [fetch, options]] of Object.entries(ENDS)) {
  for (const [name, call] of Object.entries(RAW)) {
    Deno.test(`${name} leaves no listener on the signal of the call after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      await call(clientOf(fetch, options), signal).catch(() => {});
      await settle();
      assertEquals(listeners.size, 0);
    });
    Deno.test(`${name} leaves no listener on the signal of connectionOpts after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      const connectionOpts = { ...options?.connectionOpts, signal };
      await call(clientOf(fetch, { ...options, connectionOpts }))
        .catch(() => {});
      await settle();
      assertEquals(listeners.size, 0);
    });
  }
  for (const [name, call] of Object.entries(CALLS)) {
    Deno.test(`${name} leaves no listener on its signal after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      await call(clientOf(fetch, options), { signal }).catch(() => {});
      await settle();
      assertEquals(listeners.size, 0);
    });
  }
}

Deno.test("token.fetch that is refused leaves no listener on its signal", async () => {
  const { signal, listeners } = countedSignal();
  const client = clientOf(() => Promise.resolve(new Response()));
  const token = AccessToken.fromHash(client, { refresh_token: "abaca" });
  await token.fetch("/from", { signal }).catch(() => {});
  await settle();
  assertEquals(listeners.size, 0);
});

/** An answer whose body ends with the signal of the request, as that of `fetch` does. */
const answerWith = (signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("begun"));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    }),
  );
for (const [name, call] of Object.entries(RAW)) {
  for (const place of ["the call", "connectionOpts"]) {
    for (const hops of [0, 1]) {
      Deno.test(`${name} ends the body with the signal of ${place}, after ${hops} redirects`, async () => {
        const reason = new Error("enough");
        const { controller, signal } = countedSignal();
        let sent: AbortSignal | undefined;
        let left = hops;
        const client = clientOf((_, init) => {
          sent = init.signal!;
          return Promise.resolve(
            left-- > 0 ? redirectTo("/to") : answerWith(sent),
          );
        }, place === "the call" ? {} : { connectionOpts: { signal } });
        const response = await call(
          client,
          place === "the call" ? signal : undefined,
        );
        await settle();
        assertEquals(sent?.aborted, false);
        const read = response.text().catch((error: unknown) => error);
        controller.abort(reason);
        // Chromium has an error of its own for it.
        assert(await read instanceof Error);
        assert(sent?.aborted && sent.reason === reason);
      });
    }
  }
}
