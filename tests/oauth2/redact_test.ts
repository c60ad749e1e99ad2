import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { oneLine, type Redactable, Redactor } from "../../oauth2/redact.ts";
import { SPELLINGS } from "./spellings.ts";

const REQUEST: Redactable = {
  url: new URL("https://x.example/"),
  headers: new Headers(),
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
    ["subject_token_type", false],
    ["token_endpoint", false],
    ["code_challenge", false],
    ["grant_type", false],
    ["scope", false],
    ["state", false],
    ["tokens_used", false],
    ["", false],
  ] as const
) {
  Deno.test(`isSecret says ${secret} to "${name}"`, () => {
    assertEquals(new Redactor().isSecret(name), secret);
  });
}

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
        const text = new Redactor().text(`it is "${spelled}".`, request);
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
    const text = new Redactor().text(`auth=${spelled}&a=1`, request);
    assert(!/segredo|dois/.test(text), text);
  }
});

const SECRET = "hush-hush";
for (
  const [where, request] of [
    ["a parameter", { url: new URL(`https://x.example/?password=${SECRET}`) }],
    ["a header", { headers: new Headers({ "x-api-key": SECRET }) }],
    ["credentials", {
      headers: new Headers({ authorization: `Bearer  ${SECRET}` }),
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
    const redactor = new Redactor();
    assertEquals(
      redactor.text(text, { ...REQUEST, ...request }),
      "it was [FILTERED].",
    );
  });
}

Deno.test("text hides numbers of secret names", () => {
  const body = '{"code":12345678}';
  const request = { ...REQUEST, body };
  assertEquals(new Redactor().text("12345678", request), "[FILTERED]");
});

Deno.test("text hides the longer of two secrets whole", () => {
  const request = { ...REQUEST, secrets: ["hush", "hush-hush"] };
  const text = new Redactor().text("hush-hush and hush", request);
  assertEquals(text, "[FILTERED] and [FILTERED]");
});

Deno.test("text leaves alone what is too short for a secret", () => {
  const request = { ...REQUEST, secrets: ["", "a", "the"] };
  assertEquals(new Redactor().text("a plain text", request), "a plain text");
});

Deno.test("text hides a secret before it cuts a long text off", () => {
  const text = "x".repeat(995) + SECRET;
  const request = { ...REQUEST, secrets: [SECRET] };
  assert(!new Redactor().text(text, request).includes("hush"));
});

Deno.test("text survives a body of 100,000 nested lists", () => {
  const body = "[".repeat(100_000) + "]".repeat(100_000);
  assertEquals(new Redactor().text("a", { ...REQUEST, body }), "a");
});

Deno.test("text does not read a label as a pattern", () => {
  const redactor = Object.assign(new Redactor(), { label: "$&" });
  const request = { ...REQUEST, secrets: [SECRET] };
  assertEquals(redactor.text(SECRET, request), "$&");
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
