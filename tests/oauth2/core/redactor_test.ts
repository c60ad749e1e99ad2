import { assert, assertEquals, assertMatch } from "@std/assert";
import { config } from "../../../oauth2/core/config.ts";
import {
  oneLine,
  type Redactable,
  Redactor,
} from "../../../oauth2/core/redactor.ts";
import { SPELLINGS } from "../_spellings.ts";
import fc from "fast-check";

const REQUEST: Redactable = {
  url: new URL("https://x.example/"),
  headers: {},
  secrets: [],
};

for (
  const [name, secret] of [
    ["access_token", true],
    ["code", true],
    ["username", true],
    ["DPoP", true],
    ["ACCESS-TOKEN", true],
    ["accessToken", true],
    ["X-Refresh-Token", true],
    ["user[password]", true],
    ["user.password.hint", true],
    ["old_passwords", true],
    ["aws:secret", true],
    ["Api-Key", true],
    ["user_credentials", true],
    ["user_code", true],
    ["id_token_hint", true],
    ["request", true],
    ["private_key", true],
    ["Proxy-Authorization", true],
    ["Set-Cookie", true],
    ["passWord", true],
    ["Pass_Phrase", true],
    ['"password"', true],
    ["passphrase", true],
    ["keyPassphrase", true],
    ["key", true],
    ["Keys", true],
    ["x-functions-key", true],
    ["subscriptionKey", true],
    ["X-AUTH-KEY", true],
    ['"key"', true],
    ["key[0]", true],
    ["pin", true],
    ["card_pin", true],
    ["otp", true],
    ["smsOtp", true],
    ["jwt", true],
    ["idJWT", true],
    ["x-auth", true],
    ["session", true],
    ["X-Session", true],
    ["signature", true],
    ["x-hub-signature", true],
    ["sig", true],
    ["passcode", true],
    ["user_pwd", true],
    ["passwd", true],
    ["totp", true],
    ["mfa_code", true],
    ["authCode", true],
    ["authorization_code", true],
    ["device-code", true],
    ["otp_code", true],
    ["totpCode", true],
    ["verification_code", true],
    ["pre-authorized_code", true],
    ["preAuthorizedCode", true],
    ["tx_code", true],
    ["txCode", true],
    ["recovery_code", true],
    ["backup_codes", true],
    ["oob_code", true],
    ["oobCode", true],
    ["SAMLResponse", true],
    ["saml_response", true],
    ["zip_code", false],
    ["text_code", false],
    ["subject_token_type", false],
    ["token_endpoint", false],
    ["code_challenge", false],
    ["grant_type", false],
    ["scope", false],
    ["state", false],
    ["tokens_used", false],
    ["monkey", false],
    ["keyboard", false],
    ["key_id", false],
    ["shipping", false],
    ["opinion", false],
    ["jwt_format", false],
    ["author", false],
    ["oauth_version", false],
    ["session_state", false],
    ["signature_method", false],
    ["design", false],
    ["sigma", false],
    ["status_code", false],
    ["error_code", false],
    ["response_code", false],
    ["country_code", false],
    ["postal_code", false],
    ["barcode", false],
    ["", false],
  ] as const
) {
  Deno.test(`isSecret returns ${secret} for "${name}"`, () => {
    assertEquals(new Redactor(config).isSecret(name), secret);
  });
}

for (
  const [key, name, secret] of [
    ["user_code", "User-Code", true],
    ["cpf", "CPF", true],
    ["cpf", "user[cpf]", true],
    ["cpf", "cpf_hash", false],
  ] as const
) {
  Deno.test(`isSecret returns ${secret} for "${name}" with the filteredDebugKeys ["${key}"]`, () => {
    const redactor = new Redactor({ ...config, filteredDebugKeys: [key] });
    assertEquals(redactor.isSecret(name), secret);
  });
}

Deno.test("isSecret ignores filteredDebugKeys that are added later", () => {
  const own = { ...config, filteredDebugKeys: ["cpf"] };
  const redactor = new Redactor(own);
  own.filteredDebugKeys.push("rg");
  assertEquals(["cpf", "rg"].map((name) => redactor.isSecret(name)), [
    true,
    false,
  ]);
});

Deno.test("hide makes a name secret in any spelling", () => {
  const redactor = new Redactor(config);
  assertEquals(redactor.isSecret("my_ticket"), false);
  redactor.hide("my_ticket");
  assertEquals(redactor.isSecret("MyTicket"), true);
});

