import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import { config } from "../../../oauth2/core/config.ts";
import { ConnectionError, TimeoutError } from "../../../oauth2/core/error.ts";
import { Redactor } from "../../../oauth2/core/redactor.ts";
import type { WireRequest } from "../../../oauth2/core/transport.ts";
import {
  checkLimit,
  exchange,
  type ExchangeOptions,
  open,
} from "../../../oauth2/core/transport.ts";
import { countedSignal } from "../_counted_signal.ts";
import { print } from "../_print.ts";

const SECRET = "segredo um~dois 3";
const REQUEST: WireRequest = {
  method: "POST",
  url: new URL(`https://x.example/?auth=${encodeURIComponent(SECRET)}`),
  headers: { "x-a": "1" },
  secrets: [SECRET],
  repetition: "safe",
};
const OPTIONS = {
  redactor: new Redactor(config),
  timeout: 0,
  maxBodyBytes: 100,
};
const send = (
  fetch: ExchangeOptions["fetch"],
  { body, repetition = "safe", ...options }:
    & Partial<ExchangeOptions>
    & Partial<Pick<WireRequest, "body" | "repetition">> = {},
) =>
  exchange(
    { ...REQUEST, body, repetition },
    { ...OPTIONS, fetch, ...options },
  );
const connectionError = async (call: Promise<unknown>) =>
  await assertRejects(() => call, ConnectionError) as ConnectionError;

Deno.test("exchange sends method and body with redirect manual, and duplex half for a stream", async () => {
  let seen: RequestInit & { duplex?: string } = {};
  const fetch = (url: string, init: RequestInit) => {
    assertEquals(url, REQUEST.url.href);
    seen = init;
    return Promise.resolve(new Response("a"));
  };
  await send(fetch, { body: "b" });
  const { method, redirect, body, duplex } = seen;
  assertEquals([method, redirect, body, duplex], [
    "POST",
    "manual",
    "b",
    undefined,
  ]);
  await send(fetch, { body: new Blob(["b"]).stream() });
  assertEquals(seen.duplex, "half");
});

for (const timeout of [0, 2 ** 31, 2 ** 32 + 1, Infinity]) {
  Deno.test(`exchange ignores a timeout of ${timeout}`, async () => {
    // A timer of the exchange would be set earlier, and end first.
    const fetch = () =>
      new Promise<Response>((respond) =>
        setTimeout(() => respond(new Response("a")), 1)
      );
    assertEquals((await send(fetch, { timeout })).body, "a");
  });
}

Deno.test("exchange joins the chunks of a body", async () => {
  const bytes = new TextEncoder().encode("ação");
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const response = await send(() => Promise.resolve(new Response(body)));
  assertEquals([response.body, response.bytes], ["ação", bytes]);
});

Deno.test("exchange stops reading at the limit", async () => {
  let pulled = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(60));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const response = await send(() => Promise.resolve(new Response(body)));
  assert(response.problem?.includes("longer than 100 bytes"));
  assert(pulled <= 4 && isCancelled);
  assertEquals(response.body, "");
});

for (
  const [end, cancel] of [
    ["rejects", () => Promise.reject(new Error(SECRET))],
    ["never ends", () => new Promise<void>(() => {})],
  ] as const
) {
  Deno.test(`exchange refuses a long body whose cancellation ${end}`, async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(101)),
      cancel,
    });
    const response = await send(() => Promise.resolve(new Response(body)));
    assert(response.problem?.includes("longer than 100 bytes"));
  });
}

const loop = new Error("outer");
loop.cause = new Error("inner", { cause: loop });
const changed = new Error(SECRET);
changed.message = "failed";
for (
  const [reason, thrown] of [
    ["its URL", new Error(`error for url (${REQUEST.url})`)],
    ["its secret", new Error(SECRET)],
    ["its form-encoded secret", new Error("segredo+um%7Edois+3")],
    ["its percent-encoded secret", new Error("segredo%20um~dois%203")],
    [
      "its secret in the cause of a cause",
      new Error("a", {
        cause: new Error("b", { cause: new Error(SECRET) }),
      }),
    ],
    ["its secret as its cause", new Error("a", { cause: SECRET })],
    [
      "its secret in a cause that is an object",
      new Error("a", {
        cause: { url: REQUEST.url, secret: SECRET },
      }),
    ],
    ["its secret as its code", Object.assign(new Error("a"), { code: SECRET })],
    ["its secret as its name", Object.assign(new Error("a"), { name: SECRET })],
    ["its secret in a field", Object.assign(new Error("a"), { SECRET })],
    [
      "its secret in an AggregateError",
      new AggregateError([
        new Error(SECRET),
      ]),
    ],
    ["its secret in the stack only", changed],
    ["a string", SECRET],
    ["an object", { url: REQUEST.url.href }],
    ["an object without prototype", Object.create(null)],
    ["a message without prototype", {
      message: Object.create(null),
    }],
    ["undefined", undefined],
    ["null", null],
    ["a symbol", Symbol(SECRET)],
    ["a loop of causes", loop],
    ["a line break", new Error("a\r\nb")],
  ] as [string, unknown][]
) {
  Deno.test(`exchange rejects with a redacted ConnectionError if fetch rejects with ${reason}`, async () => {
    for (
      const fetch of [
        () => Promise.reject(thrown),
        () => {
          throw thrown;
        },
        () =>
          Promise.resolve(
            new Response(
              new ReadableStream({ pull: (to) => to.error(thrown) }),
            ),
          ),
      ]
    ) {
      const error = await connectionError(send(fetch));
      assert(!/segredo/.test(print(error)), print(error));
      assert(!/[\r\n]/.test(error.message));
      let depth = 0;
      for (let it: unknown = error; it instanceof Error; it = it.cause) {
        assert(++depth < 100, "the causes are a loop");
      }
      assert(error.message.includes("POST https://x.example"));
    }
  });
}

