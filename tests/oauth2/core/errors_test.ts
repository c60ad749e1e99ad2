/** Description of the errors of every call. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  ConnectionError,
  OAuth2Error,
  OAuth2Response,
  TimeoutError,
} from "../../../oauth2/mod.ts";
import { describeError, type ErrorKind } from "../../../oauth2/core/errors.ts";
import { TokenManagerError } from "../../../oauth2/manager/mod.ts";
import { pushAuthorization } from "../../../oauth2/server/par.ts";
import { TokenVerifier } from "../../../oauth2/verify/mod.ts";
import { createClient } from "../_client.ts";

/** Returns the error of a call. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("the call has not failed");
}

const answering = (
  response: Response | (() => Promise<Response>),
  options: ClientOptions = {},
) =>
  createClient({
    fetch: () =>
      typeof response === "function" ? response() : Promise.resolve(response),
    ...options,
  });

const json = (body: unknown, status = 200, headers = {}) =>
  Response.json(body, { status, headers });
const getToken = (response: Response | (() => Promise<Response>)) => () =>
  answering(response).clientCredentials.getToken();
const getMe = (response: Response, options?: ClientOptions) => () =>
  answering(response, options).request("get", "/me");

/** Calls by the kind of their errors. */
const CALLS: readonly [ErrorKind, string, () => unknown, object?][] = [
  [
    "validation",
    "a refused request to a resource server",
    () => {
      const client = createClient({
        issuer: "https://issuer.example",
        metadata: {
          issuer: "https://issuer.example",
          jwks_uri: "https://issuer.example/keys",
        },
      });
      return new TokenVerifier(client, { audience: "api" })
        .verify(new Request("https://api.example"));
    },
    { status: 401, code: undefined, retryable: false },
  ],
  [
    "argument",
    "an authorization request that cannot be pushed",
    () => pushAuthorization(createClient(), {}),
    { retryable: false },
  ],
  [
    "oauth",
    "an error of the token endpoint",
    getToken(json({ error: "invalid_grant" }, 400)),
    {
      code: "invalid_grant",
      status: 400,
      message: "invalid_grant (POST https://api.example.com/oauth/token)",
    },
  ],
  [
    "oauth",
    "an error with status 200",
    getToken(json({ error: "temporarily_unavailable" })),
    { code: "temporarily_unavailable", retryable: true },
  ],
  [
    "oauth",
    "a challenge with an error",
    getMe(
      new Response(null, {
        status: 401,
        headers: { "www-authenticate": 'Bearer error="invalid_token"' },
      }),
    ),
    {
      code: "invalid_token",
      challenges: [{ scheme: "bearer", params: { error: "invalid_token" } }],
    },
  ],
  [
    "http",
    "a status",
    getMe(new Response("x", { status: 503, headers: { "retry-after": "7" } })),
    {
      status: 503,
      retryable: true,
      retryAfter: 7,
      message: "Got status 503 (GET https://api.example.com/me)",
    },
  ],
  [
    "parse",
    "a token response that is no JSON",
    getToken(
      new Response("{", { headers: { "content-type": "application/json" } }),
    ),
  ],
  ["parse", "a response without a token", getToken(json({ a: 1 }))],
  [
    "parse",
    "an unknown token type",
    getToken(
      json({ access_token: "x", token_type: "mac" }),
    ),
  ],
  [
    "policy",
    "a response that is too long",
    getMe(new Response("xx"), { connectionOpts: { maxBodyBytes: 1 } }),
  ],
  [
    "policy",
    "a redirect to another origin",
    getMe(
      new Response(null, {
        status: 302,
        headers: { location: "https://other.example" },
      }),
    ),
    { status: 302 },
  ],
  [
    "policy",
    "an origin that is not allowed",
    () =>
      createClient({ allowedOrigins: ["https://a.example"] })
        .request("get", "/me"),
    {
      message:
        'Cannot send a request to "https://api.example.com": it is not in allowedOrigins',
    },
  ],
  [
    "policy",
    "plain http",
    () => createClient({ site: "http://a.example" }).request("get", "/me"),
  ],
  [
    "network",
    "no connection",
    getToken(() =>
      Promise.reject(
        new TypeError("fetch failed", {
          cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
        }),
      )
    ),
    { retryable: true },
  ],
  [
    "timeout",
    "no response in time",
    () =>
      answering(() => new Promise(() => {}), {
        connectionOpts: { timeout: 1 },
      }).request("get", "/me"),
    { retryable: true },
  ],
  [
    "abort",
    "an aborted signal",
    () => createClient().request("get", "/me", { signal: AbortSignal.abort() }),
    { retryable: false, message: "AbortError" },
  ],
  [
    "timeout",
    "a signal that timed out",
    () =>
      createClient().request("get", "/me", {
        signal: AbortSignal.abort(new DOMException("late", "TimeoutError")),
      }),
    { retryable: false },
  ],
  [
    "argument",
    "a misspelled option",
    () => new Client("a", "b", { tokenURL: "x" } as ClientOptions),
    { message: 'Cannot use "tokenURL": it is spelled "tokenUrl"' },
  ],
  [
    "argument",
    "no refresh token",
    () => AccessToken.fromHash(createClient(), { access_token: "x" }).refresh(),
    { message: "A refresh_token is not available" },
  ],
  [
    "argument",
    "an unknown method of authentication",
    () =>
      createClient({ authScheme: "x" as "basic_auth" })
        .clientCredentials.getToken(),
  ],
];

