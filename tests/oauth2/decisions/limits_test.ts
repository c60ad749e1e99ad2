/** Aborts, timeouts and limits of bodies, and the errors that are retryable. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  ConnectionError,
  OAuth2Error,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { CALLS, ENDPOINT_CALLS } from "../_calls.ts";
import { clientTest, createClient, oauth2Error } from "../_client.ts";
import { json, onResource, onToken } from "../_exchanges.ts";

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

clientTest(
  "timeout of a call overrides that of the client and is not sent",
  [
    onResource({ hang: true }, { query: {} }),
    onToken({ hang: true }, { body: { form: {} } }),
  ],
  async ({ client }) => {
    const timeout = 1;
    for (
      const call of [
        () => client.request("get", "/from", { timeout }),
        () => client.getToken({ timeout }),
      ]
    ) await assertRejects(call, TimeoutError, "of 1 ms exceeded");
  },
  { connectionOpts: { timeout: 3_600_000 } },
);

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
    `OAuth2Error of ${
      code ? `${code} with ` : ""
    }status ${status} has retryable ${retryable}`,
    [onToken(json({ error: code }, status))],
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
    `retryAfter is ${seconds} for the header "${value}"`,
    [onResource({ status: 503, headers: { "retry-after": value } })],
    async ({ client }) => {
      const error = await oauth2Error(client.request("get", "/from"));
      assertEquals(error.retryAfter, seconds);
    },
  );
}

clientTest(
  "ConnectionError of a GET is retryable and no OAuth2Error",
  [onResource({ fail: "connect ECONNREFUSED" })],
  async ({ client }) => {
    const error = await assertRejects(
      () => client.request("get", "/from"),
      ConnectionError,
    ) as ConnectionError;
    assertEquals(error.retryable, true);
    assert(!(error instanceof OAuth2Error));
  },
);
