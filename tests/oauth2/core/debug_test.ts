import { assert, assertEquals } from "@std/assert";
import { config } from "../../../oauth2/core/config.ts";
import {
  describeRequest,
  describeResponse,
} from "../../../oauth2/core/debug.ts";
import { Redactor } from "../../../oauth2/core/redactor.ts";
import type { WireRequest } from "../../../oauth2/core/transport.ts";
import { OAuth2Response } from "../../../oauth2/core/response.ts";

const REQUEST: WireRequest = {
  method: "POST",
  url: new URL("https://x.example/a"),
  headers: {},
  secrets: [],
  repetition: "safe",
};
const request = (parts: Partial<WireRequest> = {}) =>
  describeRequest({ ...REQUEST, ...parts }, new Redactor(config));
const response = (
  body: string,
  headers: Record<string, string> = {},
  secrets: string[] = [],
) =>
  describeResponse(
    new OAuth2Response({ status: 200, headers, body, url: REQUEST.url.href }),
    { ...REQUEST, secrets },
    new Redactor(config),
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
    ["=1", " [FILTERED]"],
    ["%63ode=2", " %63ode=[FILTERED]"],
    ['{"a":1,"code":2}', ' {"a":1,"code":"[FILTERED]"}'],
    ['{"a":1,"code":"2"}', ' {"a":1,"code":"[FILTERED]"}'],
    ['{"token":{"a":1},"b":null}', ' {"token":"[FILTERED]","b":null}'],
    [
      '["a",1,{"b":2,"code":3}]',
      ' ["[FILTERED]","[FILTERED]",{"b":2,"code":"[FILTERED]"}]',
    ],
    ['"text"', " [FILTERED]"],
    ["42", " [FILTERED]"],
    ["eyJh.eyJp.c2ln", " [FILTERED]"],
    ["c2VjcmV0cw==", " [FILTERED]"],
    // A value with a secret name of its own is redacted.
    ['{"a":"code_verifier=hush"}', ' {"a":"[FILTERED]"}'],
    ['{"a":"{\\"password\\": 1}"}', ' {"a":"[FILTERED]"}'],
    ['{"a":"at 10:30"}', ' {"a":"at 10:30"}'],
    ["a=x&next=%2Fcb%3Fcode%3Dhush", " a=x&next=[FILTERED]"],
  ] as [WireRequest["body"] & string, string][]
) {
  const shown = typeof body === "string"
    ? JSON.stringify(body)
    : body && (body as object).constructor.name;
  Deno.test(`describeRequest shows the body ${shown} as "${line.trim()}"`, () => {
    assertEquals(
      request({ body }),
      `oauth2 request: POST https://x.example/a {}${line}`,
    );
  });
}

