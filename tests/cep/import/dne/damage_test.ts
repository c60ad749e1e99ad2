import { assertEquals, assertRejects } from "@std/assert";
import {
  findDamage,
  type Imported,
  type Tolerance,
} from "../../../../cep/import/damage.ts";
import { COLUMNS, type Family } from "../../../../cep/import/dne/layout.ts";
import type { FileReport } from "../../../../cep/import/dne/report.ts";
import { SeedError } from "../../../../cep/import/seed.ts";
import type { Release } from "../../../../cep/store/mod.ts";
import { CEPS, type Files, line, LINES, streets } from "../../_directory.ts";
import { reportOf, seedFiles } from "../../_seeding.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";

const LOCALITIES = "LOG_LOCALIDADE.TXT";
const NEIGHBOURHOODS = "LOG_BAIRRO.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";
const SP = "LOG_LOGRADOURO_SP.TXT";
const LARGE_USERS = "LOG_GRANDE_USUARIO.TXT";
const UNITS = "LOG_UNID_OPER.TXT";
const POSTS = "LOG_CPC.TXT";

const STRICT: Tolerance = {
  maxRejectedPercent: 1,
  maxDanglingPercent: 1,
  maxShrinkPercent: 5,
};

/** Pattern of a message about rejected lines. */
function rejected(file: string, count: number, lines: number, max = 1): string {
  return `${file}: ${count} of ${lines} lines were rejected ` +
    `(SEED_MAX_REJECTED_PERCENT allows ${max}%)`;
}

/** Pattern of a message about dangling references. */
function dangles(file: string, count: number, lines: number, max = 1): string {
  return `${file}: ${count} of ${lines} lines refer to an unknown locality, ` +
    "neighbourhood or municipality " +
    `(SEED_MAX_DANGLING_PERCENT allows ${max}%)`;
}

/** Pattern of a message about an empty street file. */
function isEmpty(file: string, uf: string): string {
  return `${file} is empty although ${uf} has localities coded by street ` +
    "(SEED_MAX_DANGLING_PERCENT=100 allows it)";
}

/** Pattern of a message about missing CEPs. */
function shrunk(name: string, after: number, before: number, max = 5): string {
  return `${name} has ${after} CEPs, the current release ${before} ` +
    `(SEED_MAX_SHRINK_PERCENT allows ${max}% fewer)`;
}

/**
 * Returns the report of a file of 200 stored lines, with some counts replaced.
 */
function file(name: string, counts: Partial<FileReport> = {}): FileReport {
  return {
    file: name,
    lines: 200,
    stored: 200,
    codes: 200,
    duplicates: 0,
    rejected: 0,
    dangling: 0,
    warnings: {},
    milliseconds: 0,
    ...counts,
  };
}

/**
 * Returns an import of these files into an empty database, with some members
 * replaced.
 */
function imported(
  files: readonly FileReport[],
  others: Partial<Imported> = {},
): Imported {
  return {
    files,
    statesCodedByStreet: new Set(["SP"]),
    present: undefined,
    ...others,
  };
}

/** Returns a release with these numbers of CEPs by file. */
function present(totalByFile: Readonly<Record<string, number>>): Release {
  const totalCeps = Object.values(totalByFile).reduce((a, b) => a + b, 0);
  return {
    id: 1,
    dneVersion: "",
    seededAt: "2025-04-15T12:00:00.000Z",
    totalCeps,
    totalByState: { SP: totalCeps },
    totalByFile,
    optionalFiles: [],
    sources: ["dne"],
    totalCensus: 0,
  };
}

Deno.test("findDamage finds nothing in an undamaged DNE", () => {
  const files = [file(SP), file(POSTS)];
  assertEquals(findDamage(imported(files), STRICT), []);
  const replaced = present({ [SP]: 200, [POSTS]: 200 });
  assertEquals(findDamage(imported(files, { present: replaced }), STRICT), []);
});

/** Wrong lines of 200, percentage allowed, and whether it is exceeded. */
const SHARES: readonly [wrong: number, percent: number, found: boolean][] = [
  [0, 0, false],
  [1, 0, true],
  [2, 1, false],
  [3, 1, true],
  [3, 1.5, false],
  [4, 1.5, true],
  [199, 99.5, false],
  [200, 99.5, true],
  [200, 100, false],
];

