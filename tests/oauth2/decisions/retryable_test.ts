/** When a call may be repeated, and what is told of a lost connection. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  Client,
  ConnectionError,
  OAuth2Error,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { type Call, CALLS, tokenOf } from "../calls.ts";
import { print } from "../print.ts";
import { clientTest, json, oauth2Error, SITE, visited } from "../testing.ts";

/** Requests to a resource, and whether they can be repeated (RFC 9110 9.2.2). */
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
const REPEATABLE: readonly (readonly [name: string, call: Call, boolean])[] = [
  ...Object.entries(CALLS).map(([name, call]) =>
    [name, call, name !== "authCode.getToken"] as const
  ),
  ...Object.entries(VERBS).flatMap(([verb, isRepeatable]) => [
    [
      `request ${verb}`,
      (client: Client) => client.request(verb, "/from"),
      isRepeatable,
    ] as const,
    [
      `token.request ${verb}`,
      (client: Client) => tokenOf(client).request(verb, "/from"),
      isRepeatable,
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
for (const [name, call, isRepeatable] of REPEATABLE) {
  const is = isRepeatable ? "retryable" : "not retryable";
  clientTest(
    `${name} without a connection is ${is}`,
    [{ respond: { fail: "connect ECONNREFUSED" } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        ConnectionError,
      ) as ConnectionError;
      assertEquals(error.retryable, isRepeatable);
    },
  );
  clientTest(
    `${name} without an answer in time is ${is}`,
    [{ respond: { hang: true } }],
    async ({ client }) => {
      const error = await assertRejects(
        () => call(client),
        TimeoutError,
      ) as TimeoutError;
      assertEquals(error.retryable, isRepeatable);
    },
    { connectionOpts: { timeout: 1 } },
  );
}

const IS_RETRYABLE = {
  always: [408, 425, 429, 503],
  whereRepeatable: [500, 502, 504],
  never: [400, 401, 403, 404, 409, 501],
};
for (const [name, call, isRepeatable] of REPEATABLE) {
  if (!/request|code|^getToken$|revoke/i.test(name)) continue;
  if (name.endsWith("purge")) continue;
  const hasCode = /\bcode$|authCode/.test(name);
  clientTest(
    `${name} has errors that are retryable by their status`,
    Object.values(IS_RETRYABLE).flat().map((status) => ({
      respond: { status },
    })),
    async ({ client }) => {
      for (const [when, statuses] of Object.entries(IS_RETRYABLE)) {
        const expected = !hasCode &&
          (when === "always" || when === "whereRepeatable" && isRepeatable);
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
    `error ${code} is retryable unless a code was sent or a resource POSTed`,
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

/** Asks by GET with a fetch that fails. */
async function failing(thrown: unknown): Promise<ConnectionError> {
  const fetch = () => Promise.reject(thrown);
  const client = new Client("abc", "hush-hush", { site: SITE, fetch });
  return await assertRejects(
    () => tokenOf(client, { access_token: "monkey123" }).get("/from"),
    ConnectionError,
  ) as ConnectionError;
}

const withCode = (code: string, message = code) =>
  Object.assign(new Error(message), { code });
for (
  const [what, thrown] of [
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
      "undici's socket",
      new TypeError("terminated", {
        cause: withCode("UND_ERR_SOCKET", "other side closed"),
      }),
    ],
    ["a wrapper", new Error("down", { cause: withCode("ECONNRESET") })],
  ] as [string, unknown][]
) {
  Deno.test(`a network error as of ${what} is retryable`, async () => {
    assertEquals((await failing(thrown)).retryable, true);
  });
}

const ACCIDENTS: readonly [string, unknown][] = [
  ["not a function", new TypeError("x is not a function")],
  [
    "a property of undefined",
    new TypeError("Cannot read properties of undefined (reading 'a')"),
  ],
  [
    "JavaScriptCore",
    new TypeError("undefined is not an object (evaluating 'a.b')"),
  ],
  ["not iterable", new TypeError("object is not iterable")],
  ["an invalid argument", new TypeError("Invalid URL")],
  [
    "a header that cannot be",
    new TypeError("Headers.append: x is an invalid header value."),
  ],
];
const CERTIFICATES: readonly [string, unknown][] = [
  [
    "Deno",
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
    [`Node, ${code}`, new TypeError("fetch failed", { cause: withCode(code) })],
    [`Bun, ${code}`, withCode(code)],
  ]),
];
for (const [what, thrown] of [...ACCIDENTS, ...CERTIFICATES]) {
  Deno.test(`an error of fetch that repeating does not mend is not retryable: ${what}`, async () => {
    assertEquals((await failing(thrown)).retryable, false);
  });
}

Deno.test("a fetch that gives no response is not retryable", async () => {
  const fetch = () => Promise.resolve(undefined as unknown as Response);
  const client = new Client("abc", "def", { site: SITE, fetch });
  const error = await client.request("get", "/from").catch((error) => error);
  assert(error instanceof ConnectionError || error instanceof TypeError);
  assert(!("retryable" in error) || error.retryable === false);
});

Deno.test("ConnectionError has its causes as errors of name, message and code, and nothing else", async () => {
  const innermost = Object.assign(withCode("ECONNREFUSED", "of monkey123"), {
    request: { token: "monkey123" },
    port: 443,
  });
  const inner = new RangeError("about hush-hush", { cause: innermost });
  const { cause } = await failing(
    new TypeError("fetch failed", { cause: inner }),
  );
  const seen: unknown[] = [];
  let error: unknown = cause;
  while (error !== undefined) {
    if (!(error instanceof Error)) throw new Error(`no error: ${error}`);
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

const circle = new Error("round");
circle.cause = new Error("and round", { cause: circle });
for (
  const [what, thrown] of [
    ["text", "monkey123"],
    [
      "an error with a cause that is text",
      new Error("a", { cause: "monkey123" }),
    ],
    ["an object", { token: "monkey123", message: "monkey123" }],
    ["a circle", circle],
    ["an error with a code that is a secret", withCode("monkey123", "a")],
    [
      "an error whose name is a secret",
      Object.assign(new Error("a"), { name: "monkey123" }),
    ],
    [
      "an error among many",
      new AggregateError([new Error("monkey123")], "all"),
    ],
    ["nothing", undefined],
  ] as [string, unknown][]
) {
  Deno.test(`ConnectionError of ${what} shows no secret and its causes end`, async () => {
    const error = await failing(thrown);
    assert(!/monkey123|hush-hush/.test(print(error)), print(error));
    let depth = 0;
    let cause: unknown = error;
    while (cause instanceof Error && depth < 100) {
      depth++;
      cause = cause.cause;
    }
    assert(depth < 100, "the causes are a circle");
  });
}

clientTest(
  "TimeoutError and OAuth2Error tell whether they are retryable",
  [visited({ hang: true }), visited({ status: 503 })],
  async ({ client }) => {
    const token = AccessToken.fromHash(client, { access_token: "m" });
    const late = await token.get("/from", { timeout: 1 }).catch((e) => e);
    assert(late instanceof TimeoutError && late.retryable);
    const error = await token.get("/from").catch((e) => e);
    assert(error instanceof OAuth2Error && error.retryable);
  },
);
