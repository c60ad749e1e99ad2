/** Records from memory and by query, which must be the same text. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seed } from "../../../cep/dne/seed.ts";
import type {
  Entry,
  Locality,
  Neighbourhood,
  Origin,
  Store,
} from "../../../cep/store/mod.ts";
import { generate } from "../../../scripts/generate_dne.ts";
import { CapturingLogger, TempDirectory } from "../_fixtures.ts";
import { entries, entry, fill, Opened, publish } from "./_release.ts";

const SAMPLE = fileURLToPath(new URL("../../../samples/dne", import.meta.url));

/** One release, opened twice: with a snapshot and without. */
class Twice implements AsyncDisposable {
  private constructor(
    readonly directory: TempDirectory,
    readonly memory: Opened,
    readonly queries: Opened,
  ) {}

  static async open(importInto: (store: Store) => Promise<unknown>) {
    const directory = new TempDirectory();
    const { path } = directory;
    const memory = await Opened.open({ path });
    await importInto(memory.store);
    const queries = await Opened.open({ path, snapshot: false });
    return new Twice(directory, memory, queries);
  }

  /** Compares the two on a code, and tells the text. */
  async find(cep: string): Promise<string | undefined> {
    const byMemory = await this.memory.store.findJson(cep);
    const byQuery = await this.queries.store.findJson(cep);
    assertEquals(byMemory?.json, byQuery?.json, cep);
    if (byMemory !== undefined) assert(byMemory.fromMemory);
    if (byQuery !== undefined) assert(!byQuery.fromMemory);
    assertEquals(byMemory?.release, byQuery?.release);
    return byMemory?.json;
  }

  /** Compares the two on all codes, and the scan with them. */
  async compare(): Promise<number> {
    let records = 0;
    for await (const page of this.queries.store.scan()) {
      for (const address of page) {
        assertEquals(await this.find(address.cep), JSON.stringify(address));
        assertEquals(
          await this.memory.store.find(address.cep),
          address,
        );
        records++;
      }
    }
    assertEquals(records, (await this.memory.store.release())?.totalCeps);
    return records;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.memory.store.close();
    await this.queries.store.close();
    this.directory[Symbol.dispose]();
  }
}

const logger = new CapturingLogger();

Deno.test("Store.findJson gives the same from memory and by query for the sample", async () => {
  await using twice = await Twice.open((store) =>
    seed({ store, directory: SAMPLE, logger })
  );
  assert(await twice.compare() > 1500);
});

Deno.test("Store.findJson gives the same from memory and by query for a generated directory", async () => {
  using raw = new TempDirectory();
  for (const { name, chunk } of generate({ rows: 4000, seed: 3 })) {
    writeFileSync(join(raw.path, name), chunk, { flag: "a" });
  }
  await using twice = await Twice.open((store) =>
    seed({ store, directory: raw.path, logger })
  );
  assert(await twice.compare() > 4000);
});

/** Texts of ISO-8859-1 as they can come: a NUL is refused before. */
const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."\"\\'\n\r\t\b\f\x01\x1F\x7F\x80\x9F\xFF/;,%"),
    fc.integer({ min: 1, max: 0xFF }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 12,
});

/** Few numbers, so that some lead somewhere and some nowhere. */
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
});

const NEIGHBOURHOOD: fc.Arbitrary<Neighbourhood> = fc.record({
  number: NUMBER,
  uf: UF,
  locality: NUMBER,
  name: TEXT,
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
  origin: fc.constantFrom<Origin>(
    "localidade",
    "logradouro",
    "grande_usuario",
    "unid_oper",
    "cpc",
  ),
  file: fc.constantFrom("LOG_LOCALIDADE.TXT", "LOG_LOGRADOURO_SP.TXT"),
});

Deno.test("Store.findJson gives the same from memory and by query for any entry", async () => {
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
        await using twice = await Twice.open(async (store) => {
          const staging = await store.stage("test");
          await staging.addLocalities(localities);
          await staging.addNeighbourhoods(neighbourhoods);
          await staging.addEntries(all);
          await publish(staging, all);
        });
        assertEquals(await twice.compare(), all.length);
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("Store.findJson gives the same record from memory and by query beyond ISO-8859-1", async () => {
  const street = "Şişli € 😀\u2028";
  await using twice = await Twice.open((store) =>
    fill(store, [entry("01310100", { street, typeInName: false })])
  );
  for (const { store } of [twice.memory, twice.queries]) {
    assertEquals((await store.find("01310100"))?.logradouro, street);
  }
});

Deno.test("Store.findJson gives texts of 100,000 characters whole", async () => {
  const long = `é"\\\n`.repeat(25_000);
  const all = [
    entry("01310100", { street: long, complement: long, name: long }),
    entry("01310200"),
  ];
  await using twice = await Twice.open((store) => fill(store, all));
  assertEquals(await twice.compare(), 2);
  assertEquals((await twice.memory.store.find("01310100"))?.nome, long);
});

Deno.test("Store.findJson knows the first code and the last, and none beside them", async () => {
  const known = ["00000000", "00001000", "01310100", "99999999"];
  await using twice = await Twice.open((store) =>
    fill(store, entries(...known.toReversed()))
  );
  for (const cep of known) assert(await twice.find(cep) !== undefined, cep);
  for (const cep of ["00000001", "00000999", "01310101", "99999998"]) {
    assertEquals(await twice.find(cep), undefined);
  }
});

Deno.test("Store.findJson finds nothing in a release without records", async () => {
  await using twice = await Twice.open((store) => fill(store, []));
  assertEquals(await twice.compare(), 0);
  assertEquals(await twice.find("01310100"), undefined);
});

const FORMS: readonly [text: string, isFound: boolean][] = [
  ["01310100", true],
  ["01310-100", true],
  ["01.310-100", true],
  ["1310100", false],
  ["01310 100", false],
  ["", false],
  ["0x131094", false],
  ["01310100'--", false],
  ["01310200", false],
];

for (const [text, isFound] of FORMS) {
  Deno.test(`Store.find ${isFound ? "reads" : "has nothing for"} "${text}"`, async () => {
    await using twice = await Twice.open((store) =>
      fill(store, [entry("01310100")])
    );
    for (const { store } of [twice.memory, twice.queries]) {
      const found = await store.find(text);
      assertEquals(found?.cep, isFound ? "01310100" : undefined);
    }
  });
}
