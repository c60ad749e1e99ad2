/**
 * Behaviour of every store: in a folder, in memory or on a server, with or
 * without a snapshot.
 */
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertObjectMatch,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import { existsSync } from "node:fs";
import {
  DatabaseError,
  type Staging,
  type Store,
} from "../../../cep/store/mod.ts";
import { cepsIn, cepsOf, contentOf, OpenedStore } from "../_stores.ts";
import { testStore } from "./_every_store.ts";
import { addPlaces, entries, entry, FACTS, fill, publish } from "./_release.ts";

testStore("Store finds nothing before the first import", async (store) => {
  assertEquals(await store.release(), undefined);
  assertEquals(await store.find("01310100"), undefined);
  assertEquals(await store.findJson("01310100"), undefined);
  assertEquals(await cepsOf(store), []);
  for (const prefix of ["", "0", "01310", "01310100"]) {
    assertEquals(await store.list(prefix, 100), { total: 0, data: [] });
  }
});

testStore(
  "Store finds nothing in a release without records",
  async (store) => {
    await fill(store, []);
    const release = await store.release();
    assertEquals(release?.totalCeps, 0);
    assertEquals(release?.totalByState, {});
    assertEquals(release?.totalByFile, {});
    assertEquals(await store.find("01310100"), undefined);
    assertEquals(await store.list("", 100), { total: 0, data: [] });
    assertEquals(await cepsOf(store), []);
  },
);

testStore(
  "Store.findJson returns the source and the release of a record",
  async (store, options) => {
    await fill(store, entries("01310100"));
    const rendered = await store.findJson("01310100");
    assertEquals(rendered?.fromMemory, options.snapshot ?? true);
    assertEquals(rendered?.release, await store.release());
    assertEquals(
      JSON.parse(rendered!.json),
      await store.find("01310100"),
    );
  },
);

testStore("Store.find returns any text of a record", async (store) => {
  const name = "Banco d'Água; DROP TABLE cep";
  const street = 'Praça "Três", s/n \\ %_';
  await fill(store, [
    entry("12905900", { name, street, typeInName: false }),
    entry("12905901", { locality: 77, neighbourhood: 78 }), // unknown places
  ]);
  assertObjectMatch((await store.find("12905900"))!, {
    nome: name,
    logradouro: street,
    cidade: "Vila Grande",
  });
  assertObjectMatch((await store.find("12905901"))!, {
    logradouro: "Rua das Flores 12905901",
    bairro: "",
    cidade: "",
    codigo_ibge: "",
  });
});

testStore(
  "Store.find returns its record to each of thousands of concurrent calls",
  async (store) => {
    const all = Array.from({ length: 3000 }, (_, i) => String(10_000_000 + i));
    await fill(store, entries(...all.filter((_, i) => i % 2 === 0)));
    const found = await Promise.all(all.map((cep) => store.find(cep)));
    assertEquals(
      found.map((address) => address?.cep),
      all.map((cep, i) => i % 2 === 0 ? cep : undefined),
    );
  },
);

/** CEPs at every limit of a prefix, and many with the same prefix. */
const LISTED = [
  ...["00000000", "00000009", "00000999", "00001000", "00999999", "09999999"],
  ...["10000000", "19999999", "90000000", "99999000", "99999999"],
  ...Array.from({ length: 150 }, (_, i) => String(13_100_000 + i)),
  ...Array.from({ length: 150 }, (_, i) => String(20_000_000 + i * 54_321)),
].map((cep) => cep.padStart(8, "0")).sort();

async function openListed(): Promise<OpenedStore> {
  const opened = await OpenedStore.inMemory();
  // Not in order of CEP, and from several states with the same five digits.
  const all = LISTED.toReversed().map((cep, i) =>
    entry(cep, { uf: ["SP", "RJ", "AC"][i % 3]! })
  );
  const staging = await opened.store.stage("test");
  await staging.addEntries(all.slice(0, 100));
  await staging.addEntries([]);
  await staging.addEntries(all.slice(100));
  await publish(staging, all);
  return opened;
}

async function checkList(
  store: Store,
  prefix: string,
  limit: number,
): Promise<void> {
  const expected = LISTED.filter((cep) => cep.startsWith(prefix));
  const { total, data } = await store.list(prefix, limit);
  assertEquals(total, expected.length, `total of ${prefix}`);
  assertEquals(cepsIn(data), expected.slice(0, limit));
}

// deno-fmt-ignore
const PREFIXES = [
  "", "1", "13", "131", "1310", "13100", "131000", "1310004", "13100042",
  "0", "00000", "000009", "9", "99999", "99999999", "5", "55555555",
];

Deno.test("Store.list counts and sorts the records of a prefix", async (t) => {
  await using opened = await openListed();
  for (const prefix of PREFIXES) {
    await t.step(`"${prefix}"`, () => checkList(opened.store, prefix, 100));
  }
});

