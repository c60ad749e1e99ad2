import { assertEquals, assertRejects } from "@std/assert";
import {
  findCensusDamage,
  findLostSources,
  findUnknownMunicipalities,
} from "../../../cep/import/damage.ts";
import { SeedError } from "../../../cep/import/seed.ts";
import { StateCounts } from "../../../cep/import/census_import.ts";
import type { DataSource } from "../../../cep/store/mod.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { csv, type Values } from "./cnefe/_census.ts";
import { CENSUS, repeat, SAO_PAULO, seedBoth, type Sources } from "./_both.ts";

const TOLERANCE = {
  maxRejectedPercent: 1,
  maxDanglingPercent: 1,
  maxShrinkPercent: 5,
};

const LOST: Readonly<Record<DataSource, string>> = {
  dne: "the current release has the DNE, and this import lacks it: its CEPs " +
    "would be lost; set DB_RAW_PATH (SEED_MAX_SHRINK_PERCENT=100 imports " +
    "without it)",
  cnefe: "the current release has the CNEFE, and this import lacks it: CEPs " +
    "would lose their coordinates; set CNEFE_PATH " +
    "(SEED_MAX_SHRINK_PERCENT=100 imports without it)",
};

for (
  const [before, after, lost] of [
    [["dne"], ["dne"], []],
    [["dne"], ["dne", "cnefe"], []],
    [["cnefe"], ["dne", "cnefe"], []],
    [["dne"], ["cnefe"], ["dne"]],
    [["cnefe"], ["dne"], ["cnefe"]],
    [["dne", "cnefe"], ["dne"], ["cnefe"]],
    [["dne", "cnefe"], ["cnefe"], ["dne"]],
  ] as const
) {
  const name = `${before.join("+")} replaced by ${after.join("+")}`;
  Deno.test(`findLostSources finds ${lost[0] ?? "nothing"} of ${name}`, () => {
    const present = {
      present: { sources: before },
      presentState: "complete" as const,
    };
    assertEquals(
      findLostSources(present, after, TOLERANCE),
      lost.map((source) => LOST[source]),
    );
    const any = { maxShrinkPercent: 100 };
    assertEquals(findLostSources(present, after, any), []);
  });
}

Deno.test("findLostSources finds nothing without a current release", () => {
  const none = { present: undefined, presentState: "missing" } as const;
  assertEquals(findLostSources(none, ["cnefe"], TOLERANCE), []);
});

Deno.test("findLostSources refuses a CNEFE alone over an unreadable release", () => {
  const unreadable = {
    present: undefined,
    presentState: "unreadable",
  } as const;
  assertEquals(findLostSources(unreadable, ["cnefe"], TOLERANCE), [
    "the current release cannot be read and may have the DNE, and this import " +
    "lacks it: its CEPs would be lost; set DB_RAW_PATH " +
    "(SEED_MAX_SHRINK_PERCENT=100 imports without it)",
  ]);
  assertEquals(findLostSources(unreadable, ["dne"], TOLERANCE), []);
  const any = { maxShrinkPercent: 100 };
  assertEquals(findLostSources(unreadable, ["cnefe"], any), []);
});

Deno.test("findCensusDamage finds a state with fewer CEPs, and one that is missing", () => {
  const damage = findCensusDamage({
    files: [],
    byState: {
      codes: new Map([["35", 94], ["29", 95], ["12", 5]]),
      places: new Map([["35", 94], ["29", 90], ["12", 5]]),
    },
    presentByState: {
      codes: new Map([["35", 100], ["29", 100], ["53", 10]]),
      places: new Map([["35", 100], ["29", 95], ["53", 10]]),
    },
  }, TOLERANCE);
  assertEquals(damage, [
    "the CNEFE of SP has 94 CEPs, the current release 100 " +
    "(SEED_MAX_SHRINK_PERCENT allows 5% fewer)",
    "the CNEFE of DF has 0 CEPs, the current release 10 " +
    "(SEED_MAX_SHRINK_PERCENT allows 5% fewer); to keep the state, list its " +
    "file in CNEFE_PATH, too, after a comma",
    "the CNEFE of BA has 90 CEPs with coordinates, the current release 95 " +
    "(SEED_MAX_SHRINK_PERCENT allows 5% fewer)",
  ]);
});

Deno.test("findCensusDamage finds a file with too many rejected rows", () => {
  const damage = findCensusDamage({
    files: [
      { file: "35_SP.csv", rows: 100, rejected: 1 },
      { file: "29_BA.csv", rows: 100, rejected: 2 },
    ],
    byState: new StateCounts(),
    presentByState: new StateCounts(),
  }, TOLERANCE);
  assertEquals(damage, [
    "29_BA.csv: 2 of 100 lines were rejected " +
    "(SEED_MAX_REJECTED_PERCENT allows 1%)",
  ]);
});

Deno.test("findUnknownMunicipalities finds a file with too many", () => {
  const files = [
    { file: "35_SP.csv", codes: 100, dangling: 1 },
    { file: "29_BA.csv", codes: 100, dangling: 2 },
    { file: "12_AC.csv", codes: 100, dangling: 4 },
  ];
  const unknown = new Map([
    ["35_SP.csv", new Set(["3599999"])],
    ["29_BA.csv", new Set(["2999909", "2999901"])],
    ["12_AC.csv", new Set(["1299904", "1299903", "1299902", "1299901"])],
  ]);
  assertEquals(findUnknownMunicipalities(files, unknown, TOLERANCE), [
    "29_BA.csv: 2 of 100 CEPs are in an unknown municipality, " +
    "IBGE code 2999901, 2999909 (SEED_MAX_DANGLING_PERCENT allows 1%)",
    "12_AC.csv: 4 of 100 CEPs are in an unknown municipality, " +
    "IBGE code 1299901, 1299902, 1299903, … " +
    "(SEED_MAX_DANGLING_PERCENT allows 1%)",
  ]);
});

