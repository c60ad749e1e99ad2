/** How calls end early, and whether to try again. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  ConnectionError,
  OAuth2Error,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { CALLS } from "../calls.ts";
import {
  asked,
  clientTest,
  json,
  oauth2Error,
  SITE,
  visited,
} from "../testing.ts";

const OVER = new Error("all is over");
for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`${name} is aborted by the caller's signal`, async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const fetch = () => {
      controller.abort(reason);
      // A fetch that does not heed its signal.
      return new Promise<Response>(() => {});
    };
    const client = new Client("abc", "def", { site: SITE, fetch });
    const error = await call(client, { signal: controller.signal }).catch((
      error,
    ) => error);
    assertEquals(error, reason);
    assert(error === reason, "it is the caller's own reason");
  });
  clientTest(`${name} sends nothing after an abort`, [], async ({ client }) => {
    const reason = new Error("enough");
    const error = await call(client, { signal: AbortSignal.abort(reason) })
      .catch((error) => error);
    assert(error === reason, "it is the caller's own reason");
  });
  clientTest(
    `${name} ends with the signal of connectionOpts`,
    [],
    async ({ client }) => {
      const error = await call(client).catch((error) => error);
      assert(error === OVER);
    },
    { connectionOpts: { signal: AbortSignal.abort(OVER) } },
  );
  clientTest(
    `${name} ends with the timeout`,
    [{ respond: { hang: true } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        TimeoutError,
      ) as TimeoutError;
      assertEquals(error.name, "TimeoutError");
      assert(error.message.endsWith(" in 1 ms"), error.message);
      assert(error instanceof ConnectionError);
    },
    { connectionOpts: { timeout: 1 } },
  );
}

clientTest(
  "timeout of a call wins over that of the client, and is not sent",
  [
    visited({ hang: true }, { query: {} }),
    asked({ hang: true }, { body: { form: {} } }),
  ],
  async ({ client }) => {
    const timeout = 1;
    for (
      const call of [
        () => client.request("get", "/from", { timeout }),
        () => client.getToken({ timeout }),
      ]
    ) await assertRejects(call, TimeoutError, "in 1 ms");
  },
  { connectionOpts: { timeout: 3_600_000 } },
);

const MEBIBYTE = 1024 * 1024;
for (
  const [bytes, fine] of [[MEBIBYTE, true], [MEBIBYTE + 1, false]] as const
) {
  const body = JSON.stringify({ access_token: "monkey" }).padEnd(bytes);
  const headers = { "content-type": "application/json" };
  clientTest(
    `getToken ${fine ? "reads" : "refuses"} a body of ${bytes} bytes`,
    [asked({ status: 200, headers, body })],
    async ({ client }) => {
      if (fine) assertEquals((await client.getToken()).token, "monkey");
      else assertEquals((await oauth2Error(client.getToken())).status, 200);
    },
  );
}

clientTest(
  "maxBodyBytes of a call wins over that of the client",
  [
    visited({ status: 200, body: "12345678901" }),
    visited({ status: 200, body: "12345678901" }),
    visited({ status: 200, body: "1234567890" }),
    asked(json({ access_token: "monkey" })),
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

for (
  const [status, code, retryable] of [
    [400, "invalid_grant", false],
    [401, "invalid_client", false],
    [403, "access_denied", false],
    [404, undefined, false],
    [409, undefined, false],
    [501, undefined, false],
    [408, undefined, true],
    [429, undefined, true],
    [500, undefined, true],
    [502, undefined, true],
    [503, undefined, true],
    [504, undefined, true],
    [425, undefined, true],
    [400, "server_error", true],
    [400, "temporarily_unavailable", true],
  ] as const
) {
  clientTest(
    `error with ${status} ${code ?? ""} is ${retryable ? "" : "not "}retryable`,
    [asked(json({ error: code }, status))],
    async ({ client }) => {
      const error = await oauth2Error(client.getToken());
      assertEquals([error.retryable, error.retryAfter], [retryable, undefined]);
    },
  );
}

for (
  const [value, seconds] of [
    ["120", 120],
    ["0", 0],
    ["Tue, 14 Nov 2023 22:13:50 GMT", 30],
    ["Tue, 14 Nov 2023 22:13:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["", undefined],
  ] as const
) {
  clientTest(
    `retryAfter of "${value}" is ${seconds}`,
    [visited({ status: 503, headers: { "retry-after": value } })],
    async ({ client }) => {
      const error = await oauth2Error(client.request("get", "/from"));
      assertEquals(error.retryAfter, seconds);
    },
  );
}

clientTest(
  "ConnectionError is retryable",
  [visited({ fail: "connect ECONNREFUSED" })],
  async ({ client }) => {
    const error = await assertRejects(
      () => client.request("get", "/from"),
      ConnectionError,
    ) as ConnectionError;
    assertEquals(error.retryable, true);
    assert(!(error instanceof OAuth2Error));
  },
);
