/** Errors that are retryable, and errors of connections. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  type Client,
  ConnectionError,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { type Call, CALLS, tokenOf } from "../_calls.ts";
import { clientTest, createClient, oauth2Error } from "../_client.ts";
import { json, onResource } from "../_exchanges.ts";

/** True for idempotent methods (RFC 9110 section 9.2.2). */
const VERBS: Readonly<Record<string, boolean>> = {
  get: true,
  head: true,
  options: true,
  put: true,
  delete: true,
  post: false,
  patch: false,
  PATCH: false,
  purge: false,
};

/** Calls, and whether repeating them has no other effect. */
const REQUESTS: readonly (readonly [name: string, call: Call, boolean])[] = [
  ...Object.entries(CALLS).map(([name, call]) =>
    [name, call, name !== "authCode.getToken"] as const
  ),
  ...Object.entries(VERBS).flatMap(([verb, isIdempotent]) => [
    [
      `request ${verb}`,
      (client: Client) => client.request(verb, "/from"),
      isIdempotent,
    ] as const,
    [
      `token.request ${verb}`,
      (client: Client) => tokenOf(client).request(verb, "/from"),
      isIdempotent,
    ] as const,
  ]),
  [
    "getToken with a code",
    (client) => client.getToken({ grant_type: "x", code: "sushi" }),
    false,
  ],
  [
    "getToken with a device_code",
    (client) => client.getToken({ grant_type: "x", device_code: "sushi" }),
    true,
  ],
];

for (const [name, call, isIdempotent] of REQUESTS) {
  // The server may have replaced the refresh token.
  const isKnown = isIdempotent && name !== "token.refresh";
  clientTest(
    `${name} without a connection rejects with retryable ${isIdempotent}`,
    [{ respond: { fail: "connect ECONNREFUSED" } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        ConnectionError,
      ) as ConnectionError;
      assertEquals(error.retryable, isIdempotent);
    },
  );
  clientTest(
    `${name} after a timeout rejects with retryable ${isKnown}`,
    [{ respond: { hang: true } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        TimeoutError,
      ) as TimeoutError;
      assertEquals(error.retryable, isKnown);
    },
    { connectionOpts: { timeout: 1 } },
  );
}

const IS_RETRYABLE = {
  always: [408, 425, 429, 503],
  ifIdempotent: [500, 502, 504],
  never: [400, 401, 403, 404, 409, 501],
};

for (const [name, call, isIdempotent] of REQUESTS) {
  if (!/request|code|^getToken$|revoke/i.test(name)) continue;
  if (name.endsWith("purge")) continue;
  const hasCode = /\bcode$|authCode/.test(name);
  clientTest(
    `${name} throws errors that are retryable by their status`,
    Object.values(IS_RETRYABLE).flat().map((status) => ({
      respond: { status },
    })),
    async ({ client }) => {
      for (const [when, statuses] of Object.entries(IS_RETRYABLE)) {
        const expected = !hasCode &&
          (when === "always" || when === "ifIdempotent" && isIdempotent);
        for (const status of statuses) {
          const error = await oauth2Error(call(client));
          assertEquals([error.status, error.retryable], [status, expected]);
        }
      }
    },
  );
}

for (const code of ["temporarily_unavailable", "server_error"]) {
  clientTest(
    `OAuth2Error ${code} is retryable, except for a code or a POST to a resource`,
    Array.from({ length: 4 }, () => ({ respond: json({ error: code }, 400) })),
    async ({ client }) => {
      const retryable = async (call: Promise<unknown>) =>
        (await oauth2Error(call)).retryable;
      assertEquals(await retryable(client.getToken()), true);
      assertEquals(await retryable(client.request("get", "/from")), true);
      assertEquals(await retryable(client.request("post", "/from")), false);
      assertEquals(await retryable(client.authCode.getToken("sushi")), false);
    },
  );
}

