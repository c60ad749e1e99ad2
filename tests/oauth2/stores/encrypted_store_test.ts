/** Encryption of stored values. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { toBase64 } from "../../../oauth2/core/base64.ts";
import { EncryptedStore, MemoryStore } from "../../../oauth2/stores/mod.ts";
import { print } from "../_print.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const HEX = Array.from(KEY, (byte) => byte.toString(16).padStart(2, "0")).join(
  "",
);
const OTHER_KEY = KEY.map((byte) => byte + 1);

/** Store with one encrypted value. */
async function encrypted() {
  const inner = new MemoryStore();
  const store = new EncryptedStore(inner, KEY);
  await store.set("ana", "secret");
  return { inner, store, value: (await inner.get("ana"))! };
}

Deno.test("EncryptedStore accepts a key as text, as seal does", async () => {
  const { inner } = await encrypted();
  for (const key of [toBase64(KEY) + "\n", HEX]) {
    assertEquals(await new EncryptedStore(inner, key).get("ana"), "secret");
  }
});

Deno.test("EncryptedStore keeps a byte order mark", async () => {
  const { store } = await encrypted();
  await store.set("ana", "\ufeffsecret");
  assertEquals(await store.get("ana"), "\ufeffsecret");
});

Deno.test("EncryptedStore stores no secret, and no value twice alike", async () => {
  const { inner, store, value } = await encrypted();
  assert(/^[\w-]+$/.test(value), value);
  await store.set("ana", "secret");
  assert(await inner.get("ana") !== value);
});

Deno.test("EncryptedStore decrypts by old keys, and encrypts by the first", async () => {
  const { inner } = await encrypted();
  const store = new EncryptedStore(inner, [OTHER_KEY, KEY]);
  assertEquals(await store.get("ana"), "secret");
  assert(await store.compareAndSwap!("ana", "secret", "new"));
  assertEquals(await new EncryptedStore(inner, OTHER_KEY).get("ana"), "new");
  await assertRejects(() => new EncryptedStore(inner, KEY).get("ana"));
});

/** Changes of a value; those of each character are tested with `unseal`. */
const CHANGES: Readonly<Record<string, (value: string) => string>> = {
  "text": () => "secret",
  "nothing": () => "",
  "another byte": (value) =>
    value.replace(
      /^(.{20})./,
      (text, start) => start + (text[20] === "A" ? "B" : "A"),
    ),
  "a value that ends": (value) => value.slice(0, 10),
  "a huge value": () => "AQ" + "A".repeat(1e6),
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`EncryptedStore refuses ${name}`, async () => {
    const { inner, store, value } = await encrypted();
    assert(change(value) !== value);
    await inner.set("ana", change(value));
    await assertRejects(() => store.get("ana"), Error, "Cannot decrypt");
    await assertRejects(() => store.compareAndSwap!("ana", "secret", "new"));
  });
}

Deno.test("EncryptedStore refuses a value that was moved to another key", async () => {
  const { inner, store, value } = await encrypted();
  await inner.set("eva", value);
  await assertRejects(() => store.get("eva"), Error, "Cannot decrypt");
});

Deno.test("EncryptedStore has the operations of the other store", async () => {
  const { inner } = await encrypted();
  const get = (key: string) => inner.get(key);
  const set = (key: string, value: string | undefined) => inner.set(key, value);
  const plain = new EncryptedStore({ get, set }, KEY);
  assertEquals([plain.compareAndSwap, plain.lock], [undefined, undefined]);
  assertEquals(await plain.get("ana"), "secret");
  const locked = new EncryptedStore({ get, set, lock: (_, run) => run() }, KEY);
  assertEquals(await locked.lock!("ana", () => Promise.resolve(7)), 7);
});

const BAD_KEYS = {
  "no key": [],
  "a passphrase": "correct horse battery staple",
};

for (const [name, key] of Object.entries(BAD_KEYS)) {
  Deno.test(`EncryptedStore refuses ${name}`, () => {
    const error = assertThrows(
      () => new EncryptedStore(new MemoryStore(), key),
      TypeError,
    ) as TypeError;
    assert(!error.message.includes("horse"));
  });
}

Deno.test("EncryptedStore shows no key", () => {
  const store = new EncryptedStore(new MemoryStore(), toBase64(KEY));
  assertEquals(JSON.stringify(store), "{}");
  assert(!print(store).includes(toBase64(KEY).slice(0, 8)));
});
