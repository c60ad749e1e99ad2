import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { seal, type SealKey, unseal } from "../../../oauth2/sign_in/mod.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const OTHER = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const BASE64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const NAME = { name: "login" };

Deno.test("seal and unseal return any JSON value", async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), async (value) => {
    const text = await seal(value, KEY, NAME);
    assert(/^[\w-]+$/.test(text));
    const json = JSON.stringify(value);
    assertEquals(JSON.stringify(await unseal(text, KEY, NAME)), json);
  }));
});

for (
  const [title, key] of [
    ["bytes", KEY],
    ["hex", HEX],
    ["hex in upper case", HEX.toUpperCase()],
    ["base64", BASE64],
    ["base64url without padding", BASE64.replace("=", "")],
    [
      "a CryptoKey",
      await crypto.subtle.importKey("raw", KEY, "AES-GCM", false, [
        "encrypt",
        "decrypt",
      ]),
    ],
  ] as const
) {
  Deno.test(`unseal accepts the key as ${title}`, async () => {
    const text = await seal("a", KEY, NAME);
    assertEquals(await unseal(text, key, NAME), "a");
    assertEquals(await unseal(await seal("b", key, NAME), KEY, NAME), "b");
  });
}

const SHORT_KEY = await crypto.subtle.generateKey(
  { name: "AES-GCM", length: 128 },
  false,
  ["encrypt", "decrypt"],
);
const CBC_KEY = await crypto.subtle.generateKey(
  { name: "AES-CBC", length: 256 },
  false,
  ["encrypt", "decrypt"],
);

for (
  const [title, key] of [
    ["a passphrase", "correct horse battery staple"],
    ["empty text", ""],
    ["31 bytes", KEY.subarray(1)],
    ["33 bytes", Uint8Array.of(...KEY, 1)],
    ["hex of 31 bytes", HEX.slice(2)],
    ["no keys", []],
    ["undefined", undefined],
    ["a number", 7],
    ["a valid key and a passphrase", [KEY, "passphrase"]],
    ["a key of AES-128", SHORT_KEY],
    ["a key of AES-CBC", CBC_KEY],
  ] as const
) {
  Deno.test(`seal and unseal refuse ${title} as key`, async () => {
    const bad = key as unknown as SealKey;
    for (const call of [seal("a", bad, NAME), unseal("AQ", bad, NAME)]) {
      const error = await assertRejects(() => call, TypeError, "Cannot use");
      assert(!error.message.includes("passphrase"));
    }
  });
}

Deno.test("seal uses another IV each time", async () => {
  const texts = await Promise.all(
    Array.from({ length: 100 }, () => seal("a", KEY, NAME)),
  );
  assertEquals(new Set(texts).size, 100);
  assertEquals(new Set(texts.map((text) => text.slice(2, 16))).size, 100);
});

Deno.test("unseal returns undefined for another name", async () => {
  const text = await seal("a", KEY, NAME);
  assertEquals(await unseal(text, KEY, { name: "user" }), undefined);
});

Deno.test("unseal returns undefined after maxAge", async () => {
  const text = await seal("a", KEY, { ...NAME, maxAge: 60, clock: () => 0 });
  const at = (ms: number) => unseal(text, KEY, { ...NAME, clock: () => ms });
  assertEquals(await at(59_999), "a");
  assertEquals(await at(60_000), undefined);
});

Deno.test("unseal tries all keys, and seal uses the first", async () => {
  const old = await seal("a", OTHER, NAME);
  assertEquals(await unseal(old, [KEY, OTHER], NAME), "a");
  assertEquals(await unseal(old, KEY, NAME), undefined);
  const fresh = await seal("b", [KEY, OTHER], NAME);
  assertEquals(await unseal(fresh, KEY, NAME), "b");
});