/** Sends a GET with a fetch that rejects. */
async function errorOf(thrown: unknown): Promise<ConnectionError> {
  const fetch = () => Promise.reject(thrown);
  const client = createClient({ fetch });
  return await assertRejects(
    () => tokenOf(client, { access_token: "monkey123" }).get("/from"),
    ConnectionError,
  ) as ConnectionError;
}

const withCode = (code: string, message = code) =>
  Object.assign(new Error(message), { code });

for (
  const [runtime, thrown] of [
    [
      "Deno",
      new TypeError(
        "error sending request for url (https://x.example/): client error (Connect): tcp connect error: Connection refused (os error 111)",
      ),
    ],
    [
      "Node",
      new TypeError("fetch failed", { cause: withCode("ECONNREFUSED") }),
    ],
    ["Bun", withCode("ConnectionRefused", "Unable to connect.")],
    ["Chrome", new TypeError("Failed to fetch")],
    [
      "Firefox",
      new TypeError("NetworkError when attempting to fetch resource."),
    ],
    ["Safari", new TypeError("Load failed")],
    ["workerd", new Error("Network connection lost.")],
    [
      "undici",
      new TypeError("terminated", {
        cause: withCode("UND_ERR_SOCKET", "other side closed"),
      }),
    ],
    [
      "a wrapper of fetch",
      new Error("down", { cause: withCode("ECONNRESET") }),
    ],
  ] as [string, unknown][]
) {
  Deno.test(`ConnectionError of ${runtime} is retryable`, async () => {
    assertEquals((await errorOf(thrown)).retryable, true);
  });
}

const EXCEPTIONS: readonly [string, unknown][] = [
  ["a missing function", new TypeError("x is not a function")],
  [
    "a property of undefined",
    new TypeError("Cannot read properties of undefined (reading 'a')"),
  ],
  [
    "an exception of JavaScriptCore",
    new TypeError("undefined is not an object (evaluating 'a.b')"),
  ],
  ["an object that is not iterable", new TypeError("object is not iterable")],
  ["an invalid argument", new TypeError("Invalid URL")],
  [
    "an invalid header",
    new TypeError("Headers.append: x is an invalid header value."),
  ],
];

const CERTIFICATES: readonly [string, unknown][] = [
  [
    "a certificate in Deno",
    new TypeError(
      "error sending request for url (https://x.example/): client error (Connect): invalid peer certificate: UnknownIssuer",
    ),
  ],
  ...[
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ].flatMap((code): [string, unknown][] => [
    [
      `${code} in Node`,
      new TypeError("fetch failed", { cause: withCode(code) }),
    ],
    [`${code} in Bun`, withCode(code)],
  ]),
];

for (const [reason, thrown] of [...EXCEPTIONS, ...CERTIFICATES]) {
  Deno.test(`ConnectionError of ${reason} is not retryable`, async () => {
    assertEquals((await errorOf(thrown)).retryable, false);
  });
}

Deno.test("ConnectionError keeps only name, message and code of its causes", async () => {
  const innermost = Object.assign(withCode("ECONNREFUSED", "of monkey123"), {
    request: { token: "monkey123" },
    port: 443,
  });
  const inner = new RangeError("about hush-hush", { cause: innermost });
  const { cause } = await errorOf(
    new TypeError("fetch failed", { cause: inner }),
  );
  const seen: unknown[] = [];
  let error: unknown = cause;
  while (error !== undefined) {
    if (!(error instanceof Error)) throw new Error(`not an Error: ${error}`);
    const { name, message, code } = error as Error & { code?: unknown };
    assertEquals(
      Object.keys(error).filter((key) => key !== "name" && key !== "cause"),
      code === undefined ? [] : ["code"],
    );
    seen.push([name, message, code]);
    error = error.cause;
  }
  assertEquals(seen, [
    ["TypeError", "fetch failed", undefined],
    ["RangeError", "about [FILTERED]", undefined],
    ["Error", "of [FILTERED]", "ECONNREFUSED"],
  ]);
});

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