const unit = fc.constantFrom(
  ..."abXY09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}|$^`\n",
  ...["é", "€", "😀"],
);
for (const [encoding, spell] of Object.entries(SPELLINGS)) {
  Deno.test(`text redacts a secret that is ${encoding}`, () => {
    fc.assert(
      fc.property(fc.string({ unit, minLength: 8 }), (rest) => {
        const secret = `s${rest}s`;
        const spelled = spell(secret);
        const request = { ...REQUEST, secrets: [secret] };
        const text = new Redactor(config).text(`it is "${spelled}".`, request);
        assert(!text.includes(oneLine(spelled)), text);
        assert(text.includes("[FILTERED]"), text);
      }),
      { seed: 41, numRuns: 300 },
    );
  });
}

Deno.test("text redacts a secret with spaces and a tilde in every encoding", () => {
  const secret = "segredo um~dois 3";
  const request = { ...REQUEST, secrets: [secret] };
  for (
    const spelled of [
      "segredo um~dois 3",
      "segredo+um%7Edois+3",
      "segredo%20um%7Edois%203",
      "segredo%20um~dois%203",
      "segredo+um~dois+3",
    ]
  ) {
    const text = new Redactor(config).text(`auth=${spelled}&a=1`, request);
    assert(!/segredo|dois/.test(text), text);
  }
});

for (
  const [spelled, secret] of [
    ["hush &quot;um&quot;", 'hush "um"'],
    ["hush &#34;um&#34;", 'hush "um"'],
    ["hush &#x22;um", 'hush "um'],
    ["%68ush-hush", "hush-hush"],
    ["%2568ush-hush", "hush-hush"],
    ["%252568ush-hush", "hush-hush"],
    ["\\u0068ush-hush", "hush-hush"],
    ["%54OKENvalue123", "TOKENvalue123"],
    ["hush%252Dhush", "hush-hush"],
  ] as const
) {
  Deno.test(`text redacts ${secret} encoded as ${spelled}, and finds returns true`, () => {
    const request = { ...REQUEST, secrets: [secret] };
    const redactor = new Redactor(config);
    const text = redactor.text(`it is ${spelled}.`, request);
    assert(!/ush|OKEN/.test(text), text);
    assert(redactor.finds(`/to?a=${spelled}`, request));
  });
}

Deno.test("text keeps a query without secrets", () => {
  const request = { ...REQUEST, secrets: ["a-b-c-d"] };
  const text = "?a=1&b=2&c=3";
  assertEquals(new Redactor(config).text(text, request), text);
});