/** Rows of Acre with decimal commas. */
const COMMAS = (CENSUS["12_AC.csv"] as readonly Values[])
  .map((row) => ({ ...row, LATITUDE: "-9,974990", LONGITUDE: "-67,824350" }));

/** Rows of São Paulo whose coordinates have columns of other names. */
const RENAMED = csv(SAO_PAULO["35_SP.csv"] as readonly Values[])
  .replace("LATITUDE;LONGITUDE", "LAT;LON");

/** Imports one after the other, and the message of the second one. */
const REPLACED: readonly (readonly [
  name: string,
  before: Sources,
  after: Sources,
  message: string | undefined,
])[] = [
  [
    "a DNE by a DNE with a CNEFE",
    { dne: {} },
    { dne: {}, cnefe: CENSUS },
    undefined,
  ],
  [
    "a DNE by a CNEFE",
    { dne: {} },
    { cnefe: SAO_PAULO },
    `Cannot import: ${LOST.dne}`,
  ],
  [
    "both by a DNE",
    { dne: {}, cnefe: CENSUS },
    { dne: {} },
    `Cannot import: ${LOST.cnefe}`,
  ],
  [
    "both by both without a state of the CNEFE",
    { dne: {}, cnefe: CENSUS },
    { dne: {}, cnefe: { "35_SP.csv": CENSUS["35_SP.csv"]! } },
    "Cannot import: the CNEFE of AC has 0 CEPs, the current release 1 " +
    "(SEED_MAX_SHRINK_PERCENT allows 5% fewer); to keep the state, list its " +
    "file in CNEFE_PATH, too, after a comma",
  ],
  [
    "coordinates by coordinates with decimal commas",
    { dne: {}, cnefe: CENSUS },
    { dne: {}, cnefe: { ...CENSUS, "12_AC.csv": COMMAS } },
    "Cannot import: the CNEFE of AC has 0 CEPs with coordinates, the current " +
    "release 1 (SEED_MAX_SHRINK_PERCENT allows 5% fewer)",
  ],
  [
    "coordinates by columns of other names",
    { cnefe: SAO_PAULO },
    { cnefe: { "35_SP.csv": RENAMED } },
    "Cannot import: the CNEFE of SP has 0 CEPs with coordinates, the current " +
    "release 2 (SEED_MAX_SHRINK_PERCENT allows 5% fewer)",
  ],
  [
    "both by both with files of other names",
    { dne: {}, cnefe: CENSUS },
    {
      dne: {},
      cnefe: {
        "1299904_RIO_MANSO.csv": CENSUS["12_AC.csv"]!,
        "3599901_VILA_GRANDE.csv": CENSUS["35_SP.csv"]!,
      },
    },
    undefined,
  ],
];

for (const [name, before, after, message] of REPLACED) {
  const verb = message === undefined ? "replaces" : "refuses to replace";
  Deno.test(`seed ${verb} ${name}`, async () => {
    await using opened = await OpenedStore.inMemory();
    await seedBoth(opened.store, before);
    if (message === undefined) {
      const { ceps } = await seedBoth(opened.store, after);
      assertEquals((await opened.store.release())?.totalCeps, ceps);
      return;
    }
    const content = await contentOf(opened.store);
    const error = await assertRejects(
      () => seedBoth(opened.store, after),
      SeedError,
    );
    assertEquals(error.message, message);
    assertEquals(await contentOf(opened.store), content);
    await seedBoth(opened.store, after, { maxShrinkPercent: 100 });
  });
}

Deno.test("seed adds a DNE to a CNEFE although CEPs move to its files", async () => {
  await using opened = await OpenedStore.inMemory();
  await seedBoth(opened.store, {
    cnefe: {
      "35_SP.csv": repeat(1, { COD_MUNICIPIO: "3550308", CEP: "01900001" }),
    },
  });
  await seedBoth(opened.store, {
    dne: {},
    cnefe: {
      "35_SP.csv": repeat(1, { COD_MUNICIPIO: "3599901", CEP: "01900001" }),
    },
  });
  const record = await opened.store.find("01900001");
  assertEquals(record?.tipo_origem, "logradouro");
  assertEquals(record?.enderecos, 1);
});

Deno.test("seed refuses an empty DNE although the CNEFE has CEPs", async () => {
  await using opened = await OpenedStore.inMemory();
  const names = [
    "LOG_LOCALIDADE.TXT",
    "LOG_BAIRRO.TXT",
    "LOG_LOGRADOURO_AC.TXT",
    "LOG_LOGRADOURO_SP.TXT",
    "LOG_GRANDE_USUARIO.TXT",
    "LOG_UNID_OPER.TXT",
    "LOG_CPC.TXT",
  ];
  await assertRejects(
    () =>
      seedBoth(opened.store, {
        dne: Object.fromEntries(names.map((name) => [name, []])),
        cnefe: CENSUS,
      }),
    SeedError,
    "the files contain no CEP",
  );
});