for (const [wrong, percent, found] of SHARES) {
  const verb = found ? "refuses" : "allows";
  Deno.test(`findDamage ${verb} ${wrong} rejected lines of 200 at ${percent}%`, () => {
    const tolerance = { ...STRICT, maxRejectedPercent: percent };
    const files = [file(POSTS), file(SP, { rejected: wrong })];
    assertEquals(
      findDamage(imported(files), tolerance),
      found ? [rejected(SP, wrong, 200, percent)] : [],
    );
  });

  Deno.test(`findDamage ${verb} ${wrong} dangling lines of 200 at ${percent}%`, () => {
    const tolerance = { ...STRICT, maxDanglingPercent: percent };
    const files = [file(POSTS), file(SP, { dangling: wrong })];
    assertEquals(
      findDamage(imported(files), tolerance),
      found ? [dangles(SP, wrong, 200, percent)] : [],
    );
  });

  Deno.test(`findDamage ${verb} ${wrong} missing CEPs of 200 at ${percent}%`, () => {
    const tolerance = { ...STRICT, maxShrinkPercent: percent };
    // A new CEP, because files without any are refused.
    const files = [file(SP, { codes: 200 - wrong }), file(POSTS, { codes: 1 })];
    const replaced = present({ [SP]: 200 });
    const [sign, ...more] = findDamage(
      imported(files, { present: replaced }),
      tolerance,
    ).filter((sign) => sign.startsWith(SP));
    assertEquals(more, []);
    assertEquals(
      sign,
      found ? shrunk(SP, 200 - wrong, 200, percent) : undefined,
    );
  });
}

const SHRUNK: readonly [
  name: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  signs: readonly string[],
][] = [
  ["a DNE and its file at the limit", { [SP]: 1000 }, { [SP]: 950 }, []],
  ["a DNE and its file beyond the limit", { [SP]: 1000 }, { [SP]: 949 }, [
    shrunk("the new release", 949, 1000),
    shrunk(SP, 949, 1000),
  ]],
  [
    "a shrinking file in a DNE that hardly shrinks",
    { [SP]: 1000, [POSTS]: 10 },
    { [SP]: 1000, [POSTS]: 9 },
    [shrunk(POSTS, 9, 10)],
  ],
  ["a shrinking file in a growing DNE", { [SP]: 1000, [POSTS]: 10 }, {
    [SP]: 2000,
    [POSTS]: 5,
  }, [shrunk(POSTS, 5, 10)]],
  ["a missing file", { [SP]: 1000, [POSTS]: 10 }, { [SP]: 1000 }, [
    shrunk(POSTS, 0, 10),
  ]],
  ["the same CEPs", { [SP]: 1000 }, { [SP]: 1000 }, []],
  ["the same CEPs and a new file", { [SP]: 10 }, { [SP]: 10, [AC]: 1 }, []],
  ["the first CEPs", {}, { [SP]: 1 }, []],
];

for (const [name, before, after, signs] of SHRUNK) {
  Deno.test(`findDamage compares the current release with ${name}`, () => {
    const files = Object.entries(after)
      .map(([name, codes]) => file(name, { codes, lines: codes }));
    assertEquals(
      findDamage(imported(files, { present: present(before) }), STRICT),
      signs,
    );
  });
}

const EMPTY: readonly [
  name: string,
  lines: number,
  states: readonly string[],
  maxDanglingPercent: number,
  signs: readonly string[],
][] = [
  [
    "refuses an empty street file of a state coded by street",
    0,
    ["AC", "SP"],
    1,
    [isEmpty(SP, "SP")],
  ],
  ["refuses an empty street file at 99.9%", 0, ["SP"], 99.9, [
    isEmpty(SP, "SP"),
  ]],
  ["allows an empty street file at 100%", 0, ["SP"], 100, []],
  [
    "allows an empty street file of a state not coded by street",
    0,
    ["AC"],
    1,
    [],
  ],
  ["allows a street file of one line", 1, ["SP"], 1, []],
];

