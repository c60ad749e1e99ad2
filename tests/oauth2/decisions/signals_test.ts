/** Listeners on signals that outlive their calls, and aborts while a body is read. */
import { assert, assertEquals } from "@std/assert";
import type { Client, ClientOptions, Fetch } from "../../../oauth2/mod.ts";
import { CALLS, tokenOf } from "../_calls.ts";
import { createClient } from "../_client.ts";
import { countedSignal } from "../_counted_signal.ts";
import { settle } from "../_settle.ts";

/** Calls that return the response of fetch. */
const FETCH_CALLS: Readonly<
  Record<string, (client: Client, signal?: AbortSignal) => Promise<Response>>
> = {
  "token.fetch": (client, signal) =>
    tokenOf(client).fetch("/from", signal ? { signal } : {}),
  "client.open": (client, signal) => client.open("get", "/from", { signal }),
};
const redirectTo = (location: string) =>
  new Response(null, { status: 302, headers: { location } });
/** Ends of a call, with the options that cause them. */
const ENDS: Readonly<Record<string, [Fetch, ClientOptions?]>> = {
  "a response": [() => Promise.resolve(new Response("text"))],
  "a response without a body": [() => Promise.resolve(new Response())],
  "an error response": [
    () => Promise.resolve(new Response("text", { status: 500 })),
  ],
  "a redirect and a response": [
    (url) =>
      Promise.resolve(
        url.endsWith("/from") ? redirectTo("/to") : new Response("text"),
      ),
  ],
  "a refused redirect": [
    () => Promise.resolve(redirectTo("https://attacker.example")),
  ],
  "a failed connection": [() => Promise.reject(new TypeError("fetch failed"))],
  "a fetch that throws": [() => {
    throw new Error("failed");
  }],
  "a fetch that returns undefined": [
    () => Promise.resolve(undefined as unknown as Response),
  ],
  "a timeout": [
    () => new Promise<Response>(() => {}),
    { connectionOpts: { timeout: 1 } },
  ],
  "a refused origin": [
    () => Promise.resolve(new Response()),
    { allowedOrigins: ["https://other.example"] },
  ],
};
for (const [end, [fetch, options]] of Object.entries(ENDS)) {
  for (const [name, call] of Object.entries(FETCH_CALLS)) {
    Deno.test(`${name} leaves no listener on the signal of the call after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      await call(createClient({ ...options, fetch }), signal).catch(() => {});
      await settle();
      assertEquals(listeners.size, 0);
    });
    Deno.test(`${name} leaves no listener on the signal of connectionOpts after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      const connectionOpts = { ...options?.connectionOpts, signal };
      await call(createClient({ ...options, fetch, connectionOpts }))
        .catch(() => {});
      await settle();
      assertEquals(listeners.size, 0);
    });
  }
  for (const [name, call] of Object.entries(CALLS)) {
    Deno.test(`${name} leaves no listener on its signal after ${end}`, async () => {
      const { signal, listeners } = countedSignal();
      await call(createClient({ ...options, fetch }), { signal }).catch(
        () => {},
      );
      await settle();
      assertEquals(listeners.size, 0);
    });
  }
}

Deno.test("token.fetch of an empty token leaves no listener on its signal", async () => {
  const { signal, listeners } = countedSignal();
  const fetch = () => Promise.resolve(new Response());
  const token = tokenOf(createClient({ fetch }), { access_token: "" });
  await token.fetch("/from", { signal }).catch(() => {});
  await settle();
  assertEquals(listeners.size, 0);
});

/** Creates a response whose body fails with the signal, like that of `fetch`. */
const responseWith = (signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("begun"));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    }),
  );
for (const [name, call] of Object.entries(FETCH_CALLS)) {
  for (const place of ["the call", "connectionOpts"]) {
    for (const hops of [0, 1]) {
      Deno.test(`${name} aborts the body with the signal of ${place} after ${hops} redirects`, async () => {
        const reason = new Error("enough");
        const { controller, signal } = countedSignal();
        let sent: AbortSignal | undefined;
        let left = hops;
        const client = createClient({
          fetch: (_, init) => {
            sent = init.signal!;
            return Promise.resolve(
              left-- > 0 ? redirectTo("/to") : responseWith(sent),
            );
          },
          connectionOpts: place === "connectionOpts" ? { signal } : {},
        });
        const response = await call(
          client,
          place === "the call" ? signal : undefined,
        );
        await settle();
        assertEquals(sent?.aborted, false);
        const read = response.text().catch((error: unknown) => error);
        controller.abort(reason);
        // In Chromium, it is another error than the reason.
        assert(await read instanceof Error);
        assert(sent?.aborted && sent.reason === reason);
      });
    }
  }
}
