/** Responses of any content: a call returns, or throws an OAuth2Error. */
import { assert, assertEquals } from "@std/assert";
import {
  AccessToken,
  type Client,
  type ClientOptions,
  discover,
  OAuth2Error,
  OAuth2Response,
  type Parse,
} from "../../oauth2/mod.ts";
import { tokenOf } from "./_calls.ts";
import { createClient, loggerTo, SITE } from "./_client.ts";
import { FORM_HEADERS, JSON_HEADERS } from "./_exchanges.ts";
import { type Answer, fakeFetch } from "./_fake_fetch.ts";
import { show } from "./_print.ts";
import fc from "fast-check";

/** Fails if an outcome has a member of another type than documented. */
function assertTyped(outcome: unknown): void {
  const response = outcome instanceof OAuth2Response
    ? outcome
    : outcome instanceof AccessToken
    ? outcome.response
    : undefined;
  if (outcome instanceof AccessToken) {
    assertEquals(typeof outcome.token, "string");
    assert(["string", "undefined"].includes(typeof outcome.refreshToken));
    assert(["number", "undefined"].includes(typeof outcome.expiresAt));
    assert(["number", "undefined"].includes(typeof outcome.expiresIn));
    assertEquals(typeof outcome.expired(), "boolean");
    assert(outcome.token || response?.error, "an empty token has an error");
    outcome.toHash();
  }
  if (response) {
    assertEquals(typeof response.body, "string");
    assertEquals(typeof response.contentType, "string");
    const { fields, parseError } = response;
    assert(fields === undefined || typeof fields === "object");
    if (parseError) assertEquals(response.parsed, response.body);
  }
  if (outcome instanceof OAuth2Error) {
    for (const part of [outcome.code, outcome.description, outcome.uri]) {
      assert(part === undefined || typeof part === "string");
    }
    assert(outcome.message.length < 4000, "the message contains no body");
  }
}

/** Fails if an outcome cannot be printed. */
function assertPrintable(outcome: unknown): void {
  show(outcome, { depth: 20 });
  JSON.stringify(outcome);
  String(outcome);
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
/** Fails if a response has added a property to every object. */
function assertUnpolluted(): void {
  assertEquals(Object.getOwnPropertyNames(Object.prototype), INHERITED);
}

/** Error of a callback, which token calls throw. */
class CallbackError extends Error {}
const fail = (): never => {
  throw new CallbackError("failed");
};

class Account {
  constructor(readonly data: Record<string, unknown>) {}
  static load = (data: Record<string, unknown>) => new Account(data);
  static dump = (account: Account) => account.data;
}
const CLASSES = {
  none: undefined,
  account: Account,
  map: {
    load: (data: Record<string, unknown>) => new Map(Object.entries(data)),
    dump: (map: Map<string, unknown>) =>
      map instanceof Map ? Object.fromEntries(map) : fail(),
  },
  failing: { load: fail, dump: () => ({}) },
};
const PARSERS: Record<string, Parse | undefined> = {
  none: undefined,
  false: false,
  json: "json",
  query: "query",
  text: "text",
  unknown: "constructor",
  failing: fail,
  circular: () => {
    const circle: Record<string, unknown> = { access_token: "monkey" };
    return Object.assign(circle, { circle });
  },
  strange: () => Symbol("parsed"),
};
class MyToken extends AccessToken {}
const EXTRACTORS = {
  none: undefined,
  data: (fields: Record<string, unknown>) =>
    fields.data as Record<string, unknown>,
  failing: (fields: Record<string, unknown>) =>
    fields.data === undefined ? fail() : { access_token: "monkey" },
};

const reading = fc.record({
  parse: fc.constantFrom(...Object.keys(PARSERS)),
  snaky: fc.constantFrom(undefined, true, false),
  snakyHashClass: fc.constantFrom(...Object.keys(CLASSES)),
}).map(({ parse, snaky, snakyHashClass }) => ({
  parse: PARSERS[parse],
  snaky,
  // deno-lint-ignore no-explicit-any -- like `ParseOptions`
  snakyHashClass: CLASSES[snakyHashClass as keyof typeof CLASSES] as any,
}));
const setting = fc.record({
  extract: fc.constantFrom(...Object.keys(EXTRACTORS)),
  accessTokenClass: fc.constantFrom(AccessToken, MyToken, undefined),
  debug: fc.boolean(),
}).map(({ extract, ...options }) => ({
  ...options,
  extractAccessToken: EXTRACTORS[extract as keyof typeof EXTRACTORS],
}));

const name = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "access_token",
      "accessToken",
      "refresh_token",
      "token_type",
      "expires_in",
      "expires_at",
      "error",
      "error_description",
      "data",
      "params",
      "mode",
      "issuer",
      "token_endpoint",
      "authorization_endpoint",
      "token_endpoint_auth_methods_supported",
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "toJSON",
      "hasOwnProperty",
      "",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const scalar = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e308, "", "bearer", "monkey", SITE),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.double({ noNaN: true }),
);
const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.array(fc.tuple(name, tie("value")), { maxLength: 6 })
    .map(Object.fromEntries),
}));
const objects = fc.array(fc.tuple(name, value), { maxLength: 8 })
  .map((pairs) => JSON.stringify(Object.fromEntries(pairs)));
