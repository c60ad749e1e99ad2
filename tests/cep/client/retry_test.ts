/** Timeouts, retries and aborts of the client. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { CepError } from "../../../cep/client/mod.ts";
import { MAX_BODY_BYTES } from "../../../cep/client/transport.ts";
import { backoff, parseRetryAfter } from "../../../cep/client/retry.ts";
import { Exchanges, failure, record, type Reply } from "./_exchanges.ts";

const CEP = "01310100";

const PASSING: Readonly<Record<string, () => Reply>> = {
  "status 429": () => failure(429, "rate_limited"),
  "status 503": () => failure(503, "database_not_ready"),
  "a 502 of a proxy": () => new Response("<h1>502</h1>", { status: 502 }),
  "a 504 of a proxy": () => new Response("", { status: 504 }),
  "a lost connection": () => new TypeError("fetch failed"),
  "a body that breaks off": () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"cep":'));
          controller.error(new TypeError("terminated"));
        },
      }),
    ),
};

for (const [name, reply] of Object.entries(PASSING)) {
  Deno.test(`lookup retries after ${name}, at growing intervals`, async () => {
    const it = new Exchanges([reply(), reply(), record(CEP)]);
    assertEquals((await it.client.lookup(CEP)).cep, CEP);
    assertEquals(it.clock.waits, [375, 750]);
    it.assertDone();
  });

  Deno.test(`lookup rejects after ${name} and its retries`, async () => {
    const it = new Exchanges([reply(), reply(), reply()]);
    await assertRejects(() => it.client.lookup(CEP), CepError);
    it.assertDone();
  });
}

for (const status of [400, 404, 405, 408, 413, 500, 501]) {
  Deno.test(`lookup does not retry after status ${status}`, async () => {
    const it = new Exchanges([failure(status, "some_code")]);
    const error = await assertRejects(() => it.client.lookup(CEP), CepError);
    assertEquals([error.code, error.status], ["some_code", status]);
  });
}

const IN_TWO_SECONDS = "Fri, 02 Jan 2026 03:04:07 GMT";
const NEXT_YEAR = "Fri, 01 Jan 2027 00:00:00 GMT";

for (
  const [header, wait] of [
    ["0", 125],
    ["2", 2125],
    ["10", 10_125],
    [IN_TWO_SECONDS, 2125],
    ["Thu, 01 Jan 2026 00:00:00 GMT", 125],
    ["soon", 375],
    ["-1", 375],
    ["1.5", 375],
    ["", 375],
  ] as const
) {
  Deno.test(`lookup waits ${wait} ms for Retry-After "${header}"`, async () => {
    const headers = { "retry-after": header };
    const it = new Exchanges([
      failure(429, "rate_limited", { headers }),
      record(CEP),
    ]);
    await it.client.lookup(CEP);
    assertEquals(it.clock.waits, [wait]);
  });
}

for (
  const [header, seconds] of [
    ["11", 11],
    ["3600", 3600],
    ["99999999999999999999", 1e20],
    [NEXT_YEAR, 31_438_555],
  ] as const
) {
  Deno.test(`lookup rejects at once for Retry-After "${header}"`, async () => {
    const headers = { "retry-after": header };
    const it = new Exchanges([failure(429, "rate_limited", { headers })]);
    const error = await assertRejects(() => it.client.lookup(CEP), CepError);
    assertEquals([error.code, error.retryAfter], ["rate_limited", seconds]);
    assertEquals(it.clock.waits, []);
  });
}

Deno.test("parseRetryAfter reads the three forms of a date", () => {
  const now = Date.parse("1994-11-06T08:49:30Z");
  for (
    const text of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
    ]
  ) {
    assertEquals(parseRetryAfter(text, now), 7, text);
  }
  assertEquals(parseRetryAfter(null, now), undefined);
});

Deno.test("backoff doubles, and spreads retries over half of the interval", () => {
  assertEquals([0, 1, 2].map((it) => backoff(it, () => 0)), [250, 500, 1000]);
  assertEquals([0, 1, 2].map((it) => backoff(it, () => 1)), [500, 1000, 2000]);
});

Deno.test("lookup rejects with timeout if no response arrives", async () => {
  const it = new Exchanges(["hang"], { retries: 0 });
  it.clock.late = true;
  const error = await assertRejects(() => it.client.lookup(CEP), CepError);
  assertEquals(error.code, "timeout");
  assertEquals(
    error.message,
    'Cannot get "https://cep.test/cep/01310100": timeout of 4321 ms exceeded',
  );
});

Deno.test("lookup rejects with timeout if the body never ends", async () => {
  let cancelled: unknown;
  const it = new Exchanges([
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array([0x7B])),
        cancel: (reason) => {
          cancelled = reason;
        },
      }),
    ),
  ], { retries: 0 });
  it.clock.late = true;
  const error = await assertRejects(() => it.client.lookup(CEP), CepError);
  assertEquals(error.code, "timeout");
  assertStrictEquals(cancelled, error);
});

Deno.test("lookup retries after a timeout", async () => {
  const it = new Exchanges(["hang", record(CEP)]);
  it.clock.late = true;
  const sleep = it.clock.sleep.bind(it.clock);
  it.clock.sleep = (milliseconds, signal) => {
    if (milliseconds === 375) it.clock.late = false;
    return sleep(milliseconds, signal);
  };
  assertEquals((await it.client.lookup(CEP)).cep, CEP);
});

Deno.test("lookup rejects a body above the limit and cancels it", async () => {
  let sent = 0;
  let cancelled = false;
  const part = new Uint8Array(1 << 20);
  const it = new Exchanges([
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += part.length;
          controller.enqueue(part);
        },
        cancel: () => {
          cancelled = true;
        },
      }),
    ),
  ]);
  const error = await assertRejects(() => it.client.lookup(CEP), CepError);
  assertEquals(error.code, "response_invalid");
  assertEquals(cancelled, true);
  assertEquals(sent <= MAX_BODY_BYTES + 2 * part.length, true);
});

Deno.test("lookup sends nothing if the signal is already aborted", async () => {
  const it = new Exchanges([]);
  const reason = new Error("gone");
  const error = await assertRejects(() =>
    it.client.lookup(CEP, { signal: AbortSignal.abort(reason) })
  );
  assertStrictEquals(error, reason);
});

Deno.test("lookup rejects with the reason of the signal while it waits for a response", async () => {
  const controller = new AbortController();
  const reason = new Error("gone");
  let inner: AbortSignal | null | undefined;
  const it = new Exchanges([(_url, { signal }) => {
    inner = signal;
    controller.abort(reason);
    return new Promise(() => {});
  }]);
  const error = await assertRejects(() => it.client.lookup(CEP, controller));
  assertStrictEquals(error, reason);
  assertStrictEquals(inner?.reason, reason);
});

Deno.test("lookup rejects with the reason of the signal between two tries", async () => {
  const controller = new AbortController();
  const reason = new Error("gone");
  const it = new Exchanges([failure(503, "database_not_ready")]);
  it.clock.sleep = () => {
    controller.abort(reason);
    return Promise.resolve();
  };
  const error = await assertRejects(() => it.client.lookup(CEP, controller));
  assertStrictEquals(error, reason);
});
