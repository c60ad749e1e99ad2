/** Challenges of WWW-Authenticate (RFC 9110 section 11.6.1). */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Challenge,
  parseChallenges,
} from "../../../oauth2/core/challenges.ts";

/** Challenge as a list of its members that are present. */
type Short = [string, ...(Record<string, string> | string)[]];

const shorten = ({ scheme, token68, params }: Challenge): Short => [
  scheme,
  ...(token68 === undefined ? [] : [token68]),
  ...(Object.keys(params).length === 0 ? [] : [{ ...params }]),
];

const HEADERS: Readonly<Record<string, Short[]>> = {
  "": [],
  " , ,\t,": [],
  "Bearer": [["bearer"]],
  'Bearer realm="example"': [["bearer", { realm: "example" }]],
  "BEARER Realm=a, ERROR=b": [["bearer", { realm: "a", error: "b" }]],
  'Bearer error="invalid_token", error_description="The token expired"': [
    ["bearer", {
      error: "invalid_token",
      error_description: "The token expired",
    }],
  ],
  // RFC 9110 section 11.6.1.
  'Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""':
    [
      ["basic", { realm: "simple" }],
      ["newauth", { realm: "apps", type: "1", title: 'Login to "apps"' }],
    ],
  "Negotiate": [["negotiate"]],
  "Negotiate oYG2MIGzoAMKAQE=, Basic realm=x": [
    ["negotiate", "oYG2MIGzoAMKAQE="],
    ["basic", { realm: "x" }],
  ],
  "Basic, Bearer": [["basic"], ["bearer"]],
  "Negotiate, NTLM, Bearer a=b": [
    ["negotiate"],
    ["ntlm"],
    ["bearer", { a: "b" }],
  ],
  // RFC 9728 section 5.1, RFC 9449 section 7.1, RFC 9470 section 3.
  'Bearer resource_metadata="https://r.example/.well-known/oauth-protected-resource"':
    [["bearer", {
      resource_metadata:
        "https://r.example/.well-known/oauth-protected-resource",
    }]],
  'DPoP error="use_dpop_nonce", algs="ES256 PS256"': [
    ["dpop", { error: "use_dpop_nonce", algs: "ES256 PS256" }],
  ],
  'Bearer error="insufficient_user_authentication", max_age=5': [
    ["bearer", { error: "insufficient_user_authentication", max_age: "5" }],
  ],
  "Bearer a = b ,\tc\t=\td": [["bearer", { a: "b", c: "d" }]],
  'Bearer a="", b=c': [["bearer", { a: "", b: "c" }]],
  'Bearer a="x, y=z, Basic q=r"': [["bearer", { a: "x, y=z, Basic q=r" }]],
  ",,Bearer a=b,,,c=d,": [["bearer", { a: "b", c: "d" }]],
  // The first value counts.
  "Bearer error=a, error=b": [["bearer", { error: "a" }]],
  "Bearer __proto__=a, constructor=b": [
    ["bearer", Object.fromEntries([["__proto__", "a"], ["constructor", "b"]])],
  ],
  // Malformed, as some servers send it.
  'Bearer realm="a" error="b"': [["bearer", { realm: "a", error: "b" }]],
  "Bearer error=x, error_description=The token expired, scope=a": [
    ["bearer", { error: "x", error_description: "The", scope: "a" }],
  ],
  'Bearer error="invalid_token': [["bearer"]],
  'Bearer a=b, error="invalid_token': [["bearer", { a: "b" }]],
  "Bearer =a, b=c": [],
  "Bearer a=, b=c": [["bearer", "a=", { b: "c" }]],
  'Bearer {"a": 1}, b=c': [["bearer", { b: "c" }]],
  "realm=x": [],
  "=": [],
  '"': [],
  "\\": [],
  "Bearer ã=b, c=d": [["bearer", { c: "d" }]],
};

for (const [header, expected] of Object.entries(HEADERS)) {
  Deno.test(`parseChallenges reads ${JSON.stringify(header)}`, () => {
    assertEquals(parseChallenges(header).map(shorten), expected);
  });
}

Deno.test("parseChallenges reads Headers, whose lines are joined", () => {
  const headers = new Headers();
  headers.append("www-authenticate", "Basic realm=a");
  headers.append("www-authenticate", "Bearer error=b");
  assertEquals(parseChallenges(headers).map(shorten), [
    ["basic", { realm: "a" }],
    ["bearer", { error: "b" }],
  ]);
  for (const nothing of [new Headers(), null, undefined]) {
    assertEquals(parseChallenges(nothing), []);
  }
});

const TOKEN = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-z-]{1,8}$/);
const PARAMS = fc.dictionary(TOKEN, fc.string({ maxLength: 10 }), {
  minKeys: 1,
  maxKeys: 4,
  noNullPrototype: true,
});

Deno.test("parseChallenges reads what a server writes", () => {
  fc.assert(fc.property(
    fc.array(fc.record({ scheme: TOKEN, params: PARAMS })),
    (challenges) => {
      const header = challenges.map(({ scheme, params }) =>
        `${scheme} ${
          Object.entries(params).map(([name, value]) =>
            `${name}="${value.replace(/[\\"]/g, "\\$&")}"`
          ).join(", ")
        }`
      ).join(", ");
      assertEquals(
        parseChallenges(header).map(shorten),
        challenges.map(({ scheme, params }) => [scheme, params]),
      );
    },
  ));
});

Deno.test("parseChallenges accepts any text", () => {
  const characters = fc.constantFrom(...'"\\,= \ta=Bearer\u00e3\n'.split(""));
  fc.assert(fc.property(
    fc.string({ unit: characters, maxLength: 200 }),
    (header) => {
      for (const { scheme, params } of parseChallenges(header)) {
        assert(/^[!#$%&'*+.^_`|~\w-]+$/.test(scheme));
        assertEquals(Object.getPrototypeOf(params), null);
      }
    },
  ));
});

const HUGE: Readonly<Record<string, string>> = {
  "quotation marks": '"',
  "open quotes": 'a="',
  "escapes": '"\\',
  "commas": ",",
  "parameters": "a=b,",
  "schemes": "a,",
  "spaces": " ",
  "token68": "a b/b",
  "equals signs": "a =",
  "a token and spaces": "a   \t",
};

for (const [name, part] of Object.entries(HUGE)) {
  Deno.test(`parseChallenges reads a megabyte of ${name} in proportional time`, () => {
    const short = leastTime(part, 1e6 / 8);
    const long = leastTime(part, 1e6);
    // Quadratic time would be 64 times as long.
    assert(long < 20 || long < 3 * 8 * short, `${short} and ${long} ms`);
  });
}

/** Returns the least of three times, so that a busy machine does not matter. */
function leastTime(part: string, length: number): number {
  const header = `Bearer ${part.repeat(length / part.length)}`;
  return Math.min(...[1, 2, 3].map(() => {
    const start = performance.now();
    parseChallenges(header);
    return performance.now() - start;
  }));
}