const SECRET = "hush-hush";
for (
  const [where, request] of [
    ["a parameter", { url: new URL(`https://x.example/?password=${SECRET}`) }],
    ["a header", { headers: { "x-api-key": SECRET } }],
    ["credentials", {
      headers: { authorization: `Bearer  ${SECRET}` },
    }],
    ["a form", { body: new URLSearchParams({ code: SECRET }) }],
    ["text that is a form", { body: `a=1&code=${SECRET}` }],
    ["text that is a form with a name only", { body: `a&code=${SECRET}` }],
    ["text that is a form with spaces", { body: `a=b c&code=${SECRET}` }],
    ["JSON", { body: JSON.stringify({ code: SECRET }) }],
    ["nested JSON", { body: JSON.stringify({ a: [{ code: SECRET }] }) }],
    ["a list of JSON", { body: JSON.stringify([{ code: SECRET }]) }],
    ["a list in JSON", { body: JSON.stringify({ password: ["x", SECRET] }) }],
    ["an object with a secret name", {
      body: JSON.stringify({ password: { old: SECRET } }),
    }],
    ["nested data with a secret name", {
      body: JSON.stringify({ token: { a: [{ b: [SECRET] }] } }),
    }],
    ["deep JSON", {
      body: `{"code":"${SECRET}","a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
    }],
    ["bytes that are JSON", {
      body: new TextEncoder().encode(JSON.stringify({ code: SECRET })),
    }],
    ["bytes that are a form", {
      body: new TextEncoder().encode(`a=1&code=${SECRET}`).buffer,
    }],
    ["64 KiB of bytes", {
      body: new TextEncoder().encode(`code=${SECRET}&a=`.padEnd(64 * 1024)),
    }],
    ["FormData", {
      body: (() => {
        const data = new FormData();
        data.set("password", SECRET);
        return data;
      })(),
    }],
  ] as [string, Partial<Redactable>][]
) {
  Deno.test(`text redacts the secret in ${where}`, () => {
    const text = `it was ${SECRET}.`;
    const redactor = new Redactor(config);
    assertEquals(
      redactor.text(text, { ...REQUEST, ...request }),
      "it was [FILTERED].",
    );
  });
}

for (
  const [where, request] of [
    ["a field with a secret name", { body: '{"code":12345678}' }],
    ["a list with a secret name", { body: '{"code":[{"a":12345678}]}' }],
    ["the secrets of the request", { secrets: [12345678 as never] }],
  ] as [string, Partial<Redactable>][]
) {
  Deno.test(`text redacts a number in ${where}`, () => {
    const redactor = new Redactor(config);
    const text = redactor.text("12345678", { ...REQUEST, ...request });
    assertEquals(text, "[FILTERED]");
  });
}

for (const value of [null, true, false, {}, [], { a: null, b: [true] }]) {
  Deno.test(`text redacts nothing for the secret ${JSON.stringify(value)}`, () => {
    const body = JSON.stringify({ token: value });
    const request = { ...REQUEST, body };
    const text = "null, true, false, undefined, [object Object]";
    assertEquals(new Redactor(config).text(text, request), text);
  });
}

Deno.test("text ignores a secret whose toString is not a function", () => {
  const body = '{"token":{"a":{"toString":1,"valueOf":1}}}';
  const text = new Redactor(config).text("it was", { ...REQUEST, body });
  assertEquals(text, "it was");
});

Deno.test("text redacts all of a secret that contains another", () => {
  const request = { ...REQUEST, secrets: ["hush", "hush-hush"] };
  const text = new Redactor(config).text("hush-hush and hush", request);
  assertEquals(text, "[FILTERED] and [FILTERED]");
});

Deno.test("text keeps secrets of less than four characters", () => {
  const request = { ...REQUEST, secrets: ["", "a", "the"] };
  assertEquals(
    new Redactor(config).text("a plain text", request),
    "a plain text",
  );
});

Deno.test("text redacts a secret before it truncates a long text", () => {
  const text = "x".repeat(995) + SECRET;
  const request = { ...REQUEST, secrets: [SECRET] };
  assert(!new Redactor(config).text(text, request).includes("hush"));
});

for (
  const [where, text, line] of [
    ["before its end", `${SECRET}${"x".repeat(2000)}`, /^\[FILTERED\]x{991}…$/],
    [
      "across its end",
      `${"x".repeat(995)}${SECRET}x`,
      /^x{995}\[FILTERED\]…$/,
    ],
    ["one million times", SECRET.repeat(1_000_000), /^\[FILTERED\]…$/],
    [
      "at intervals",
      `${SECRET} ${"x".repeat(500)}${SECRET}`.repeat(10_000),
      /^\[FILTERED\] x{500}\[FILTERED\] x{471}…$/,
    ],
    [
      "encoded, 500,000 times",
      `${"%68ush-hush".repeat(500_000)}`,
      /^\[FILTERED\]$/,
    ],
  ] as const
) {
  Deno.test(`text redacts a secret in a long text ${where}`, () => {
    const request = { ...REQUEST, secrets: [SECRET] };
    assertMatch(new Redactor(config).text(text, request), line);
  });
}

for (const length of [999, 1000, 1001, 5000, 1_000_000]) {
  Deno.test(`text shows no part of a secret of ${length} characters`, () => {
    const secret = Array.from({ length }, (_, i) => `s${i}`).join("-")
      .slice(0, length);
    const request = { ...REQUEST, secrets: [secret] };
    const redactor = new Redactor(config);
    for (const start of [0, 500, 990]) {
      const text = "x".repeat(start) + encodeURI(secret) + " and more";
      const shown = redactor.text(text, request);
      assert(!/s\d/.test(shown), shown);
    }
    assert(redactor.finds(`/to?a=${secret}&b=1`, request));
  });
}

Deno.test("text reads less than 100,000 characters of a text", () => {
  const body = JSON.stringify(
    Array.from({ length: 200 }, (_, i) => ({ key: `secret number ${i}` })),
  );
  const whole = "%20secret number 7 ".repeat(100_000);
  let read = 0;
  const text = Object.assign(Object(whole), {
    slice: (...range: [start?: number, end?: number]) => {
      const part = whole.slice(...range);
      read += part.length;
      return part;
    },
  });
  const shown = new Redactor(config).text(text, { ...REQUEST, body });
  assert(!shown.includes("secret"), shown);
  assert(read > 0 && read < 100_000, `${read}`);
});

Deno.test("text reads a request once", () => {
  let reads = 0;
  const request = {
    ...REQUEST,
    get body() {
      reads++;
      return `code=${SECRET}`;
    },
  };
  const redactor = new Redactor(config);
  for (let i = 0; i < 5; i++) {
    assertEquals(redactor.text(SECRET, request), "[FILTERED]");
  }
  assert(redactor.finds(SECRET, request));
  assertEquals(reads, 1);
});

Deno.test("secretsOf returns each secret once", () => {
  const body = JSON.stringify(Array(5000).fill({ key: SECRET }));
  const secrets = new Redactor(config).secretsOf({ ...REQUEST, body });
  assertEquals(secrets, [SECRET]);
});

Deno.test("secretsOf does not read a string in JSON as a form", () => {
  const body = JSON.stringify({ note: "a&code=hush-hush" });
  assertEquals(new Redactor(config).secretsOf({ ...REQUEST, body }), []);
});

for (
  const [kind, body] of [
    ["bytes of more than 64 KiB", new Uint8Array(64 * 1024 + 1)],
    ["a blob", new Blob([`code=${SECRET}`])],
    ["a stream", new Blob([`code=${SECRET}`]).stream()],
    ["JSON that is null", "null"],
    ["JSON that is a string", '"code=hush-hush"'],
  ] as const
) {
  Deno.test(`secretsOf ignores ${kind}`, () => {
    assertEquals(new Redactor(config).secretsOf({ ...REQUEST, body }), []);
  });
}

for (
  const [kind, body] of [
    ["a form of 300,000 fields", "a=b&".repeat(300_000)],
    [
      "a secret list of 300,000 items",
      JSON.stringify({ token: Array(300_000).fill(1) }),
    ],
    ["a list of 300,000 items", JSON.stringify(Array(300_000).fill(1))],
  ] as const
) {
  Deno.test(`text reads a body that is ${kind}`, () => {
    const request = { ...REQUEST, body };
    assertEquals(new Redactor(config).text("a", request), "a");
  });
}

Deno.test("text reads a body of 100,000 nested lists", () => {
  const body = "[".repeat(100_000) + "]".repeat(100_000);
  assertEquals(new Redactor(config).text("a", { ...REQUEST, body }), "a");
});

Deno.test("text inserts a label with $& unchanged", () => {
  const redactor = new Redactor({ ...config, filteredLabel: "$&" });
  const request = { ...REQUEST, secrets: [SECRET] };
  assertEquals(redactor.text(SECRET, request), "$&");
});

for (const length of [0, 999, 1000, 100_000]) {
  Deno.test(`finds returns true for a secret after ${length} characters, in every encoding`, () => {
    const secret = "segredo um~dois 3";
    const request = { ...REQUEST, secrets: [secret] };
    const redactor = new Redactor(config);
    const before = "x".repeat(length);
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      assert(redactor.finds(before + spell(secret), request), name);
    }
    assert(!redactor.finds(`${before}%20`, request));
    assert(!redactor.finds(`${before}\n`, request));
  });
}

Deno.test("secretsOf returns the secrets of all parts, the longest first", () => {
  const secrets = new Redactor(config).secretsOf({
    url: new URL("https://x.example/?code=of-the-url&state=ok&pin=123"),
    headers: { authorization: "Bearer of-one-header", accept: "text/plain" },
    body: "password=of-the-body&a=1",
    secrets: ["given", "abc"],
  });
  assertEquals(secrets, [
    "Bearer of-one-header",
    "of-one-header",
    "of-the-body",
    "of-the-url",
    "given",
  ]);
});

for (
  const [kind, text, line] of [
    ["CR, LF and tab", "a\r\nb\tc", "a b c"],
    ["Unicode separators and NUL", "a\u2028b\u2029c\u0085d\0", "a b c d "],
    ["an escape sequence", "\x1b[31mred", " [31mred"],
  ] as const
) {
  Deno.test(`oneLine replaces ${kind} by spaces`, () => {
    assertEquals(oneLine(text), line);
  });
}

Deno.test("oneLine keeps other characters", () => {
  assertEquals(oneLine("ação 😀"), "ação 😀");
});

Deno.test("oneLine truncates a text of more than 1000 characters", () => {
  assertEquals(oneLine("x".repeat(1000)).length, 1000);
  assertEquals(oneLine("x".repeat(1_000_000)), "x".repeat(1000) + "…");
});

for (
  const [path, shown] of [
    [
      "/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/getMe",
      "/[FILTERED]/getMe",
    ],
    [
      "/services/T0AB/B0CD/1a2b3c4d5e6f7g8h9i0j1k2l",
      "/services/T0AB/B0CD/[FILTERED]",
    ],
    ["/72f988bf-86f1-41af-91ab-2d7cd011db47/oauth2/v2.0/token", undefined],
    ["/oauth2/aus9o8wzkhckw9TLa0h7/v1/token", undefined],
    ["/realms/tribunal-de-contas-da-uniao/protocol", undefined],
    ["/municipios/3550308/bairros", undefined],
  ] as const
) {
  Deno.test(`text ${shown ? "hides the secret" : "shows the names"} in the path ${path}`, () => {
    const url = new URL(path, "https://x.example");
    const text = new Redactor(config).text(path, { ...REQUEST, url });
    assertEquals(text, shown ?? path);
  });
}