const forms = fc.array(fc.tuple(name, fc.string({ unit: "binary" })))
  .map((pairs) => String(new URLSearchParams(pairs)));
const bytes = fc.uint8Array({ maxLength: 200 });
const body = fc.oneof(
  bytes,
  fc.string({ unit: "binary", maxLength: 100 }),
  value.map((value) => JSON.stringify(value)),
  { weight: 3, arbitrary: objects },
  { weight: 2, arbitrary: forms },
  // Truncated, or with bytes that are not UTF-8.
  fc.tuple(objects, fc.nat(100)).map(([text, end]) => text.slice(0, end)),
  fc.tuple(objects, bytes).map(([text, bytes]) =>
    new Uint8Array([...new TextEncoder().encode(text), ...bytes])
  ),
);
const type = fc.constantFrom(
  undefined,
  "",
  "application/json",
  "APPLICATION/JSON; charset=latin1",
  "application/problem+json",
  "application/x-www-form-urlencoded",
  "text/plain",
  "text/html",
  "text/javascript",
  "application/xml",
  "application/octet-stream",
  "__proto__",
  ";;;",
  "constructor",
);
const headerText = fc.string({
  unit: fc.constantFrom(...'abcDEF019 =",;:/?#&%+-_~éÿ'),
  maxLength: 60,
});
const headers = fc.record({
  "content-type": type,
  "www-authenticate": fc.option(headerText, { nil: undefined }),
  "retry-after": fc.option(headerText, { nil: undefined }),
}).map((headers) =>
  JSON.parse(JSON.stringify(headers)) as Record<string, string>
);
const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 })),
  headers,
  body,
});

type Reading = typeof reading extends fc.Arbitrary<infer R> ? R : never;
type ReadingCall = (client: Client, options: Reading) => Promise<unknown>;
const CALLS: Readonly<Record<string, ReadingCall>> = {
  getToken: (client, options) => client.getToken({ ...options }),
  "token.refresh": (client, options) => tokenOf(client).refresh({ ...options }),
  revokeToken: (client, options) =>
    client.revokeToken("ape", undefined, { ...options }),
  request: (client, options) => client.request("get", "/from", options),
  "token.post": (client, options) => tokenOf(client).post("/from", options),
};
const REDIRECTS = [301, 302, 303, 307, 308];

for (const [name, call] of Object.entries(CALLS)) {
  for (const raiseErrors of [true, false]) {
    Deno.test(`${name} with raiseErrors ${raiseErrors} accepts any response`, async () => {
      await fc.assert(
        fc.asyncProperty(
          answer,
          reading,
          setting,
          async (answer, reading, setting) => {
            const client = createClient({
              ...setting,
              raiseErrors,
              fetch: fakeFetch([{ respond: answer }]),
            } as ClientOptions);
            const outcome = await call(client, reading).catch((error) => error);
            const { status } = answer as { status: number };
            if (outcome instanceof CallbackError) {
              assert(/getToken|refresh/.test(name) && status < 300);
            } else if (outcome instanceof Error) {
              assert(outcome instanceof OAuth2Error, show(outcome));
              // A redirect without a Location is always refused.
              assert(raiseErrors || REDIRECTS.includes(status), show(outcome));
            }
            assertTyped(outcome);
            assertPrintable(outcome);
            assertUnpolluted();
          },
        ),
        { seed: raiseErrors ? 21 : 23, numRuns: 200 },
      );
    });
  }
}

Deno.test("discover accepts any response", async () => {
  const endpoint = fc.oneof(
    fc.constantFrom(undefined, SITE, `${SITE}/x`, "http://x.example", "x:"),
    value,
  );
  const metadata = fc.record({
    issuer: fc.constantFrom(SITE, SITE, SITE, `${SITE}/`, 5),
    token_endpoint: fc.oneof(
      { weight: 3, arbitrary: fc.constant(`${SITE}/token`) },
      endpoint,
    ),
    authorization_endpoint: endpoint,
    revocation_endpoint: endpoint,
    token_endpoint_auth_methods_supported: fc.oneof(
      value,
      fc.array(fc.constantFrom("none", "client_secret_post", 5, null)),
    ),
  });
  const document: fc.Arbitrary<Answer> = metadata.map((metadata) => ({
    status: 200,
    body: JSON.stringify(metadata),
  }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(document, answer), async (answer) => {
      const fetch = fakeFetch([{ respond: answer }, { respond: answer }]);
      const outcome = await discover(SITE, { fetch }).catch((error) => error);
      if (outcome instanceof Error) {
        assert(outcome instanceof OAuth2Error, show(outcome));
        assertTyped(outcome);
        assertPrintable(outcome);
      } else {
        assertEquals(typeof outcome.tokenUrl, "string");
        assertEquals(typeof outcome.authScheme, "string");
      }
      assertUnpolluted();
    }),
    { seed: 22, numRuns: 300 },
  );
});

