import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../cep/record/address.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../../cep/record/fields.ts";
import { KdTree } from "../../../cep/release/points/kd_tree.ts";
import { readPoints } from "../../../cep/release/points/read_points.ts";
import {
  type CensusRow,
  type CensusStreet,
  DatabaseError,
  type DataSource,
  MAX_CENSUS_STREETS,
  type Staging,
} from "../../../cep/store/mod.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { BothStores, OpenedStore } from "../_stores.ts";
import { testStore } from "./_every_store.ts";
import {
  addPlaces,
  censusRow,
  entries,
  entry,
  fill,
  publish,
  writeRelease,
} from "./_release.ts";

const { streets: STREETS } = censusRow("01310100");

testStore("Store.census finds the row of a CEP", async (store) => {
  const rows = [
    censusRow("01310100"),
    censusRow("01310200", { point: null, streets: [], streetCount: 0 }),
    censusRow("99999999", {
      locality: "",
      streets: Array(MAX_CENSUS_STREETS).fill(STREETS[0]),
      streetCount: MAX_CENSUS_STREETS + 1,
    }),
  ];
  await fill(store, entries("01310100"), {}, rows);
  const release = await store.release();
  assertEquals(release?.totalCensus, 3);
  for (const row of rows) {
    assertEquals(await store.census(row.cep), { release, row });
  }
  for (const cep of ["01310101", "00000000"]) {
    assertEquals(await store.census(cep), { release, row: undefined });
  }
});

testStore("Store.census finds nothing before an import", async (store) => {
  assertEquals(await store.census("01310100"), undefined);
});

testStore("Store.census finds nothing without a CNEFE", async (store) => {
  await fill(store, entries("01310100"));
  const release = await store.release();
  assertEquals(release?.totalCensus, 0);
  assertEquals(await store.census("01310100"), { release, row: undefined });
});

testStore("Store.release returns the sources of the data", async (store) => {
  const sources = ["cnefe", "dne"] as const;
  await fill(store, entries("01310100"), { sources }, [censusRow("01310100")]);
  assertEquals((await store.release())?.sources, sources);
});

testStore(
  "PresentRows.census returns all rows in order of CEP",
  async (store) => {
    const rows = Array.from(
      { length: 12_001 },
      (_, i) =>
        censusRow(`${10_000_000 + 7 * i}`, {
          addresses: i + 1,
          streets: STREETS.slice(i % 3),
          streetCount: 2 - i % 3,
        }),
    );
    await fill(store, entries("01310100"), {}, rows);
    const staging = await store.stage("next");
    const batches = await Array.fromAsync(staging.rows!.census());
    assertEquals(batches.flat(), rows);
    assert(batches.every(({ length }) => length <= 5000));
    await staging.discard();
  },
);

/** Returns the fields of a record that are numbers. */
function numbersIn(record: Address): Partial<Address> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => typeof value === "number"),
  );
}

const RECORDS: readonly [
  name: string,
  row: Partial<CensusRow>,
  fields: Partial<Address>,
][] = [
  ["a point and a count", {}, {
    latitude: -23.56168,
    longitude: -46.65598,
    raio_m: 312,
    enderecos: 187,
  }],
  ["a count without a point", { point: null }, { enderecos: 187 }],
  ["five decimals", {
    point: { latitude: 2, longitude: -50.1, radius: 0 },
    addresses: 1,
  }, {
    latitude: 2,
    longitude: -50.1,
    raio_m: 0,
    enderecos: 1,
  }],
  ["the smallest angles", {
    point: { latitude: -0.00001, longitude: 0.00001, radius: 1 },
  }, {
    latitude: -0.00001,
    longitude: 0.00001,
    raio_m: 1,
    enderecos: 187,
  }],
  ["zero without a sign", {
    point: { latitude: -0.000001, longitude: -0, radius: 1 },
  }, { latitude: 0, longitude: 0, raio_m: 1, enderecos: 187 }],
  ["the largest numbers", {
    point: { latitude: -90, longitude: 180, radius: 20_037_508 },
    addresses: 2 ** 32 - 1,
  }, {
    latitude: -90,
    longitude: 180,
    raio_m: 20_037_508,
    enderecos: 4_294_967_295,
  }],
];

