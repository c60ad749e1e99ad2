import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { config } from "../../oauth2/config.ts";
import { ConnectionError, TimeoutError } from "../../oauth2/error.ts";
import { Redactor } from "../../oauth2/redactor.ts";
import type { WireRequest } from "../../oauth2/request.ts";
import {
  checkLimit,
  exchange,
  type ExchangeOptions,
  open,
} from "../../oauth2/transport.ts";
import { print } from "./print.ts";

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
const lost = async (promise: Promise<unknown>) =>
  await assertRejects(() => promise, ConnectionError) as ConnectionError;

Deno.test("exchange asks fetch not to follow redirects", async () => {
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
  Deno.test(`exchange sets no timer for a timeout of ${timeout}`, async () => {
    // The shortest timer, set later: one of the exchange's own would come first.
    const fetch = () =>
      new Promise<Response>((answer) =>
        setTimeout(() => answer(new Response("a")), 1)
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
  const [what, cancel] of [
    ["fails", () => Promise.reject(new Error(SECRET))],
    ["never ends", () => new Promise<void>(() => {})],
  ] as const
) {
  Deno.test(`exchange refuses a long body whose cancellation ${what}`, async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(101)),
      cancel,
    });
    const response = await send(() => Promise.resolve(new Response(body)));
    assert(response.problem?.includes("longer than 100 bytes"));
  });
}

const circle = new Error("round");
circle.cause = new Error("and round", { cause: circle });
const mutable = new Error(SECRET);
mutable.message = "failed";
for (
  const [what, thrown] of [
    ["its address", new Error(`error for url (${REQUEST.url})`)],
    ["its secret as it is", new Error(SECRET)],
    ["its secret, form-encoded", new Error("segredo+um%7Edois+3")],
    ["its secret, %-encoded", new Error("segredo%20um~dois%203")],
    [
      "its secret in the cause of a cause",
      new Error("a", {
        cause: new Error("b", { cause: new Error(SECRET) }),
      }),
    ],
    ["its secret in a cause that is text", new Error("a", { cause: SECRET })],
    [
      "its secret in a cause that is an object",
      new Error("a", {
        cause: { url: REQUEST.url, secret: SECRET },
      }),
    ],
    ["its secret in a field", Object.assign(new Error("a"), { SECRET })],
    [
      "its secret in an error among many",
      new AggregateError([
        new Error(SECRET),
      ]),
    ],
    ["its secret in the stack only", mutable],
    ["its secret as text", SECRET],
    ["an object", { url: REQUEST.url.href }],
    ["an object without prototype", Object.create(null)],
    ["an error without a prototype in its message", {
      message: Object.create(null),
    }],
    ["nothing", undefined],
    ["null", null],
    ["a symbol", Symbol(SECRET)],
    ["a circle of causes", circle],
    ["a line break", new Error("a\r\nb")],
  ] as [string, unknown][]
) {
  Deno.test(`exchange gives a ConnectionError if fetch rejects with ${what}`, async () => {
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
      const error = await lost(send(fetch));
      assert(!/segredo/.test(print(error)), print(error));
      assert(!/[\r\n]/.test(error.message));
      assert(error.message.includes('"https://x.example"'));
    }
  });
}

for (const cause of [new Error("ECONNREFUSED"), "ECONNREFUSED"]) {
  Deno.test(`exchange tells the cause that is ${typeof cause}`, async () => {
    const thrown = new Error("fetch failed", { cause });
    const error = await lost(send(() => Promise.reject(thrown)));
    assert(error.message.endsWith(": fetch failed: ECONNREFUSED"));
  });
}

Deno.test("exchange tells fetch of an abort, with the reason", async () => {
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
  Deno.test(`exchange cannot make anything of the status ${status}`, async () => {
    const answer = Object.defineProperty(new Response("a"), "status", {
      value: status,
    });
    const { problem } = await send(() => Promise.resolve(answer));
    assertEquals(problem, `Unhandled status code value of ${status}`);
  });
}

Deno.test("exchange gives a ConnectionError if fetch gives no response", async () => {
  await lost(send(() => Promise.resolve(undefined as unknown as Response)));
});

Deno.test("exchange forgets the caller's signal when it ends", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const counted = Object.defineProperties(new EventTarget(), {
    aborted: { value: false },
    throwIfAborted: { value: () => signal.throwIfAborted() },
    addEventListener: { value: () => void listeners++ },
    removeEventListener: { value: () => void listeners-- },
  }) as AbortSignal;
  await send(() => Promise.resolve(new Response()), { signal: counted });
  await lost(send(() => Promise.reject(new Error("a")), { signal: counted }));
  assertEquals(listeners, 0);
});

Deno.test("exchange reads the answer by its options", async () => {
  const response = await exchange(
    REQUEST,
    { ...OPTIONS, fetch: () => Promise.resolve(new Response("a")) },
    { parse: (body) => [body], label: "[GONE]" },
  );
  assertEquals(response.parsed, ["a"]);
  assert(print(response).includes("[GONE]"));
});

Deno.test("exchange sends by the fetch of the process where none is given", async () => {
  const url = new URL("data:,otter");
  const response = await exchange({ ...REQUEST, method: "GET", url }, OPTIONS);
  assertEquals(response.body, "otter");
});

for (
  const [what, thrown, repetition, retryable] of [
    ["a lost connection", new TypeError("fetch failed"), "safe", true],
    ["a lost connection", new TypeError("fetch failed"), "if refused", false],
    ["a lost connection", new TypeError("fetch failed"), "never", false],
    ["a mistake", new TypeError("x is not a function"), "safe", false],
    [
      "a certificate",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("no"), { code: "CERT_HAS_EXPIRED" }),
      }),
      "safe",
      false,
    ],
  ] as const
) {
  Deno.test(`exchange tells that ${what} is ${retryable ? "" : "not "}retryable where that is ${repetition}`, async () => {
    const error = await lost(
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
  Deno.test(`exchange gives a TimeoutError with retryable ${retryable} where that is ${repetition}`, async () => {
    const error = await assertRejects(
      () =>
        send(() => new Promise<Response>(() => {}), { repetition, timeout: 1 }),
      TimeoutError,
    ) as TimeoutError;
    assertEquals(error.retryable, retryable);
    assert(error.message.includes('"https://x.example" in 1 ms'));
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

Deno.test("open gives the answer as it is, before its body has come", async () => {
  const late = Promise.withResolvers<void>();
  const answer = new Response(
    new ReadableStream({
      pull: async (controller) => {
        await late.promise;
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
  late.resolve();
  assertEquals(await opened.text(), "");
});

Deno.test("open gives a ConnectionError if fetch rejects", async () => {
  const fetch = () => Promise.reject(new Error(SECRET));
  const error = await lost(open(REQUEST, { ...OPTIONS, fetch }));
  assert(!/segredo/.test(print(error)), print(error));
});

Deno.test("open gives a TimeoutError if there are no headers in time", async () => {
  const fetch = () => new Promise<Response>(() => {});
  await assertRejects(
    () => open(REQUEST, { ...OPTIONS, fetch, timeout: 1 }),
    TimeoutError,
  );
});

for (const limit of [undefined, 0, 1, 0.5, Infinity]) {
  Deno.test(`checkLimit takes ${limit}`, () => checkLimit("timeout", limit));
}
for (const limit of [NaN, -1, -Infinity, "a", {}]) {
  Deno.test(`checkLimit refuses ${JSON.stringify(limit)} of ${typeof limit}`, () => {
    const check = () => checkLimit("timeout", limit as number);
    assertThrows(check, TypeError, "timeout");
  });
}