for (const cause of [new Error("ECONNREFUSED"), "ECONNREFUSED"]) {
  Deno.test(`exchange adds a cause of type ${typeof cause} to the message`, async () => {
    const thrown = new Error("fetch failed", { cause });
    const error = await connectionError(send(() => Promise.reject(thrown)));
    assert(error.message.endsWith(": fetch failed: ECONNREFUSED"));
  });
}

Deno.test("exchange aborts fetch with the reason of the signal", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  let seen: AbortSignal | null | undefined;
  const fetch = (_: string, { signal }: RequestInit) => {
    seen = signal;
    controller.abort(reason);
    return new Promise<Response>(() => {});
  };
  const error = await send(fetch, { signal: controller.signal })
    .catch((error) => error);
  assert(error === reason && seen?.reason === reason);
});

for (const status of [0, 100, 199, 600]) {
  Deno.test(`exchange refuses the status ${status}`, async () => {
    const answer = Object.defineProperty(new Response("a"), "status", {
      value: status,
    });
    const { problem } = await send(() => Promise.resolve(answer));
    assertEquals(
      problem,
      `Unhandled status code value of ${status}`,
    );
  });
}

Deno.test("exchange rejects with a ConnectionError if fetch returns undefined", async () => {
  await connectionError(
    send(() => Promise.resolve(undefined as unknown as Response)),
  );
});

Deno.test("exchange leaves no listener on the signal", async () => {
  const { signal, listeners } = countedSignal();
  await send(() => Promise.resolve(new Response()), { signal });
  await connectionError(send(() => Promise.reject(new Error("a")), { signal }));
  assertEquals(listeners.size, 0);
});

Deno.test("exchange reads the response with the given parser and label", async () => {
  const response = await exchange(
    REQUEST,
    { ...OPTIONS, fetch: () => Promise.resolve(new Response("a")) },
    { parse: (body) => [body], label: "[GONE]" },
  );
  assertEquals(response.parsed, ["a"]);
  assert(print(response).includes("[GONE]"));
});

Deno.test("exchange uses the global fetch by default", async () => {
  const url = new URL("data:,otter");
  const response = await exchange({ ...REQUEST, method: "GET", url }, OPTIONS);
  assertEquals(response.body, "otter");
});

for (
  const [reason, thrown, repetition, retryable] of [
    ["a failed connection", new TypeError("fetch failed"), "safe", true],
    ["a failed connection", new TypeError("fetch failed"), "if refused", false],
    ["a failed connection", new TypeError("fetch failed"), "never", false],
    ["an exception", new TypeError("x is not a function"), "safe", false],
    [
      "an expired certificate",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("no"), { code: "CERT_HAS_EXPIRED" }),
      }),
      "safe",
      false,
    ],
  ] as const
) {
  Deno.test(`exchange rejects after ${reason} with retryable ${retryable} for the repetition "${repetition}"`, async () => {
    const error = await connectionError(
      send(() => Promise.reject(thrown), { repetition }),
    );
    assertEquals(error.retryable, retryable);
  });
}

for (
  const [repetition, retryable] of [
    ["safe", true],
    ["if refused", false],
    ["never", false],
  ] as const
) {
  Deno.test(`exchange rejects after a timeout with retryable ${retryable} for the repetition "${repetition}"`, async () => {
    const error = await assertRejects(
      () =>
        send(() => new Promise<Response>(() => {}), { repetition, timeout: 1 }),
      TimeoutError,
    ) as TimeoutError;
    assertEquals(error.retryable, retryable);
    const message = /POST https:\/\/x\.example\S*: timeout of 1 ms exceeded$/;
    assert(message.test(error.message), error.message);
  });
}

for (const [name, call] of Object.entries({ exchange, open })) {
  Deno.test(`${name} does not call fetch after an abort`, async () => {
    let calls = 0;
    const fetch = () => {
      calls++;
      return Promise.resolve(new Response());
    };
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const error = await call(REQUEST, { ...OPTIONS, fetch, signal })
      .catch((error) => error);
    assert(error === reason && calls === 0);
  });
}

Deno.test("open returns the response of fetch before its body is read", async () => {
  const end = Promise.withResolvers<void>();
  const answer = new Response(
    new ReadableStream({
      pull: async (controller) => {
        await end.promise;
        controller.close();
      },
    }),
    { status: 404 },
  );
  const opened = await open(REQUEST, {
    ...OPTIONS,
    fetch: () => Promise.resolve(answer),
  });
  assert(opened === answer && !opened.bodyUsed);
  end.resolve();
  assertEquals(await opened.text(), "");
});

Deno.test("open rejects with a redacted ConnectionError if fetch rejects", async () => {
  const fetch = () => Promise.reject(new Error(SECRET));
  const error = await connectionError(open(REQUEST, { ...OPTIONS, fetch }));
  assert(!/segredo/.test(print(error)), print(error));
});

Deno.test("open rejects with a TimeoutError if no headers arrive in time", async () => {
  const fetch = () => new Promise<Response>(() => {});
  await assertRejects(
    () => open(REQUEST, { ...OPTIONS, fetch, timeout: 1 }),
    TimeoutError,
  );
});

for (const limit of [undefined, 0, 1, 0.5, Infinity]) {
  Deno.test(`checkLimit accepts ${limit}`, () => checkLimit("timeout", limit));
}
for (const limit of [NaN, -1, -Infinity, "a", {}]) {
  Deno.test(`checkLimit refuses the ${typeof limit} ${inspect(limit)}`, () => {
    const check = () => checkLimit("timeout", limit as number);
    assertThrows(check, TypeError, "timeout");
  });
}
