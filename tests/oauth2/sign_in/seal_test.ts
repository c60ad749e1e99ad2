import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import { AccessToken, Client } from "../../../oauth2/mod.ts";
import { seal, type SealKey, unseal } from "../../../oauth2/sign_in/mod.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const OTHER = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const BASE64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const NAME = { name: "login" };

/** Returns a value as it is after unsealing: without undefined members. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  // JSON has no -0.
  if (typeof value === "number") return value + 0;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, withoutUndefined(item)]),
  );
}

Deno.test("unseal returns an equal value for any value that seal accepts", async () => {
  let sealed = 0;
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  });
  const loneSurrogates = fc.array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => String.fromCharCode(...units));
  const value = fc.oneof(
    anything,
    loneSurrogates,
    fc.dictionary(loneSurrogates, fc.oneof(anything, loneSurrogates)),
    fc.string({ maxLength: 6000, size: "max" }),
  );
  await fc.assert(
    fc.asyncProperty(value, async (value) => {
      let text: string;
      try {
        text = await seal(value, KEY, NAME);
      } catch (error) {
        assertInstanceOf(error, TypeError);
        const { message } = error as TypeError;
        assert(message.startsWith("Cannot seal the value: "));
        return;
      }
      sealed++;
      assert(/^[\w-]{1,4000}$/.test(text));
      assertEquals(await unseal(text, KEY, NAME), withoutUndefined(value));
    }),
    { numRuns: 1000 },
  );
  assert(sealed > 100, `${sealed} of 1000 values were sealed`);
});

const client = new Client("abc", "hush-hush", {
  site: "https://provider.example",
});
const cycle: Record<string, unknown> = {};
cycle.self = cycle;

for (
  const [title, value, message] of [
    ["undefined", undefined, "the value is undefined"],
    ["a function", () => {}, "the value is function"],
    ["a symbol", Symbol("a"), "the value is symbol"],
    ["a bigint", 1n, "the value is bigint"],
    ["NaN", { a: NaN }, "the value.a is NaN"],
    ["Infinity", [Infinity], "the value[0] is Infinity"],
    ["undefined in a list", { a: [1, undefined] }, "the value.a[1] is undefi"],
    ["a hole in a list", [, 1], "the value[0] is undefined"],
    ["a method", { a() {} }, "the value.a is function"],
    [
      "a Date",
      { born: new Date(0) },
      "the value.born is an instance of Date; seal text",
    ],
    [
      "a URL",
      new URL("https://a.example"),
      "the value is an instance of URL; seal text",
    ],
    [
      "a Map",
      new Map([[1, 2]]),
      "the value is an instance of Map, not plain data",
    ],
    [
      "a Set",
      { a: new Set([1]) },
      "the value.a is an instance of Set, not plain data",
    ],
    [
      "bytes",
      { a: new Uint8Array(2) },
      "the value.a is an instance of Uint8Array",
    ],
    [
      "an Error",
      new Error("a"),
      "the value is an instance of Error, not plain data",
    ],
    [
      "a boxed text",
      Object("a"),
      "the value is an instance of String, not plain data",
    ],
    ["a cycle", cycle, "has more than 1000 levels"],
    ["a symbol as a name", { [Symbol("a")]: 1 }, "has a symbol as a name"],
    ["a client", { client }, "the value.client is an object whose JSON is"],
    ["a token", new AccessToken(client, "monkey"), "seal its toHash()"],
  ] as const
) {
  Deno.test(`seal refuses ${title}`, async () => {
    const error = await assertRejects(
      () => seal(value, KEY, NAME),
      TypeError,
      message,
    );
    assert(!error.message.includes("monkey"));
  });
}

Deno.test("seal accepts a toJSON that returns plain data", async () => {
  const user = { toJSON: () => ({ sub: "ana" }) };
  const text = await seal({ user }, KEY, NAME);
  assertEquals(await unseal(text, KEY, NAME), { user: { sub: "ana" } });
});

Deno.test("seal accepts a value of 4000 bytes with its name, and refuses one of more", async () => {
  let length = 3000;
  let text = "";
  for (;; length--) {
    const sealed = await seal("a".repeat(length), KEY, NAME).catch(() => "");
    if (sealed === "") continue;
    text = sealed;
    break;
  }
  const size = `login=${text}`.length;
  assert(size > 3990 && size <= 4000, `${size} bytes`);
  assertEquals(await unseal(text, KEY, NAME), "a".repeat(length));
  await assertRejects(
    () => seal("a".repeat(length + 3), KEY, NAME),
    TypeError,
    "browsers drop those above 4000; keep the value in a store",
  );
});

Deno.test("a value that is sealed for less than a second can be unsealed", async () => {
  const options = { ...NAME, clock: () => 400 };
  const text = await seal("a", KEY, { ...options, maxAge: 0.1 });
  assertEquals(await unseal(text, KEY, options), "a");
});

Deno.test("seal and unseal rotate to a new key with an old one that only decrypts", async () => {
  const importKey = (key: Uint8Array<ArrayBuffer>, ...usages: KeyUsage[]) =>
    crypto.subtle.importKey("raw", key, "AES-GCM", false, usages);
  const old = await seal("a", OTHER, NAME);
  const keys = [
    await importKey(KEY, "encrypt", "decrypt"),
    await importKey(OTHER, "decrypt"),
  ];
  assertEquals(await unseal(old, keys, NAME), "a");
  const fresh = await seal("b", keys, NAME);
  assertEquals(await unseal(fresh, KEY, NAME), "b");
  assertEquals(await unseal(fresh, OTHER, NAME), undefined);
  for (
    const [call, usage] of [
      [() => seal("a", [keys[1]!, keys[0]!], NAME), "encrypt"],
      [async () => unseal("AQ", await importKey(KEY, "encrypt"), NAME), "decr"],
    ] as const
  ) {
    await assertRejects(call, TypeError, `its usages must include "${usage}`);
  }
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
    ["an empty name", 1, { name: "" }],
    ["no name", 1, {}],
    ["a maxAge of 0", 1, { ...NAME, maxAge: 0 }],
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