Deno.test("Store.list agrees with Store.scan for any prefix", async () => {
  await using opened = await openListed();
  assertEquals(await cepsOf(opened.store), LISTED);
  const known = fc.tuple(
    fc.constantFrom(...LISTED),
    fc.integer({ min: 0, max: 8 }),
  ).map(([cep, length]) => cep.slice(0, length));
  const prefixes = fc.oneof(known, fc.stringMatching(/^[0-9]{0,8}$/));
  const limits = fc.integer({ min: 0, max: 100 });
  await fc.assert(
    fc.asyncProperty(
      prefixes,
      limits,
      (prefix, limit) => checkList(opened.store, prefix, limit),
    ),
    { numRuns: 200 },
  );
});

// A scan reads 1000 records per query.
for (const count of [1, 999, 1000, 1001, 2500]) {
  Deno.test(`Store.scan returns ${count} records in order of CEP`, async () => {
    await using opened = await OpenedStore.inMemory();
    const codes = Array.from(
      { length: count },
      (_, i) => String(i * 39_999).padStart(8, "0"),
    );
    await fill(opened.store, entries(...codes.toReversed()));
    assertEquals(await cepsOf(opened.store), codes);
  });
}

Deno.test("Store.scan can be ended early", async () => {
  await using opened = await openListed();
  for await (const [first] of opened.store.scan()) {
    assertEquals(first?.cep, "00000000");
    break;
  }
});

testStore(
  "Store.scan reads one release during an import",
  async (store) => {
    const codes = Array.from(
      { length: 1500 },
      (_, i) => String(10_000_000 + i),
    );
    await fill(store, entries(...codes));
    const pages = store.scan()[Symbol.asyncIterator]();
    const first = await pages.next();
    await fill(store, entries("01310100"));
    const second = await pages.next();
    assertEquals(cepsIn([...first.value, ...second.value]), codes);
    assertEquals((await pages.next()).done, true);
    assertEquals(await cepsOf(store), ["01310100"]);
  },
);

Deno.test("Store.release returns version, time and totals", async () => {
  await using opened = await openListed();
  const { id, ...rest } = (await opened.store.release())!;
  assert(Number.isInteger(id) && id >= 0 && id < 2 ** 32);
  const third = LISTED.length / 3;
  assertEquals(rest, {
    ...FACTS,
    totalCeps: LISTED.length,
    totalByState: {
      AC: Math.floor(third),
      RJ: Math.round(third),
      SP: Math.ceil(third),
    },
    totalByFile: { "LOG_LOGRADOURO_SP.TXT": LISTED.length },
    totalCensus: 0,
  });
});

testStore(
  "Store.release returns another id after an import of the same entries",
  async (store) => {
    await fill(store, entries("01310100"));
    const first = await store.release();
    await fill(store, entries("01310100"));
    const second = await store.release();
    assertNotEquals(first?.id, second?.id);
    assertEquals({ ...first, id: 0 }, { ...second, id: 0 });
  },
);

testStore(
  "Staging.publish replaces the data immediately",
  async (store) => {
    await fill(store, entries("01310100", "11111111"));
    const before = await contentOf(store);
    const staging = await store.stage("test");
    assertEquals(staging.present, before.release);
    await addPlaces(staging);
    await staging.addEntries(entries("01310200"));
    assertEquals(await contentOf(store), before);
    await publish(staging, entries("01310200"));
    assertEquals(await cepsOf(store), ["01310200"]);
    assertEquals(await store.find("01310100"), undefined);
  },
);

testStore(
  "Staging.present is undefined before the first import",
  async (store) => {
    const staging = await store.stage("test");
    assertEquals(staging.present, undefined);
    await staging.discard();
  },
);

testStore("Staging.discard leaves the data", async (store) => {
  await fill(store, entries("01310100"));
  const before = await contentOf(store);
  const staging = await store.stage("test");
  await staging.addEntries(entries("01310200"));
  await staging.discard();
  assertEquals(await contentOf(store), before);
});

testStore(
  "Staging.discard does nothing after publish",
  async (store) => {
    const staging = await store.stage("first");
    await staging.addEntries(entries("01310100"));
    await publish(staging, entries("01310100"));
    const next = await store.stage("second");
    await next.addEntries(entries("01310200"));
    await staging.discard();
    await staging.discard();
    // The next import still has its data and its lock.
    await assertRejects(() => store.stage("third"), DatabaseError, "(second)");
    await publish(next, entries("01310200"));
    assertEquals(await cepsOf(store), ["01310200"]);
  },
);