for (const [name, row, fields] of RECORDS) {
  Deno.test(`a record has ${name} of the CNEFE`, async () => {
    await using stores = await BothStores.open((store) =>
      fill(store, entries("01310100", "01310200"), {}, [
        censusRow("01310200", row),
      ])
    );
    assertEquals(numbersIn((await stores.find("01310200"))!), fields);
    assertEquals(numbersIn((await stores.find("01310100"))!), {});
  });
}

const NUMBER = fc.nat({ max: 99_999 });
const RANGE = fc.option(fc.tuple(NUMBER, NUMBER));
const TEXT = fc.string({ unit: fc.constantFrom(..."Aé '\"\\%,;") });
const STREET: fc.Arbitrary<CensusStreet> = fc.record({
  type: TEXT,
  name: TEXT,
  addresses: fc.integer({ min: 1, max: 100_000 }),
  odd: RANGE,
  even: RANGE,
});
const ROW: fc.Arbitrary<CensusRow> = fc.record({
  cep: fc.integer({ min: 1_000_000, max: 1_000_040 }).map((it) => `0${it}`),
  ibge: fc.constantFrom("3599901", "1200013"),
  locality: TEXT,
  point: fc.option(fc.record({
    latitude: fc.integer({ min: -3_400_000, max: 600_000 }).map(toDegrees),
    longitude: fc.integer({ min: -7_400_000, max: -2_800_000 }).map(toDegrees),
    radius: fc.nat({ max: 100_000 }),
  })),
  addresses: fc.integer({ min: 1, max: 1_000_000 }),
  streets: fc.array(STREET, { maxLength: MAX_CENSUS_STREETS }),
  streetCount: fc.constant(0),
  file: fc.constantFrom("35_SP.csv", "12_AC.csv"),
}).map((row) => ({ ...row, streetCount: row.streets.length }));

function toDegrees(units: number): number {
  return units / 100_000;
}

Deno.test("a release keeps any rows, and its records have their fields, from memory and by queries", async () => {
  const rows = fc.uniqueArray(ROW, { selector: ({ cep }) => cep })
    .map((rows) => rows.sort((a, b) => Number(a.cep) - Number(b.cep)));
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const codes = Array.from({ length: 41 }, (_, i) => `0${1_000_000 + i}`);
      await using stores = await BothStores.open((store) =>
        fill(store, entries(...codes), {}, rows)
      );
      for (const cep of codes) {
        const row = rows.find((it) => it.cep === cep);
        assertEquals((await stores.memory.census(cep))?.row, row);
        // Others are misread addresses.
        const own = row?.ibge === "3599901" ? row : undefined;
        assertEquals(numbersIn((await stores.find(cep))!), {
          ...(own?.point && {
            latitude: own.point.latitude,
            longitude: own.point.longitude,
            raio_m: own.point.radius,
          }),
          ...(own && { enderecos: own.addresses }),
        });
      }
    }),
    { numRuns: 15 },
  );
});

const CODES: readonly [name: string, ibge: string, isOwn: boolean][] = [
  ["of its own municipality", "3599901", true],
  ["of another municipality", "1400100", false],
  ["if its own municipality is unknown", "", true],
];

