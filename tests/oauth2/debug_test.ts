import { assert, assertEquals } from "@std/assert";
import { describeRequest, describeResponse } from "../../oauth2/debug.ts";
import { Redactor } from "../../oauth2/redact.ts";
import { OAuth2Response } from "../../oauth2/response.ts";
import type { WireRequest } from "../../oauth2/transport.ts";

const REQUEST: WireRequest = {
  method: "POST",
  url: new URL("https://x.example/a"),
  headers: new Headers(),
  secrets: [],
};
const request = (parts: Partial<WireRequest> = {}) =>
  describeRequest({ ...REQUEST, ...parts }, new Redactor());
const response = (
  body: string,
  headers: Record<string, string> = {},
  secrets: string[] = [],
) =>
  describeResponse(
    new OAuth2Response({ status: 200, headers, body, url: REQUEST.url.href }),
    { ...REQUEST, secrets },
    new Redactor(),
  );

for (
  const [body, line] of [
    [undefined, ""],
    ["", ""],
    ["plain text", " [FILTERED]"],
    ["<a>1</a>", " [FILTERED]"],
    [new Uint8Array([1]), " [FILTERED]"],
    [new Blob(["a"]), " [FILTERED]"],
    ["a=1&code=2", " a=1&code=[FILTERED]"],
    [new URLSearchParams({ a: "1", code: "2" }), " a=1&code=[FILTERED]"],
    [new URLSearchParams({ "": "1" }), " [FILTERED]"],
    ["%63ode=2", " %63ode=[FILTERED]"],
    ['{"a":1,"code":2}', ' {"a":1,"code":"[FILTERED]"}'],
    ['{"token":{"a":1},"b":null}', ' {"token":"[FILTERED]","b":null}'],
    [
      '["a",1,{"b":2,"code":3}]',
      ' ["[FILTERED]","[FILTERED]",{"b":2,"code":"[FILTERED]"}]',
    ],
    ['"text"', " [FILTERED]"],
    ["42", " [FILTERED]"],
    ["eyJh.eyJp.c2ln", " [FILTERED]"],
    ["c2VjcmV0cw==", " [FILTERED]"],
    // What names a secret itself is hidden whole.
    ['{"a":"code_verifier=hush"}', ' {"a":"[FILTERED]"}'],
    ['{"a":"{\\"password\\": 1}"}', ' {"a":"[FILTERED]"}'],
    ['{"a":"at 10:30"}', ' {"a":"at 10:30"}'],
    ["a=x&next=%2Fcb%3Fcode%3Dhush", " a=x&next=[FILTERED]"],
  ] as [WireRequest["body"] & string, string][]
) {
  const shown = typeof body === "string"
    ? JSON.stringify(body)
    : Object(body).constructor.name;
  Deno.test(`describeRequest writes the body ${shown} as "${line}"`, () => {
    assertEquals(
      request({ body }),
      `oauth2 request: POST https://x.example/a {}${line}`,
    );
  });
}

for (
  const [address, shown] of [
    ["https://x.example/?a=1&code=2", "https://x.example/?a=1&code=[FILTERED]"],
    [
      "https://x.example/#access_token=1",
      "https://x.example/#access_token=[FILTERED]",
    ],
    ["https://x.example/?%63ode=2", "https://x.example/?%63ode=[FILTERED]"],
    ["https://x.example/?code", "https://x.example/?code"],
    ["https://x.example/?code=a=b", "https://x.example/?code=[FILTERED]"],
    ["https://x.example/?a=b@c", "https://x.example/?a=b@c"],
    [
      "https://x.example/?a=1&next=%2Fcb%3Fcode%3Dhush",
      "https://x.example/?a=1&next=[FILTERED]",
    ],
  ] as const
) {
  Deno.test(`describeRequest writes the address ${shown}`, () => {
    const line = request({ url: new URL(address) });
    assertEquals(line, `oauth2 request: POST ${shown} {}`);
  });
}

Deno.test("describeRequest hides the user of an address", () => {
  const line = request({ url: new URL("https://ana:hush@x.example/") });
  assert(!/ana|hush/.test(line), line);
});

Deno.test("describeRequest hides a header that names a secret itself", () => {
  const headers = new Headers({ "x-a": 'token="hush"', "x-b": "a=b" });
  assertEquals(
    request({ headers }),
    'oauth2 request: POST https://x.example/a {"x-a":"[FILTERED]","x-b":"a=b"}',
  );
});

Deno.test("describeRequest shows structures of usual depth", () => {
  const body = '{"a":'.repeat(15) + '"note"' + "}".repeat(15);
  assert(request({ body }).includes('"note"'));
});

Deno.test("describeRequest hides structures that are too deep", () => {
  const body = '{"a":'.repeat(100) + '"hush-hush"' + "}".repeat(100);
  assert(!request({ body }).includes("hush-hush"));
});

Deno.test("describeResponse hides the secrets in a Location", () => {
  const location =
    "https://app.example/cb?code=hush-hush&state=ok#id_token=hush-hush";
  const line = response("", { location });
  assert(!line.includes("hush-hush"), line);
  assert(line.includes("state=ok"), line);
});

for (
  const [where, body, headers] of [
    ["JSON", (text: string) => JSON.stringify({ note: text }), {}],
    [
      "a form",
      (text: string) => String(new URLSearchParams({ note: text })),
      {},
    ],
    [
      "a JSON that quotes JSON",
      (text: string) =>
        JSON.stringify({ data: JSON.stringify({ note: text }) }),
      {},
    ],
    ["a form that quotes a form", (text: string) =>
      String(
        new URLSearchParams({
          data: String(new URLSearchParams({ note: text })),
        }),
      ), {}],
  ] as const
) {
  Deno.test(`describeResponse hides what the request told, in ${where}`, () => {
    const secret = 'hush "um~dois" 3\\4';
    const line = response(body(secret), headers, [secret]);
    assert(!/hush|dois/.test(line), line);
  });
}

Deno.test("describeResponse hides what the request told, in a quoted header", () => {
  const secret = 'hush "um"';
  const value = `Bearer error_description="${secret.replace(/"/g, '\\"')}"`;
  const line = response("", { "www-authenticate": value }, [secret]);
  assert(!line.includes("hush"), line);
});

for (
  const body of [
    "=".repeat(1_000_000),
    "a=&".repeat(300_000),
    `a=${"b".repeat(1_000_000)} `,
    `${"a=1&".repeat(250_000)}&`,
    "a".repeat(1_000_000),
    "?".repeat(100_000),
  ]
) {
  Deno.test(`describeResponse writes a line for ${body.length} characters such as ${body.slice(0, 5)}`, () => {
    assert(response(body).length < 2000);
  });
}
