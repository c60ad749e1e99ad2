/** Behaviour of every store. */
import { assert, assertEquals } from "@std/assert";
import type { TokenStore } from "../../../oauth2/stores/mod.ts";

/** Store of a test. */
export interface Opened {
  readonly store: TokenStore;
  readonly close?: () => unknown;
}

/** Keys that a store must keep apart, and values that it must return. */
const KEYS = [
  "ana",
  "Ana",
  "ana ",
  "",
  "../../etc/passwd",
  "a:b*[c]?",
  "\u00e3\u0301 💍",
  "x".repeat(1000),
  "__proto__",
  "%'\"; DROP TABLE oauth2_tokens; --",
];
const VALUES = ["1", '{"a":"\u00e3 💍"}', "x".repeat(20_000), "\n\r\t '\"", ""];

/** Checks by behaviour. */
export const CONTRACT: Readonly<
  Record<string, (store: TokenStore) => Promise<void>>
> = {
  "returns nothing for an unknown key": async (store) => {
    for (const key of KEYS) assertEquals(await store.get(key), undefined);
  },

  "keeps keys apart and values unchanged": async (store) => {
    for (const [i, key] of KEYS.entries()) await store.set(key, `${i}`);
    for (const [i, key] of KEYS.entries()) {
      assertEquals(await store.get(key), `${i}`, key);
    }
    for (const value of VALUES) {
      await store.set("ana", value);
      assertEquals(await store.get("ana"), value);
    }
  },

  "deletes a value": async (store) => {
    await store.set("ana", undefined);
    await store.set("ana", "1");
    await store.set("ana", undefined);
    assertEquals(await store.get("ana"), undefined);
    await store.set("ana", "2");
    assertEquals(await store.get("ana"), "2");
  },

  "swaps the expected value only": async (store) => {
    const swap = store.compareAndSwap!.bind(store);
    const steps = [
      ["0", "1", false],
      [undefined, undefined, true],
      [undefined, "1", true],
      [undefined, "2", false],
      ["0", "2", false],
      ["0", undefined, false],
      ["1", "2", true],
      ["2", "2", true],
      ["1", "3", false],
      [undefined, undefined, false],
      ["2", undefined, true],
      ["2", "3", false],
      [undefined, "3", true],
    ] as const;
    let value: string | undefined;
    for (const [expected, next, isSwapped] of steps) {
      assertEquals(await swap("ana", expected, next), isSwapped);
      if (isSwapped) value = next;
      assertEquals(await store.get("ana"), value);
    }
  },

  "lets one of several concurrent swaps win": async (store) => {
    for (const expected of [undefined, "0", "1"]) {
      const next = expected === undefined ? "0" : "1";
      if (expected !== undefined) await store.set("ana", expected);
      const swaps = Array.from(
        { length: 8 },
        (_, i) => store.compareAndSwap!("ana", expected, `${next} by ${i}`),
      );
      const won = (await Promise.all(swaps)).flatMap((isSwapped, i) =>
        isSwapped ? [i] : []
      );
      assertEquals(won.length, 1);
      assertEquals(await store.get("ana"), `${next} by ${won[0]}`);
    }
  },

  "counts every increment of concurrent writers": async (store) => {
    const increment = async () => {
      for (;;) {
        const value = await store.get("ana");
        const next = `${Number(value ?? 0) + 1}`;
        if (await store.compareAndSwap!("ana", value, next)) return;
      }
    };
    const writers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 5; i++) await increment();
    });
    await Promise.all(writers);
    assertEquals(await store.get("ana"), "20");
  },
};

/** Defines the tests of a store. */
export function testStore(
  name: string,
  open: () => Opened | Promise<Opened>,
  define: (name: string, fn: () => Promise<void>) => void = Deno.test,
): void {
  for (const [behaviour, check] of Object.entries(CONTRACT)) {
    define(`${name} ${behaviour}`, async () => {
      const { store, close } = await open();
      try {
        await check(store);
      } finally {
        await close?.();
      }
    });
  }
}

/** Defines the tests of a store with an expiry of a minute. */
export function testExpiry(
  name: string,
  open: () => Opened & {
    /** Lets time pass. */
    readonly pass: (seconds: number) => unknown;
    /** Opens the store as another process, which deletes what is too old. */
    readonly reopen?: () => TokenStore;
    /** Counts the values, also those that are too old. */
    readonly count: () => number | Promise<number>;
  },
): void {
  Deno.test(`${name} deletes a value that has not changed for its ttl`, async () => {
    const { store, pass, reopen = () => store, count, close } = open();
    const swap = store.compareAndSwap!.bind(store);
    try {
      await store.set("ana", "1");
      await pass(40);
      assert(await swap("ana", "1", "2"));
      await pass(40);
      assertEquals(await store.get("ana"), "2");
      await store.set("ana", "3");
      await pass(40);
      assertEquals(await store.get("ana"), "3");
      await pass(40);
      assertEquals(await store.get("ana"), undefined);
      assert(!await swap("ana", "3", "4"));
      assert(await swap("ana", undefined, "5"));
      assertEquals(await store.get("ana"), "5");
      await pass(4000);
      await reopen().set("eva", "1");
      assertEquals(await count(), 1);
    } finally {
      await close?.();
    }
  });
}