for (const [name, ibge, isOwn] of CODES) {
  Deno.test(`a record ${isOwn ? "has" : "lacks"} the facts of a CNEFE row ${name}`, async () => {
    await using stores = await BothStores.open(async (store) => {
      const staging = await store.stage("test");
      await addPlaces(staging, ibge === "" ? "" : "3599901");
      await staging.addCensus([
        censusRow("01310100", { ibge: ibge || "1400100" }),
      ]);
      const all = [entry("01310100", { complement: "" })];
      await staging.addEntries(all);
      await publish(staging, all, { sources: ["dne", "cnefe"] });
    });
    const record = await stores.find("01310100");
    assertEquals(record?.enderecos, isOwn ? 187 : undefined);
    assertEquals(record?.latitude, isOwn ? -23.56168 : undefined);
    const near = { latitude: 0, longitude: 0, limit: 9 };
    const { data } = (await stores.memory.nearest(near))!;
    assertEquals(data.length, isOwn ? 1 : 0);
    const found = await stores.memory.search({ text: "das Flores", limit: 1 });
    assertEquals(found?.data[0]?.seen !== undefined, isOwn);
    // The row itself is kept.
    const census = await stores.memory.census("01310100");
    assertEquals(census?.row?.addresses, 187);
  });
}

const REFUSED: readonly [rows: CensusRow[], message: string][] = [
  [[censusRow("1310100")], "its CEP is not eight digits"],
  [[censusRow("0131010a")], "its CEP is not eight digits"],
  [[censusRow("01310100", { ibge: "355030" })], '"355030" is not an IBGE code'],
  [
    [censusRow("01310100", { addresses: 0 })],
    "its number of addresses is not a count",
  ],
  [
    [censusRow("01310100", { addresses: 1.5 })],
    "its number of addresses is not a count",
  ],
  ...[[91, 0, 0], [0, 180.1, 0], [NaN, 0, 0], [0, 0, -1], [0, 0, 0.5]].map((
    [latitude, longitude, radius],
  ): [CensusRow[], string] => [
    [censusRow("01310100", {
      point: { latitude: latitude!, longitude: longitude!, radius: radius! },
    })],
    "its point is not on the Earth",
  ]),
  [
    [censusRow("01310100", { streetCount: -1 })],
    "its number of streets is not a count",
  ],
  [[censusRow("01310100", { streetCount: 1 })], "it has 2 of 1 streets"],
  [[censusRow("01310100", { streetCount: 3 })], "it has 2 of 3 streets"],
  [
    [censusRow("01310100", {
      streets: Array(MAX_CENSUS_STREETS + 1).fill(STREETS[0]),
      streetCount: 900,
    })],
    `it has 9 of 8 streets`,
  ],
  [
    [censusRow("01310100", {
      streets: [{ ...STREETS[0]!, odd: [1, NaN] }],
      streetCount: 1,
    })],
    "the numbers of a street are not counts",
  ],
  [
    [censusRow("01310200"), censusRow("01310100")],
    "rows must be in order of CEP",
  ],
  [
    [censusRow("01310100"), censusRow("01310100")],
    "rows must be in order of CEP",
  ],
];

/** Runs an action on an import that is then discarded. */
async function whileStaging(
  action: (staging: Staging) => Promise<void>,
): Promise<void> {
  await using opened = await OpenedStore.inMemory();
  const staging = await opened.store.stage("test");
  await action(staging);
  await staging.discard();
  assertEquals(await opened.store.release(), undefined);
}

for (const [i, [rows, message]] of REFUSED.entries()) {
  Deno.test(`Staging.addCensus refuses a row: ${message} (${i})`, async () => {
    await whileStaging(async (staging) => {
      await addPlaces(staging);
      await assertRejects(
        () => staging.addCensus(rows),
        DatabaseError,
        `Cannot write the database: Cannot add census row ${
          rows.at(-1)!.cep
        }: ${message}`,
      );
    });
  });
}

Deno.test("Staging.addCensus refuses rows after an entry", async () => {
  await whileStaging(async (staging) => {
    await addPlaces(staging);
    await staging.addEntries(entries("01310100"));
    await assertRejects(
      () => staging.addCensus([censusRow("01310100")]),
      DatabaseError,
      "Cannot add census rows: they must precede all entries",
    );
  });
});