for (
  const [url, shown] of [
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
  Deno.test(`describeRequest shows the URL ${url} as ${shown}`, () => {
    const line = request({ url: new URL(url) });
    assertEquals(line, `oauth2 request: POST ${shown} {}`);
  });
}

Deno.test("describeRequest redacts a URL with a user", () => {
  const line = request({ url: new URL("https://ana:hush@x.example/") });
  assert(!/ana|hush/.test(line), line);
});

Deno.test("describeRequest redacts a header that contains a secret name", () => {
  const headers = { "x-a": 'token="hush"', "x-b": "a=b" };
  assertEquals(
    request({ headers }),
    'oauth2 request: POST https://x.example/a {"x-a":"[FILTERED]","x-b":"a=b"}',
  );
});

Deno.test("describeRequest shows JSON of 15 levels", () => {
  const body = '{"a":'.repeat(15) + '"note"' + "}".repeat(15);
  assert(request({ body }).includes('"note"'));
});

Deno.test("describeRequest redacts JSON of 100 levels", () => {
  const body = '{"a":'.repeat(100) + '"hush-hush"' + "}".repeat(100);
  assert(!request({ body }).includes("hush-hush"));
});

Deno.test("describeResponse redacts the secrets in a Location", () => {
  const location =
    "https://app.example/cb?code=hush-hush&state=ok#id_token=hush-hush";
  const line = response("", { location });
  assert(!line.includes("hush-hush"), line);
  assert(line.includes("state=ok"), line);
});

for (
  const [body, shown] of [
    ['{"code":190}', '{"code":190}'],
    ['{"error":{"code":4042}}', '{"error":{"code":4042}}'],
    ['{"code":"190"}', '{"code":"[FILTERED]"}'],
    ['{"code":[190]}', '{"code":"[FILTERED]"}'],
    ['{"user_code":190}', '{"user_code":"[FILTERED]"}'],
    ['{"pin":190}', '{"pin":"[FILTERED]"}'],
    ["code=190", "code=[FILTERED]"],
  ] as const
) {
  Deno.test(`describeResponse shows the body ${body} as ${shown}`, () => {
    assertEquals(
      response(body),
      `oauth2 response: 200 https://x.example/a {} ${shown}`,
    );
  });
}

Deno.test("describeResponse redacts a numeric code that the request contains", () => {
  const line = describeResponse(
    new OAuth2Response({ status: 200, body: '{"code":190190}' }),
    { ...REQUEST, body: '{"code":190190}' },
    new Redactor(config),
  );
  assert(!line.includes("190190"), line);
});

for (
  const [where, body, headers] of [
    ["JSON", '{"access_token":"NEWTOKEN1234","note":"NEWTOKEN1234"}', {}],
    [
      "a text in JSON",
      '{"note":"it is NEWTOKEN1234","token":"NEWTOKEN1234"}',
      {},
    ],
    [
      "deep JSON",
      '{"a":[{"token":{"b":["NEWTOKEN1234"]}}],"id":"NEWTOKEN1234"}',
      {},
    ],
    ["a number", '{"otp":98761234,"note":"98761234","id":98761234}', {}],
    ["a form", "note=NEWTOKEN1234&access_token=NEWTOKEN1234", {}],
    ["an encoded form", "note=NEWTOKEN%2F1234&token=NEWTOKEN%2F1234", {}],
    ["a body and a header", '{"note":"NEWTOKEN1234"}', {
      "x-session-token": "NEWTOKEN1234",
    }],
    ["a header and a body", '{"token":"NEWTOKEN1234"}', {
      "x-note": "NEWTOKEN1234",
    }],
    ["a Location", '{"note":"NEWTOKEN1234"}', {
      location: "/cb?token=NEWTOKEN1234",
    }],
  ] as [string, string, Record<string, string>][]
) {
  Deno.test(`describeResponse redacts a secret of the response that another field repeats, in ${where}`, () => {
    const line = response(body, headers);
    assert(!/EWTOKEN|98761234/.test(line), line);
    assert(line.includes("note") || line.includes("id"), line);
  });
}

Deno.test("describeResponse shows null and booleans that a secret field contains", () => {
  assertEquals(
    response('{"token":[null,true,false],"a":null,"b":true,"note":"false"}'),
    'oauth2 response: 200 https://x.example/a {} {"token":"[FILTERED]","a":null,"b":true,"note":"false"}',
  );
});

for (
  const value of [
    "code%3Dhush",
    "code%253Dsupersecret",
    "%63ode%25253Dsupersecret",
    "a%2526%2563ode%253Dsupersecret",
    "%257B%2522code%2522%253A%2522supersecret",
  ]
) {
  Deno.test(`describeRequest redacts ${value}, which contains an encoded secret name`, () => {
    assertEquals(
      request({ url: new URL(`https://x.example/?next=${value}`) }),
      "oauth2 request: POST https://x.example/?next=[FILTERED] {}",
    );
    assertEquals(
      request({ body: JSON.stringify({ next: value }) }),
      'oauth2 request: POST https://x.example/a {} {"next":"[FILTERED]"}',
    );
  });
}

for (
  const [length, shown] of [
    [64 * 1024, '{"note":"ok"}'],
    [64 * 1024 + 1, "[FILTERED] (65537 characters)"],
  ] as const
) {
  Deno.test(`describeResponse shows a body of ${length} characters as ${shown}`, () => {
    assertEquals(
      response('{"note":"ok"}'.padEnd(length)),
      `oauth2 response: 200 https://x.example/a {} ${shown}`,
    );
  });
}

for (
  const [where, body, headers] of [
    ["JSON", (text: string) => JSON.stringify({ note: text }), {}],
    [
      "a form",
      (text: string) => String(new URLSearchParams({ note: text })),
      {},
    ],
    [
      "JSON in JSON",
      (text: string) =>
        JSON.stringify({ data: JSON.stringify({ note: text }) }),
      {},
    ],
    ["a form in a form", (text: string) =>
      String(
        new URLSearchParams({
          data: String(new URLSearchParams({ note: text })),
        }),
      ), {}],
  ] as const
) {
  Deno.test(`describeResponse redacts a secret of the request in ${where}`, () => {
    const secret = 'hush "um~dois" 3\\4';
    const line = response(body(secret), headers, [secret]);
    assert(!/hush|dois/.test(line), line);
  });
}

Deno.test("describeResponse redacts a secret of the request in a quoted string of a header", () => {
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
  Deno.test(`describeResponse writes one short line for ${body.length} characters such as ${body.slice(0, 5)}`, () => {
    assert(response(body).length < 2000);
  });
}