for (const [name, lines, states, maxDanglingPercent, signs] of EMPTY) {
  Deno.test(`findDamage ${name}`, () => {
    const files = [file(POSTS), file(AC), file(SP, { lines, codes: lines })];
    const statesCodedByStreet = new Set(states);
    const tolerance = { ...STRICT, maxDanglingPercent };
    assertEquals(
      findDamage(imported(files, { statesCodedByStreet }), tolerance),
      signs,
    );
  });
}

Deno.test("findDamage refuses files without a CEP at any tolerance", () => {
  const files = [file(LOCALITIES, { codes: 0 }), file(SP, { codes: 0 })];
  const tolerance = {
    maxRejectedPercent: 100,
    maxDanglingPercent: 100,
    maxShrinkPercent: 100,
  };
  const replaced = present({ [SP]: 200 });
  for (const present of [undefined, replaced]) {
    assertEquals(findDamage(imported(files, { present }), tolerance), [
      "the files contain no CEP",
    ]);
  }
});

/** Current release: the small DNE with a hundred streets. */
const GOOD: Files = { [SP]: streets(100) };

/**
 * Versions of the DNE that must not replace it, and patterns of the messages.
 */
const DAMAGED: readonly [
  name: string,
  files: Files,
  signs: readonly string[],
][] = [
  ["with an empty street file", { ...GOOD, [AC]: [] }, [
    isEmpty(AC, "AC"),
    shrunk(AC, 0, 1),
  ]],
  ["with a street file of one blank line", { ...GOOD, [AC]: [""] }, [
    isEmpty(AC, "AC"),
    shrunk(AC, 0, 1),
  ]],
  [
    "with truncated localities",
    { ...GOOD, [LOCALITIES]: LINES[LOCALITIES]!.slice(0, 1) },
    [
      dangles(NEIGHBOURHOODS, 2, 4),
      dangles(AC, 1, 1),
      dangles(UNITS, 1, 1),
      dangles(POSTS, 1, 1),
      shrunk(LOCALITIES, 0, 2),
    ],
  ],
  ["with half the streets of a state", { [SP]: streets(50) }, [
    shrunk("the new release", 56, 106),
    shrunk(SP, 50, 100),
  ]],
  ["without its large users", { ...GOOD, [LARGE_USERS]: [] }, [
    shrunk(LARGE_USERS, 0, 1),
  ]],
  [
    "without its neighbourhoods",
    { ...GOOD, [NEIGHBOURHOODS]: [] },
    [AC, SP, LARGE_USERS, UNITS].map((name) => {
      const lines = name === SP ? 100 : 1;
      return dangles(name, lines, lines);
    }),
  ],
  [
    "with many mangled lines",
    { [SP]: streets(100).map((it, i) => i % 10 === 0 ? `${it}@` : it) },
    [
      rejected(SP, 10, 100),
      shrunk("the new release", 96, 106),
      shrunk(SP, 90, 100),
    ],
  ],
  [
    "with damage of every kind, and reports all of it",
    {
      [AC]: [],
      [SP]: streets(50),
      [POSTS]: ["x", line("LOG_CPC", { LOC_NU: "98" })],
    },
    [
      rejected(POSTS, 1, 2),
      isEmpty(AC, "AC"),
      dangles(POSTS, 1, 2),
      shrunk("the new release", 55, 106),
      shrunk(AC, 0, 1),
      shrunk(SP, 50, 100),
    ],
  ],
  [
    "without a CEP",
    Object.fromEntries(Object.keys(LINES).map((name) => [name, []])),
    [
      shrunk("the new release", 0, 106),
      ...[POSTS, LARGE_USERS, LOCALITIES, AC, SP, UNITS].map((name) => {
        const before = { [SP]: 100, [LOCALITIES]: 2 }[name] ?? 1;
        return shrunk(name, 0, before);
      }),
      "the files contain no CEP",
    ],
  ],
];