testStore(
  "Staging rejects a repeated CEP and leaves the data",
  async (store) => {
    await fill(store, entries("01310100"));
    const before = await contentOf(store);
    const staging = await store.stage("test");
    const all = entries("11111111", "11111111");
    await assertRejects(
      async () => {
        await staging.addEntries(all);
        await publish(staging, all);
      },
      DatabaseError,
      "Cannot write the database: ",
    );
    await staging.discard();
    assertEquals(await contentOf(store), before);
    await fill(store, entries("11111111"));
    assertEquals(await cepsOf(store), ["11111111"]);
  },
);

testStore(
  "Staging rejects a text with a NUL character and leaves the data",
  async (store) => {
    await fill(store, entries("01310100"));
    const staging = await store.stage("test");
    await assertRejects(
      () => staging.addEntries([entry("01310200", { name: "a\0b" })]),
      DatabaseError,
      "Cannot write the database: Cannot write a text with a NUL character",
    );
    await staging.discard();
    assertEquals(await cepsOf(store), ["01310100"]);
  },
);

testStore(
  "Store.stage refuses a second import and reports the first",
  async (store) => {
    const staging = await store.stage("process 7");
    await staging.addEntries(entries("01310100"));
    const error = await assertRejects(
      () => store.stage("process 8"),
      DatabaseError,
    );
    assertEquals(
      error.message,
      "Cannot import: another import is running (process 7)",
    );
    await publish(staging, entries("01310100"));
    assertEquals(await cepsOf(store), ["01310100"]);
  },
);

const ENDS: readonly [name: string, end: (it: Staging) => Promise<void>][] = [
  ["publish", (staging) => publish(staging, [])],
  ["discard", (staging) => staging.discard()],
];

for (const [name, end] of ENDS) {
  testStore(`Store.stage succeeds after ${name}`, async (store) => {
    for (let time = 0; time < 3; time++) await end(await store.stage("test"));
    await fill(store, entries("01310100"));
    assertEquals(await cepsOf(store), ["01310100"]);
  });
}

const METHODS: readonly [
  name: string,
  call: (it: Store) => Promise<unknown>,
][] = [
  ["find", (store) => store.find("01310100")],
  ["findJson", async (store) => await store.findJson("01310100")],
  ["list", (store) => store.list("0", 100)],
  ["release", (store) => store.release()],
  ["scan", (store) => cepsOf(store)],
  ["census", (store) => store.census("01310100")],
  ["history", (store) => store.history("01310100")],
  ["search", (store) => store.search({ text: "flores", limit: 1 })],
  [
    "nearest",
    (store) => store.nearest({ latitude: 0, longitude: 0, limit: 1 }),
  ],
  ["stage", (store) => store.stage("test")],
];

for (const [name, call] of METHODS) {
  testStore(`Store.${name} rejects after close`, async (store) => {
    await fill(store, entries("01310100"));
    await store.close();
    await assertRejects(() => call(store), DatabaseError, "it is closed");
  });
}

testStore(
  "Store.close may be called twice",
  async (store) => {
    await store.close();
    await store.close();
    await assertRejects(() => store.list("0", 100), DatabaseError);
  },
);

testStore("Store.close ends a scan in progress", async (store) => {
  const codes = Array.from({ length: 1500 }, (_, i) => String(10_000_000 + i));
  await fill(store, entries(...codes));
  const pages = store.scan()[Symbol.asyncIterator]();
  assertEquals((await pages.next()).value.length, 1000);
  await store.close();
  await assertRejects(() => pages.next(), DatabaseError, "it is closed");
});

testStore(
  "Store.close lets calls in progress resolve or reject with DatabaseError",
  async (store) => {
    await fill(store, entries("01310100"));
    const calls = [
      store.find("01310100"),
      store.findJson("01310200"),
      store.list("", 100),
      cepsOf(store),
      store.release(),
    ];
    const settled = Promise.allSettled(calls);
    await store.close();
    for (const outcome of await settled) {
      if (outcome.status === "rejected") {
        assertEquals(outcome.reason.name, "DatabaseError");
      }
    }
  },
);

testStore("Staging can be published after Store.close", async (store) => {
  const staging = await store.stage("test");
  await staging.addEntries(entries("01310100"));
  await store.close();
  await publish(staging, entries("01310100"));
  await staging.discard();
});

Deno.test('openStore(":memory:") does not write a file', async () => {
  await using opened = await OpenedStore.open({ path: ":memory:" });
  await fill(opened.store, entries("01310100"));
  assert(!existsSync(":memory:"));
});

Deno.test('openStore(":memory:") opens another database each time', async () => {
  await using one = await OpenedStore.open({ path: ":memory:" });
  await using two = await OpenedStore.open({ path: ":memory:" });
  await fill(one.store, entries("01310100"));
  assertEquals(await two.store.release(), undefined);
  const first = await one.store.stage("first");
  const second = await two.store.stage("second");
  await first.discard();
  await second.discard();
});