testStore(
  "a record has no field of the CNEFE in a release without it",
  async (store) => {
    await fill(store, entries("01310100"), {}, [censusRow("01310100")]);
    const counted = await store.find("01310100");
    assertEquals(Object.keys(counted!), [...OWN_FIELDS, ...CENSUS_FIELDS]);
    await fill(store, entries("01310100"));
    const fields = OWN_FIELDS.map((name) => [name, counted![name]]);
    const record = Object.fromEntries(fields);
    assertEquals(
      (await store.findJson("01310100"))?.json,
      JSON.stringify(record),
    );
    assertEquals((await store.list("01310", 9))?.data, [record]);
    const dump = (await store.dump())!;
    assertEquals((await Array.fromAsync(dump.pages)).flat(), [
      JSON.stringify(record),
    ]);
  },
);

const CONTRADICTIONS: readonly [
  sources: readonly DataSource[],
  census: readonly CensusRow[],
  message: string,
][] = [
  [
    ["dne"],
    [censusRow("01310100")],
    "rows of the CNEFE were added, and it is not one of its sources",
  ],
  [
    ["dne", "cnefe"],
    [],
    "the CNEFE is one of its sources, and no row of it was added",
  ],
];

for (const [sources, census, message] of CONTRADICTIONS) {
  Deno.test(`Staging.publish refuses sources that contradict the rows: ${message}`, async () => {
    await whileStaging(async (staging) => {
      await addPlaces(staging);
      await staging.addCensus(census);
      await staging.addEntries(entries("01310100"));
      await assertRejects(
        () => publish(staging, entries("01310100"), { sources }),
        DatabaseError,
        `Cannot write the database: Cannot finish the release: ${message}`,
      );
    });
  });
}

Deno.test("Staging.publish can be repeated with the sources of the rows", async () => {
  await using opened = await OpenedStore.inMemory();
  const staging = await opened.store.stage("test");
  await addPlaces(staging);
  await staging.addEntries(entries("01310100"));
  await assertRejects(
    () => publish(staging, entries("01310100"), { sources: ["cnefe"] }),
    DatabaseError,
  );
  await publish(staging, entries("01310100"));
  assertEquals((await opened.store.release())?.sources, ["dne"]);
});

Deno.test("Staging.addCensus refuses a NUL character", async () => {
  await whileStaging(async (staging) => {
    await addPlaces(staging);
    await assertRejects(
      async () => {
        await staging.addCensus([censusRow("01310100", { locality: "a\0b" })]);
        await staging.addEntries(entries("01310100"));
        await publish(staging, entries("01310100"));
      },
      DatabaseError,
      "Cannot write a text with a NUL character",
    );
  });
});

Deno.test("ReleaseWriter writes the places of records, not those of other CEPs", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "release.db");
  await writeRelease(path, entries("01310100", "01310200", "01310300"), [
    censusRow("01310100"),
    censusRow("01310150"),
    censusRow("01310200", { point: null }),
    censusRow("01310300", {
      point: { latitude: 1, longitude: -60.5, radius: 6 },
    }),
  ]);
  using database = new DatabaseSync(path, { readOnly: true });
  const { pontos } = database.prepare("SELECT pontos FROM release").get()!;
  const parts = database.prepare("SELECT bytes FROM pontos ORDER BY part")
    .all().map(({ bytes }) => new Uint8Array(bytes as Uint8Array));
  const tree = new KdTree(
    await readPoints(JSON.parse(pontos as string), stream(parts)),
  );
  const found = tree.nearest({ latitude: 1, longitude: -60.5, limit: 9 });
  assertEquals(found.map(({ cep }) => cep), [1310300, 1310100]);
  assertEquals(found[0]!.distance, 0);
});

async function* stream(parts: readonly Uint8Array[]) {
  yield* parts;
}