Deno.test("seed refuses a damaged DNE and leaves the current release", async (t) => {
  await using opened = await OpenedStore.inMemory(GOOD);
  const { store } = opened;
  const before = await contentOf(store);
  for (const [name, files, signs] of DAMAGED) {
    await t.step(`a DNE ${name}`, async () => {
      const error = await assertRejects(
        () => seedFiles(store, files),
        SeedError,
      );
      assertEquals(error.message, `Cannot import: ${signs.join("; ")}`);
      assertEquals(await contentOf(store), before);
    });
  }
  await t.step("but accepts an undamaged DNE afterwards", async () => {
    await seedFiles(store, GOOD);
    assertEquals((await contentOf(store)).records, before.records);
  });
});

Deno.test("seed does not compare the first import", async () => {
  await using opened = await OpenedStore.inMemory();
  await assertRejects(
    () => seedFiles(opened.store, { [SP]: ["x"] }),
    SeedError,
    `Cannot import: ${SP}: 1 of 1 lines were rejected`,
  );
  assertEquals(await opened.store.release(), undefined);
  const { ceps } = await seedFiles(opened.store);
  assertEquals(ceps, CEPS.length);
});

/** Every reference between files, with its file, family and column. */
const REFERENCES: readonly [
  reference: string,
  file: string,
  family: Family,
  column: string,
][] = [
  [
    "the municipality of a district",
    LOCALITIES,
    "LOG_LOCALIDADE",
    "LOC_NU_SUB",
  ],
  [
    "the locality of a neighbourhood",
    NEIGHBOURHOODS,
    "LOG_BAIRRO",
    "LOC_NU",
  ],
  ["the locality of a street", SP, "LOG_LOGRADOURO", "LOC_NU"],
  ["the neighbourhood of a street", SP, "LOG_LOGRADOURO", "BAI_NU_INI"],
  ["the locality of a large user", LARGE_USERS, "LOG_GRANDE_USUARIO", "LOC_NU"],
  [
    "the neighbourhood of a large user",
    LARGE_USERS,
    "LOG_GRANDE_USUARIO",
    "BAI_NU",
  ],
  ["the locality of a unit", UNITS, "LOG_UNID_OPER", "LOC_NU"],
  ["the neighbourhood of a unit", UNITS, "LOG_UNID_OPER", "BAI_NU"],
  ["the locality of a community mailbox", POSTS, "LOG_CPC", "LOC_NU"],
];

/** Returns a file of 200 lines, some with unknown numbers in these columns. */
function dangling(
  file: string,
  family: Family,
  columns: readonly string[],
  count: number,
): Files {
  const [numberColumn] = COLUMNS[family];
  const lines = [...LINES[file]!];
  for (let i = 0; lines.length < 200; i++) {
    const number = String(300 + i);
    const broken = i < count ? columns : [];
    lines.push(line(family, {
      [numberColumn]: number,
      CEP: `12990${number}`,
      ...Object.fromEntries(broken.map((column) => [column, "98"])),
    }));
  }
  return { [file]: lines };
}

for (const [reference, file, family, column] of REFERENCES) {
  Deno.test(`seed allows ${reference} to dangle up to the limit`, async () => {
    await using opened = await OpenedStore.inMemory();
    const { store } = opened;
    await assertRejects(
      () => seedFiles(store, dangling(file, family, [column], 3)),
      SeedError,
      `Cannot import: ${file}: 3 of 200 lines refer to an unknown locality`,
    );
    assertEquals(await store.release(), undefined);
    const files = dangling(file, family, [column], 2);
    const report = await seedFiles(store, files);
    assertEquals(reportOf(report, file).dangling, 2);
  });
}

Deno.test("seed counts a line with two dangling references once", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
  const columns = ["LOC_NU", "BAI_NU_INI"];
  const files = dangling(SP, "LOG_LOGRADOURO", columns, 2);
  const report = reportOf(await seedFiles(store, files), SP);
  assertEquals(report.dangling, 2);
  assertEquals(report.warnings, {
    "unknown locality": 2,
    "unknown neighbourhood": 2,
  });
});

Deno.test("seed compares with the last release, not with the largest one", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
  for (const count of [100, 95, 91]) {
    await seedFiles(store, { [SP]: streets(count) });
  }
  await assertRejects(
    () => seedFiles(store, { [SP]: streets(86) }),
    SeedError,
  );
  assertEquals((await store.release())?.totalByFile[SP], 91);
});
