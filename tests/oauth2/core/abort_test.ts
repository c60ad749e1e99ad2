/** Timeouts, aborts and limits of calls. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  discover,
  type Fetch,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { type Call, CALLS, ENDPOINT_CALLS, tokenOf } from "../_calls.ts";
import {
  clientTest,
  createClient,
  oauth2Error,
  type Setting,
  SITE,
} from "../_client.ts";
import { countedSignal } from "../_counted_signal.ts";
import { json, onResource, onToken } from "../_exchanges.ts";
import { settle } from "../_settle.ts";

const OVER = new Error("over");

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`${name} rejects with the reason of its signal`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const fetch = () => {
      controller.abort(reason);
      // This fetch ignores its signal.
      return new Promise<Response>(() => {});
    };
    const client = createClient({ fetch });
    const error = await call(client, { signal: controller.signal })
      .catch((error) => error);
    assert(error === reason);
  });
  clientTest(
    `${name} with an aborted signal sends nothing`,
    [],
    async ({ client }) => {
      const reason = new Error("enough");
      const error = await call(client, { signal: AbortSignal.abort(reason) })
        .catch((error) => error);
      assert(error === reason);
    },
  );
  clientTest(
    `${name} rejects with the reason of the signal of connectionOpts`,
    [],
    async ({ client }) => {
      const error = await call(client).catch((error) => error);
      assert(error === OVER);
    },
    { connectionOpts: { signal: AbortSignal.abort(OVER) } },
  );
  clientTest(
    `${name} rejects after the timeout`,
    [{ respond: { hang: true } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        TimeoutError,
      ) as TimeoutError;
      assertEquals(error.name, "TimeoutError");
      assert(error.message.endsWith(" of 1 ms exceeded"), error.message);
      assert(error instanceof ConnectionError);
    },
    { connectionOpts: { timeout: 1 } },
  );
}

const MEBIBYTE = 1024 * 1024;

for (
  const [bytes, isRead] of [[MEBIBYTE, true], [MEBIBYTE + 1, false]] as const
) {
  const body = JSON.stringify({ access_token: "monkey" }).padEnd(bytes);
  const headers = { "content-type": "application/json" };
  clientTest(
    `getToken ${isRead ? "reads" : "refuses"} a body of ${bytes} bytes`,
    [onToken({ status: 200, headers, body })],
    async ({ client }) => {
      if (isRead) assertEquals((await client.getToken()).token, "monkey");
      else assertEquals((await oauth2Error(client.getToken())).status, 200);
    },
  );
}

clientTest(
  "maxBodyBytes of a call overrides that of the client",
  [
    onResource({ status: 200, body: "12345678901" }),
    onResource({ status: 200, body: "12345678901" }),
    onResource({ status: 200, body: "1234567890" }),
    onToken(json({ access_token: "monkey" })),
  ],
  async ({ client }) => {
    const maxBodyBytes = 11;
    const { body } = await client.request("get", "/from", { maxBodyBytes });
    assertEquals(body, "12345678901");
    const error = await oauth2Error(client.request("get", "/from"));
    assert(!error.message.includes("12345"), error.message);
    assertEquals((await client.request("get", "/from")).body, "1234567890");
    await oauth2Error(client.getToken());
  },
  { connectionOpts: { maxBodyBytes: 10 } },
);

for (const [name, call] of Object.entries(ENDPOINT_CALLS)) {
  clientTest(
    `maxBodyBytes of ${name} limits the response and is not sent`,
    [{ respond: json({ access_token: "ape" }) }],
    async ({ client, fetch }) => {
      const error = await oauth2Error(call(client, { maxBodyBytes: 10 }));
      assert(error.message.includes("longer than 10 bytes"), error.message);
      const [{ body, url }] = fetch.requests as [typeof fetch.requests[0]];
      assert(!`${url} ${body}`.includes("ytes"));
    },
  );
}

for (const name of ["timeout", "maxBodyBytes"] as const) {
  for (const value of [NaN, -1, "1000"]) {
    const limits = { [name]: value as number };
    clientTest(
      `Client, calls and discover refuse the ${name} ${inspect(value)}`,
      [],
      async ({ client, fetch }) => {
        const connectionOpts = limits;
        assertThrows(() => createClient({ connectionOpts }), TypeError, name);
        for (const call of Object.values(CALLS)) {
          await assertRejects(() => call(client, limits), TypeError, name);
        }
        const call = () => discover(SITE, { fetch, ...limits });
        if (name === "timeout") await assertRejects(call, TypeError, name);
      },
    );
  }
}

/** Calls that sign nothing: a signature may outlast the test of a timeout. */
const { "assertion.getToken": _, ...UNSIGNED_CALLS } = ENDPOINT_CALLS;

/** Creates a client that counts its requests. */
function counting(options: Setting = {}) {
  let count = 0;
  const fetch: Fetch = () => {
    count++;
    return Promise.resolve(Response.json({ access_token: "ape" }));
  };
  return { client: createClient({ ...options, fetch }), sent: () => count };
}

for (const [name, call] of Object.entries(UNSIGNED_CALLS)) {
  for (
    const end of ["never settles", "resolves later", "rejects later"] as const
  ) {
    /** Settles the parameter after the call. */
    const settleLate = async (proof: PromiseWithResolvers<string>) => {
      if (end === "resolves later") proof.resolve("a.b.c");
      if (end === "rejects later") proof.reject(new Error("late"));
      await settle();
    };

    Deno.test(`${name} with a parameter that ${end} rejects after the timeout and sends nothing`, async () => {
      const { client, sent } = counting();
      const proof = Promise.withResolvers<string>();
      await assertRejects(
        () => call(client, { proof: proof.promise, timeout: 1 }),
        TimeoutError,
        "timeout of 1 ms exceeded",
      );
      await settleLate(proof);
      assertEquals(sent(), 0);
    });

    Deno.test(`${name} with a parameter that ${end} rejects with the reason of the signal and sends nothing`, async () => {
      const { client, sent } = counting();
      const proof = Promise.withResolvers<string>();
      const reason = new Error("enough");
      const controller = new AbortController();
      const { signal } = controller;
      const outcome = call(client, { proof: proof.promise, signal })
        .catch((error) => error);
      await settle();
      controller.abort(reason);
      assert(await outcome === reason);
      await settleLate(proof);
      assertEquals(sent(), 0);
    });
  }

  Deno.test(`${name} with a parameter that never settles obeys timeout and signal of connectionOpts`, async () => {
    const params = { proof: new Promise(() => {}) };
    const late = counting({ connectionOpts: { timeout: 1 } });
    await assertRejects(() => call(late.client, params), TimeoutError);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = counting({ connectionOpts: { signal } });
    const outcome = call(aborted.client, params).catch((error) => error);
    controller.abort("enough");
    assertEquals(await outcome, "enough");
    assertEquals([late.sent(), aborted.sent()], [0, 0]);
  });

  Deno.test(`${name} rejects with the error of a parameter and sends nothing`, async () => {
    const { client, sent } = counting();
    const reason = new Error("no signature");
    const proof = Promise.reject(reason);
    const error = await call(client, { proof }).catch((error) => error);
    assert(error === reason);
    assertEquals(sent(), 0);
  });

  Deno.test(`${name} sends a parameter that resolves in time`, async () => {
    const { client, sent } = counting();
    await call(client, { proof: Promise.resolve("a.b.c"), timeout: 60_000 });
    assertEquals(sent(), 1);
  });
}

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
const READING_CALLS: Readonly<
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

for (const [name, call] of Object.entries(READING_CALLS)) {
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
