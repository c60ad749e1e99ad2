/** Records from memory and by queries, compared. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { seed } from "../../../cep/import/seed.ts";
import type {
  Entry,
  Locality,
  Neighbourhood,
  Origin,
} from "../../../cep/store/mod.ts";
import { generate } from "../../../scripts/generate_dne.ts";
import { LocalSearches } from "../../../cep/search/search_calls.ts";
import { connectImmutable } from "../../../cep/release/local_connection.ts";
import { OpenRelease } from "../../../cep/release/open_release.ts";
import { LATIN1 } from "../_characters.ts";
import { CapturingLogger } from "../_logger.ts";
import { seedSample } from "../_seeding.ts";
import { BothStores } from "../_stores.ts";
import {
  entries,
  entry,
  fill,
  publish,
  writeRelease,
} from "../store/_release.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";

/** Compares every record and the scan of both stores. */
async function compare(stores: BothStores): Promise<number> {
  let records = 0;
  for await (const page of stores.queries.scan()) {
    for (const address of page) {
      assertEquals(await stores.findJson(address.cep), JSON.stringify(address));
      assertEquals(await stores.memory.find(address.cep), address);
      records++;
    }
  }
  assertEquals(records, (await stores.memory.release())?.totalCeps);
  return records;
}

Deno.test("Store.findJson returns the same text from memory and by query for the sample", async () => {
  await using stores = await BothStores.open(seedSample);
  assert(await compare(stores) > 1500);
});

Deno.test("Store.findJson returns the same text from memory and by query for a generated DNE", async () => {
  using raw = new TemporaryFolder();
  for (const { name, chunk } of generate({ rows: 4000, seed: 3 })) {
    writeFileSync(join(raw.path, name), chunk, { flag: "a" });
  }
  await using stores = await BothStores.open((store) =>
    seed({ store, directory: raw.path, logger: new CapturingLogger() })
  );
  assert(await compare(stores) > 4000);
});

/** Texts in ISO-8859-1 without NUL, which the import refuses. */
const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."\"\\'\n\r\t\b\f\x01\x1F\x7F\x80\x9F\xFF/;,%"),
    LATIN1.filter((character) => character !== "\0"),
  ),
  maxLength: 12,
});

/** Few numbers, so that some references are known and others are not. */
const NUMBER = fc.integer({ min: 1, max: 6 });
const UF = fc.constantFrom("SP", "AC", "DF");

const LOCALITY: fc.Arbitrary<Locality> = fc.record({
  number: NUMBER,
  uf: UF,
  name: TEXT,
  cep: fc.constant(""),
  situation: fc.constantFrom("0", "1", "2"),
  type: fc.constantFrom("M", "D", "P"),
  parent: fc.option(NUMBER),
  ibge: fc.constantFrom("", "3550308", "1200401"),
  abbreviation: TEXT,
});

const NEIGHBOURHOOD: fc.Arbitrary<Neighbourhood> = fc.record({
  number: NUMBER,
  uf: UF,
  locality: NUMBER,
  name: TEXT,
  abbreviation: TEXT,
});

const ENTRY: fc.Arbitrary<Entry> = fc.record({
  cep: fc.integer({ min: 0, max: 99_999_999 })
    .map((code) => String(code).padStart(8, "0")),
  number: fc.integer({ min: 1, max: 2 ** 31 }),
  uf: UF,
  locality: NUMBER,
  neighbourhood: fc.option(NUMBER),
  streetType: TEXT,
  typeInName: fc.boolean(),
  street: TEXT,
  complement: TEXT,
  name: TEXT,
  order: NUMBER,
  origin: fc.constantFrom<Origin>(
    "localidade",
    "logradouro",
    "grande_usuario",
    "unid_oper",
    "cpc",
  ),
  file: fc.constantFrom("LOG_LOCALIDADE.TXT", "LOG_LOGRADOURO_SP.TXT"),
});

Deno.test("Store.findJson returns the same text from memory and by query for any entry", async () => {
  const releases = fc.record({
    localities: fc.uniqueArray(LOCALITY, { selector: ({ number }) => number }),
    neighbourhoods: fc.uniqueArray(NEIGHBOURHOOD, {
      selector: ({ number }) => number,
    }),
    all: fc.uniqueArray(ENTRY, {
      selector: ({ cep }) => cep,
      maxLength: 60,
    }),
  });
  await fc.assert(
    fc.asyncProperty(
      releases,
      async ({ localities, neighbourhoods, all }) => {
        await using stores = await BothStores.open(async (store) => {
          const staging = await store.stage("test");
          await staging.addLocalities(localities);
          await staging.addNeighbourhoods(neighbourhoods);
          await staging.addEntries(all);
          await publish(staging, all);
        });
        assertEquals(await compare(stores), all.length);
      },
    ),
    { numRuns: 10 },
  );
});

Deno.test("Store.find returns characters beyond ISO-8859-1", async () => {
  const street = "Şişli € 😀\u2028";
  await using stores = await BothStores.open((store) =>
    fill(store, [entry("01310100", { street, typeInName: false })])
  );
  for (const store of [stores.memory, stores.queries]) {
    assertEquals((await store.find("01310100"))?.logradouro, street);
  }
});

Deno.test("Store.findJson returns texts of 100,000 characters", async () => {
  const long = `é"\\\n`.repeat(25_000);
  const all = [
    entry("01310100", { street: long, complement: long, name: long }),
    entry("01310200"),
  ];
  await using stores = await BothStores.open((store) => fill(store, all));
  assertEquals(await compare(stores), 2);
  assertEquals((await stores.memory.find("01310100"))?.nome, long);
});

Deno.test("Store.findJson finds the first and the last CEP, and no CEP next to them", async () => {
  const known = ["00000000", "00001000", "01310100", "99999999"];
  await using stores = await BothStores.open((store) =>
    fill(store, entries(...known.toReversed()))
  );
  for (const cep of known) {
    assert(await stores.findJson(cep) !== undefined, cep);
  }
  for (const cep of ["00000001", "00000999", "01310101", "99999998"]) {
    assertEquals(await stores.findJson(cep), undefined);
  }
});

Deno.test("Store.findJson finds nothing in a release without records", async () => {
  await using stores = await BothStores.open((store) => fill(store, []));
  assertEquals(await compare(stores), 0);
  assertEquals(await stores.findJson("01310100"), undefined);
});

const FORMS: readonly [text: string, isFound: boolean][] = [
  ["01310100", true],
  ["01310-100", true],
  ["01.310-100", true],
  ["1310100", false],
  ["01310 100", true],
  ["", false],
  ["0x131094", false],
  ["01310100'--", false],
  ["01310200", false],
];

for (const [text, isFound] of FORMS) {
  Deno.test(`Store.find returns ${isFound ? "the record" : "undefined"} for "${text}"`, async () => {
    await using stores = await BothStores.open((store) =>
      fill(store, [entry("01310100")])
    );
    for (const store of [stores.memory, stores.queries]) {
      const found = await store.find(text);
      assertEquals(found?.cep, isFound ? "01310100" : undefined);
    }
  });
}

Deno.test("OpenRelease ends the loading of its parts with the signal", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "cep.db");
  await writeRelease(path);
  const connection = await connectImmutable(path);
  const release = await OpenRelease.open(connection);
  const signal = AbortSignal.abort(new Error("it is closed"));
  for (
    const load of [
      () => release.loadSnapshot(signal),
      () => release.loadSearch(new LocalSearches(), signal),
    ]
  ) {
    await assertRejects(load, Error, "it is closed");
  }
  assertEquals(release.isInMemory, false);
  release.close();
});