for (const [kind, name, call, expected = {}] of CALLS) {
  Deno.test(`describeError describes ${name} as ${kind}`, async () => {
    const found = describeError(await errorOf(call));
    const challenges = found.challenges
      .map(({ scheme, params }) => ({ scheme, params: { ...params } }));
    const compared = { ...found, challenges };
    assertEquals(
      Object.fromEntries(
        ["kind", ...Object.keys(expected)]
          .map((key) => [key, compared[key as keyof typeof compared]]),
      ),
      { kind, ...expected },
    );
  });
}

Deno.test("describeError finds the code of a system error in its cause", () => {
  const cause = Object.assign(new Error("x"), { code: "ECONNRESET" });
  const error = new ConnectionError("Cannot get a response", { cause });
  const { code, cause: found } = describeError(error);
  assertEquals([code, found], ["ECONNRESET", cause]);
});

Deno.test("describeError uses the kind that an error declares", () => {
  const error = new TokenManagerError("Cannot read the token: x", {
    code: "store_failed",
    kind: "store",
    retryable: true,
    retryAfter: 3,
  });
  const { kind, code, retryable, retryAfter, message } = describeError(error);
  assertEquals([kind, code, retryable, retryAfter, message], [
    "store",
    "store_failed",
    true,
    3,
    "Cannot read the token: x",
  ]);
});

Deno.test("describeError describes errors of another copy of this library", () => {
  const copy = Object.assign(new Error("invalid_grant"), {
    name: "OAuth2Error",
    code: "invalid_grant",
    status: 400,
    retryable: false,
  });
  const { kind, code, status } = describeError(copy);
  assertEquals([kind, code, status], ["oauth", "invalid_grant", 400]);
});

class Hostile {
  get name(): never {
    throw new Error("name");
  }
  get message(): never {
    throw new Error("message");
  }
  get response() {
    return { headers: "x" };
  }
}

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const throwing = new Proxy({}, {
  get: fail,
  getPrototypeOf: fail,
  has: fail,
});

function fail(): never {
  throw new Error("trap");
}

const HOSTILE: Readonly<Record<string, unknown>> = {
  "a revoked proxy": revoked,
  "a proxy that throws": throwing,
  "a message without prototype": { message: Object.create(null) },
  "a name without prototype": { name: Object.create(null) },
  "a message that throws": { message: { toString: fail } },
  "a response that throws": { response: throwing },
  "a revoked response": { name: "OAuth2Error", response: revoked },
  "headers that are revoked": { response: { headers: revoked } },
  "a revoked cause": { cause: revoked },
  "a code that is a symbol": { code: Symbol("x"), kind: Symbol("x") },
  "a symbol": Symbol("x"),
};

for (const [name, value] of Object.entries(HOSTILE)) {
  Deno.test(`describeError accepts ${name}`, () => {
    const { kind, message, code, challenges } = describeError(value);
    assert(kind === "unknown" || kind === "http");
    assertEquals([message.includes("Error"), code, challenges], [
      true,
      undefined,
      [],
    ]);
  });
}

/** Bodies of status 400 whose texts are those of this library. */
const IMITATIONS: readonly [Record<string, string>, ErrorKind][] = [
  [
    { error: "invalid_request", error_description: "it must be https" },
    "oauth",
  ],
  [{
    error: "invalid_request",
    error_description: "x: it is not in allowedOrigins",
  }, "oauth"],
  [{ error: "Cannot follow the redirect" }, "oauth"],
  [{ error_description: "Cannot use this grant" }, "http"],
  [{ error_description: "body: it is longer than 5 bytes" }, "http"],
  [{ error_description: "Cannot read the response: x" }, "http"],
];

for (const [body, kind] of IMITATIONS) {
  Deno.test(`describeError takes no kind from ${JSON.stringify(body)}`, async () => {
    const error = await errorOf(getToken(json(body, 400)));
    assertEquals(describeError(error).kind, kind);
  });
}

const UNKNOWN: readonly [unknown, string][] = [
  [undefined, "Error"],
  [null, "Error"],
  ["a secret", "Error"],
  [42, "Error"],
  [{}, "Error"],
  [new Hostile(), "Error"],
  [Object.create(null), "Error"],
  [new Error("a secret"), "Error"],
  [new RangeError("a secret"), "RangeError"],
  [new TypeError("Cannot read the row: password=hunter2"), "TypeError"],
  [new TypeError("Cannot use the key: it must be https"), "TypeError"],
  [
    new TypeError("Cannot create property 'x' on string 'a secret'"),
    "TypeError",
  ],
  [
    new TypeError("Cannot read properties of undefined (reading 'a: secret')"),
    "TypeError",
  ],
  [Object.assign(new Error("a secret"), { kind: "secret" }), "Error"],
  [Object.assign(new Error("x"), { name: "two\nlines" }), "two lines"],
];

for (const [value, message] of UNKNOWN) {
  const name = value instanceof Error ? value.message : typeof value;
  Deno.test(`describeError shows no message of ${JSON.stringify(name)}`, () => {
    const { cause: _, ...found } = describeError(value);
    assertEquals(found, {
      kind: "unknown",
      retryable: false,
      retryAfter: undefined,
      code: undefined,
      status: undefined,
      challenges: [],
      message,
    });
  });
}

Deno.test("describeError returns a short line", () => {
  const response = new OAuth2Response({ status: 400 });
  const message = "Cannot use it: " + "x\n".repeat(5000);
  for (
    const error of [
      new OAuth2Error(response, { message }),
      new TimeoutError(message),
    ]
  ) {
    const { message } = describeError(error);
    assert(message.length < 1100 && !message.includes("\n"));
  }
});