Deno.test("unseal returns undefined if any character was changed or removed", async () => {
  const text = await seal({ a: 1 }, KEY, NAME);
  for (let i = 0; i < text.length; i++) {
    const other = text[i] === "A" ? "B" : "A";
    const changed = text.slice(0, i) + other + text.slice(i + 1);
    assertEquals(await unseal(changed, KEY, NAME), undefined, `${i}`);
    assertEquals(await unseal(text.slice(0, i), KEY, NAME), undefined);
    assertEquals(await unseal(text + text[i], KEY, NAME), undefined);
  }
});

Deno.test("unseal returns undefined for another encoding of the same bytes", async () => {
  const alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // Values of each length, so that every number of unused bits occurs.
  for (const value of ["a", "ab", "abc"]) {
    const text = await seal(value, KEY, {
      ...NAME,
      random: (b) => b.fill(251),
    });
    const others = [...alphabet].map((char) => text.slice(0, -1) + char);
    const padding = "=".repeat((4 - text.length % 4) % 4);
    others.push(text + padding, `${text}=`, `${text}\n`);
    others.push(text.replaceAll("-", "+"), text.replaceAll("_", "/"));
    for (const other of others.filter((other) => other !== text)) {
      assertEquals(await unseal(other, KEY, NAME), undefined, other);
    }
    assert(/[-_]/.test(text), text);
  }
});

Deno.test("unseal returns undefined for any other text", async () => {
  const text = fc.oneof(
    fc.string(),
    fc.base64String().map((text) => `A${text}`),
    fc.constantFrom(null, undefined, "", "AQ", "A".repeat(100_000)),
  );
  await fc.assert(fc.asyncProperty(text, async (text) => {
    assertEquals(await unseal(text, KEY, NAME), undefined);
  }));
});

Deno.test("unseal reads the cookie of a request", async () => {
  const text = await seal("a", KEY, NAME);
  for (
    const cookie of [
      `login=${text}`,
      `a=b; login=${text}; c=d`,
      `login=forged; login=${text}`,
      `xlogin=forged;login=${text}`,
    ]
  ) {
    const request = new Request("https://app.example", { headers: { cookie } });
    assertEquals(await unseal(request, KEY, NAME), "a", cookie);
  }
});

Deno.test("unseal returns the first valid cookie of several", async () => {
  const [one, two] = [
    await seal("one", KEY, NAME),
    await seal("two", KEY, NAME),
  ];
  const headers = { cookie: `login=${one}; login=${two}` };
  const request = new Request("https://app.example", { headers });
  assertEquals(await unseal(request, KEY, NAME), "one");
});

for (const request of [{}, { headers: { cookie: "login=a" } }, 7, true]) {
  Deno.test(`unseal refuses ${JSON.stringify(request)}`, async () => {
    await assertRejects(
      () => unseal(request as unknown as Request, KEY, NAME),
      TypeError,
      "unseal needs text",
    );
  });
}

for (const cookie of ["", "login", "login=", "Login=x", "xlogin=TEXT"]) {
  Deno.test(`unseal returns undefined for the cookies "${cookie}"`, async () => {
    const value = cookie.replace("TEXT", await seal("a", KEY, NAME));
    const request = new Request("https://app.example", {
      headers: { cookie: value },
    });
    assertEquals(await unseal(request, KEY, NAME), undefined);
  });
}

for (
  const [title, value, options] of [
    ["a value without JSON", undefined, NAME],
    ["an empty name", 1, { name: "" }],
    ["no name", 1, {}],
    ["a negative maxAge", 1, { ...NAME, maxAge: -1 }],
    ["a maxAge that is not finite", 1, { ...NAME, maxAge: Infinity }],
    ["a maxAge of more than 300 years", 1, { ...NAME, maxAge: 1e21 }],
    ["a maxAge that is text", 1, { ...NAME, maxAge: "60" }],
  ] as const
) {
  Deno.test(`seal refuses ${title}`, async () => {
    await assertRejects(
      () => seal(value, KEY, options as unknown as { name: string }),
      TypeError,
      "Cannot",
    );
  });
}