const numbered = (template: (n: number) => string, separator: string) =>
  Array.from({ length: 30_000 }, (_, n) => template(n)).join(separator);
/** Responses that would take minutes to read in quadratic time. */
const HUGE: Record<
  string,
  { status?: number; headers: Record<string, string>; body: string }
> = {
  "100,000 nested lists": {
    headers: JSON_HEADERS,
    body: "[".repeat(100_000) + "]".repeat(100_000),
  },
  "100,000 nested objects": {
    status: 400,
    headers: JSON_HEADERS,
    body: '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000),
  },
  "a token beside 100,000 nested objects": {
    headers: JSON_HEADERS,
    body: `{"access_token":"monkey","a":${'{"a":'.repeat(100_000)}1${
      "}".repeat(100_001)
    }`,
  },
  "100,000 nested lists, truncated": {
    headers: JSON_HEADERS,
    body: "[".repeat(100_000),
  },
  "a name of 1,000,000 upper-case letters": {
    headers: JSON_HEADERS,
    body: JSON.stringify({ ["A".repeat(1_000_000)]: 1 }),
  },
  "a name of 500,000 words in camel case": {
    headers: JSON_HEADERS,
    body: JSON.stringify({ ["aB".repeat(500_000)]: 1 }),
  },
  "a name of 1,000,000 spaces": {
    headers: JSON_HEADERS,
    body: JSON.stringify({ [`a${" ".repeat(1_000_000)}b`]: 1 }),
  },
  "30,000 names": {
    headers: JSON_HEADERS,
    body: `{${numbered((n) => `"aB${n}":1`, ",")}}`,
  },
  "30,000 form fields": {
    headers: FORM_HEADERS,
    body: numbered((n) => `aB${n}=1`, "&"),
  },
  "200,000 form fields with one name": {
    headers: FORM_HEADERS,
    body: "a=1&".repeat(200_000) + "a=1",
  },
  "100,000 separators of a form": {
    headers: FORM_HEADERS,
    body: "=&?".repeat(100_000),
  },
  "1,000,000 bytes that are not UTF-8": {
    headers: {},
    body: "\xff".repeat(500_000),
  },
  "a description of 1,000,000 characters": {
    status: 400,
    headers: JSON_HEADERS,
    body: JSON.stringify({
      error: "x",
      error_description: "hush-hus".repeat(125_000),
    }),
  },
  "an expiry of 1,000,000 digits": {
    headers: JSON_HEADERS,
    body: JSON.stringify({
      access_token: "monkey",
      expires_in: "1".repeat(500_000) + "x",
      expires_at: "2013-02-20T" + "1".repeat(500_000),
    }),
  },
  "a challenge of 100,000 quotes": {
    status: 400,
    headers: {
      ...JSON_HEADERS,
      "www-authenticate": 'error="'.repeat(100_000),
    },
    body: "{}",
  },
  "a challenge of 200,000 letters": {
    status: 401,
    headers: { "www-authenticate": "a".repeat(200_000) },
    body: "",
  },
  "a media type of 100,000 characters": {
    headers: { "content-type": "a+json;".repeat(20_000) },
    body: "{}",
  },
};

const UNPARSED: Reading = {
  parse: undefined,
  snaky: undefined,
  snakyHashClass: undefined,
};
for (const [content, answer] of Object.entries(HUGE)) {
  Deno.test(`calls read or refuse a response with ${content}`, async () => {
    for (const call of [CALLS.getToken!, CALLS.request!]) {
      const fetch = fakeFetch([{ respond: { status: 200, ...answer } }]);
      const client = createClient({ fetch, debug: true });
      const outcome = await call(client, UNPARSED).catch((error) => error);
      if (outcome instanceof Error) assert(outcome instanceof OAuth2Error);
      assertTyped(outcome);
      JSON.stringify(outcome);
    }
  });
}

for (
  const [content, location] of [
    ["100,000 question marks", `/to${"?".repeat(100_000)}`],
    ["50,000 pairs", `/to?${"a=b&".repeat(50_000)}`],
    ["100,000 slashes", `/to/${"/".repeat(100_000)}`],
    ["20,000 schemes", `/to?${"a://".repeat(20_000)}`],
    [
      "5,000 secrets",
      `/to?${
        Array.from({ length: 5_000 }, (_, n) => `code=hush${n}`).join("&")
      }`,
    ],
  ] as const
) {
  Deno.test(`request follows and logs a Location with ${content}`, async () => {
    const lines: string[] = [];
    const client = createClient({
      debug: true,
      logger: loggerTo(lines),
      fetch: fakeFetch([
        { respond: { status: 302, headers: { location } } },
        { respond: { status: 200, headers: { location } } },
      ]),
    });
    assertEquals((await client.request("get", "/from")).status, 200);
    assertEquals(lines.length, 4);
    assert(lines.every((line) => line.length < 4000), "each is one short line");
  });
}
