import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { config } from "../../oauth2/config.ts";
import { oneLine, type Redactable, Redactor } from "../../oauth2/redactor.ts";
import { SPELLINGS } from "./spellings.ts";

const REQUEST: Redactable = {
  url: new URL("https://x.example/"),
  headers: {},
  secrets: [],
};

for (
  const [name, secret] of [
    ["access_token", true],
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
  Deno.test(`isSecret says ${secret} to "${name}"`, () => {
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
  Deno.test(`isSecret says ${secret} to "${name}" where ${key} is configured`, () => {
    const redactor = new Redactor({ ...config, filteredDebugKeys: [key] });
    assertEquals(redactor.isSecret(name), secret);
  });
}

Deno.test("isSecret goes by the configuration at the time the redactor was made", () => {
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
for (const [name, spell] of Object.entries(SPELLINGS)) {
  Deno.test(`text hides a secret that is spelled ${name}`, () => {
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

Deno.test("text hides the segredo um~dois 3 however it is spelled", () => {
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
  Deno.test(`text and finds know ${secret} spelled ${spelled}`, () => {
    const request = { ...REQUEST, secrets: [secret] };
    const redactor = new Redactor(config);
    const text = redactor.text(`it is ${spelled}.`, request);
    assert(!/ush|OKEN/.test(text), text);
    assert(redactor.finds(`/to?a=${spelled}`, request));
  });
}

Deno.test("text leaves a query of many parameters alone", () => {
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
    ["text that is a form with a bare name", { body: `a&code=${SECRET}` }],
    ["text that is a form with blanks", { body: `a=b c&code=${SECRET}` }],
    ["JSON", { body: JSON.stringify({ code: SECRET }) }],
    ["nested JSON", { body: JSON.stringify({ a: [{ code: SECRET }] }) }],
    ["a list of JSON", { body: JSON.stringify([{ code: SECRET }]) }],
    ["a list in JSON", { body: JSON.stringify({ password: ["x", SECRET] }) }],
    ["what a secret name holds", {
      body: JSON.stringify({ password: { old: SECRET } }),
    }],
    ["what a secret name holds deep in it", {
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
  Deno.test(`text hides the secret of ${where}`, () => {
    const text = `it was ${SECRET}.`;
    const redactor = new Redactor(config);
    assertEquals(
      redactor.text(text, { ...REQUEST, ...request }),
      "it was [FILTERED].",
    );
  });
}

for (
  const [what, request] of [
    ["a secret name", { body: '{"code":12345678}' }],
    ["a list of a secret name", { body: '{"code":[{"a":12345678}]}' }],
    ["values that are told to be secret", { secrets: [12345678 as never] }],
  ] as [string, Partial<Redactable>][]
) {
  Deno.test(`text hides the number of ${what}`, () => {
    const redactor = new Redactor(config);
    const text = redactor.text("12345678", { ...REQUEST, ...request });
    assertEquals(text, "[FILTERED]");
  });
}

for (const value of [null, true, false, {}, [], { a: null, b: [true] }]) {
  Deno.test(`text takes no secret from ${JSON.stringify(value)}`, () => {
    const body = JSON.stringify({ token: value });
    const request = { ...REQUEST, body };
    const text = "null, true, false, undefined, [object Object]";
    assertEquals(new Redactor(config).text(text, request), text);
  });
}

Deno.test("text takes a secret that looks like no text for one that is none", () => {
  const body = '{"token":{"a":{"toString":1,"valueOf":1}}}';
  const text = new Redactor(config).text("it was", { ...REQUEST, body });
  assertEquals(text, "it was");
});

Deno.test("text hides the longer of two secrets whole", () => {
  const request = { ...REQUEST, secrets: ["hush", "hush-hush"] };
  const text = new Redactor(config).text("hush-hush and hush", request);
  assertEquals(text, "[FILTERED] and [FILTERED]");
});

Deno.test("text leaves alone what is too short for a secret", () => {
  const request = { ...REQUEST, secrets: ["", "a", "the"] };
  assertEquals(
    new Redactor(config).text("a plain text", request),
    "a plain text",
  );
});

Deno.test("text hides a secret before it cuts a long text off", () => {
  const text = "x".repeat(995) + SECRET;
  const request = { ...REQUEST, secrets: [SECRET] };
  assert(!new Redactor(config).text(text, request).includes("hush"));
});

for (
  const [where, text, line] of [
    ["before the cut", `${SECRET}${"x".repeat(2000)}`, /^\[FILTERED\]x{991}…$/],
    [
      "across the cut",
      `${"x".repeat(995)}${SECRET}x`,
      /^x{995}\[FILTERED\]…$/,
    ],
    ["many times", SECRET.repeat(1_000_000), /^\[FILTERED\]…$/],
    [
      "far apart",
      `${SECRET} ${"x".repeat(500)}${SECRET}`.repeat(10_000),
      /^\[FILTERED\] x{500}\[FILTERED\] x{471}…$/,
    ],
    [
      "spelled in many ways",
      `${"%68ush-hush".repeat(500_000)}`,
      /^\[FILTERED\]$/,
    ],
  ] as const
) {
  Deno.test(`text hides a secret of a long text ${where}`, () => {
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

Deno.test("text looks at a bounded part of a text, however long", () => {
  const body = JSON.stringify(
    Array.from({ length: 200 }, (_, i) => ({ key: `secret number ${i}` })),
  );
  const request = { ...REQUEST, body };
  const text = "%20secret number 7 ".repeat(100_000);
  const { replaceAll } = String.prototype;
  let longest = 0;
  String.prototype.replaceAll = function (
    this: string,
    ...args: [string, never]
  ) {
    longest = Math.max(longest, this.length);
    return replaceAll.apply(this, args);
  } as typeof replaceAll;
  try {
    const shown = new Redactor(config).text(text, request);
    assert(!shown.includes("secret"), shown);
  } finally {
    String.prototype.replaceAll = replaceAll;
  }
  assert(longest < 100_000, `${longest}`);
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

Deno.test("secretsOf lists each secret once", () => {
  const body = JSON.stringify(Array(5000).fill({ key: SECRET }));
  const secrets = new Redactor(config).secretsOf({ ...REQUEST, body });
  assertEquals(secrets, [SECRET]);
});

Deno.test("secretsOf takes no form from JSON", () => {
  const body = JSON.stringify({ note: "a&code=hush-hush" });
  assertEquals(new Redactor(config).secretsOf({ ...REQUEST, body }), []);
});

for (
  const [what, body] of [
    ["bytes of more than 64 KiB", new Uint8Array(64 * 1024 + 1)],
    ["a blob", new Blob([`code=${SECRET}`])],
    ["a stream", new Blob([`code=${SECRET}`]).stream()],
    ["JSON that is null", "null"],
    ["JSON that is a text", '"code=hush-hush"'],
  ] as const
) {
  Deno.test(`secretsOf takes no secret from ${what}`, () => {
    assertEquals(new Redactor(config).secretsOf({ ...REQUEST, body }), []);
  });
}

for (
  const [what, body] of [
    ["a form of 300,000 fields", "a=b&".repeat(300_000)],
    [
      "a secret list of 300,000 items",
      JSON.stringify({ token: Array(300_000).fill(1) }),
    ],
    ["a list of 300,000 items", JSON.stringify(Array(300_000).fill(1))],
  ] as const
) {
  Deno.test(`text survives a body that is ${what}`, () => {
    const request = { ...REQUEST, body };
    assertEquals(new Redactor(config).text("a", request), "a");
  });
}

Deno.test("text survives a body of 100,000 nested lists", () => {
  const body = "[".repeat(100_000) + "]".repeat(100_000);
  assertEquals(new Redactor(config).text("a", { ...REQUEST, body }), "a");
});

Deno.test("text does not read a label as a pattern", () => {
  const redactor = new Redactor({ ...config, filteredLabel: "$&" });
  const request = { ...REQUEST, secrets: [SECRET] };
  assertEquals(redactor.text(SECRET, request), "$&");
});

for (const length of [0, 999, 1000, 100_000]) {
  Deno.test(`finds a secret after ${length} characters, spelled in any way`, () => {
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

Deno.test("secretsOf lists the secrets of every part, the longest first", () => {
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
  const [text, line] of [
    ["a\r\nb\tc", "a b c"],
    ["a\u2028b\u2029c\u0085d\0", "a b c d "],
    ["\x1b[31mred", " [31mred"],
    ["ação 😀", "ação 😀"],
  ] as const
) {
  Deno.test(`oneLine makes ${JSON.stringify(line)}`, () => {
    assertEquals(oneLine(text), line);
  });
}

Deno.test("oneLine cuts off what is long", () => {
  assertEquals(oneLine("x".repeat(1000)).length, 1000);
  assertEquals(oneLine("x".repeat(1_000_000)), "x".repeat(1000) + "…");
});
