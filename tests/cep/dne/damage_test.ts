import { assertEquals, assertRejects } from "@std/assert";
import {
  findDamage,
  type Imported,
  type Tolerance,
} from "../../../cep/dne/damage.ts";
import { COLUMNS, type Family } from "../../../cep/dne/layout.ts";
import type { FileReport } from "../../../cep/dne/report.ts";
import { SeedError, type SeedOptions } from "../../../cep/dne/seed.ts";
import { openStore, type Release } from "../../../cep/store/mod.ts";
import {
  CODES,
  contentOf,
  type Files,
  line,
  LINES,
  reportOf,
  seedFiles,
  streets,
  TempStore,
} from "../_fixtures.ts";

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

/** A file of 200 lines that are in order, but for the counts given. */
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

/** An import with these counts into an empty database, but for what is given. */
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

/** A present release with so many codes of each file. */
function present(totalByFile: Readonly<Record<string, number>>): Release {
  const totalCeps = Object.values(totalByFile).reduce((a, b) => a + b, 0);
  return {
    id: 1,
    dneVersion: "",
    seededAt: "2025-04-15T12:00:00.000Z",
    totalCeps,
    totalByState: { SP: totalCeps },
    totalByFile,
  };
}

Deno.test("findDamage finds nothing in a directory that is in order", () => {
  const files = [file(SP), file(POSTS)];
  assertEquals(findDamage(imported(files), STRICT), []);
  const replaced = present({ [SP]: 200, [POSTS]: 200 });
  assertEquals(findDamage(imported(files, { present: replaced }), STRICT), []);
});

/** Of a file of 200 lines, how many are wrong, and how many percent may be. */
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
      found
        ? [
          `${SP}: ${wrong} of 200 lines were rejected ` +
          `(SEED_MAX_REJECTED_PERCENT allows ${percent}%)`,
        ]
        : [],
    );
  });

  Deno.test(`findDamage ${verb} ${wrong} dangling lines of 200 at ${percent}%`, () => {
    const tolerance = { ...STRICT, maxDanglingPercent: percent };
    const files = [file(POSTS), file(SP, { dangling: wrong })];
    assertEquals(
      findDamage(imported(files), tolerance),
      found
        ? [
          `${SP}: ${wrong} of 200 lines refer to a locality, neighbourhood ` +
          "or municipality that is in no file " +
          `(SEED_MAX_DANGLING_PERCENT allows ${percent}%)`,
        ]
        : [],
    );
  });

  Deno.test(`findDamage ${verb} ${wrong} codes of 200 to be missing at ${percent}%`, () => {
    const tolerance = { ...STRICT, maxShrinkPercent: percent };
    // So that the files hold a code at all, one is new.
    const files = [file(SP, { codes: 200 - wrong }), file(POSTS, { codes: 1 })];
    const replaced = present({ [SP]: 200 });
    const [sign, ...more] = findDamage(
      imported(files, { present: replaced }),
      tolerance,
    ).filter((sign) => sign.startsWith(SP));
    assertEquals(more, []);
    assertEquals(
      sign,
      found
        ? `${SP} has ${200 - wrong} codes, the present release 200 ` +
          `(SEED_MAX_SHRINK_PERCENT allows ${percent}% less)`
        : undefined,
    );
  });
}

const SHRUNK: readonly [
  name: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  signs: readonly string[],
][] = [
  [
    "a directory and its file at the limit",
    { [SP]: 1000 },
    { [SP]: 950 },
    [],
  ],
  [
    "a directory and its file beyond the limit",
    { [SP]: 1000 },
    { [SP]: 949 },
    [
      "the directory has 949 codes, the present release 1000 " +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      `${SP} has 949 codes, the present release 1000 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "one file, while the directory hardly does",
    { [SP]: 1000, [POSTS]: 10 },
    { [SP]: 1000, [POSTS]: 9 },
    [
      `${POSTS} has 9 codes, the present release 10 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "one file, while the directory grows",
    { [SP]: 1000, [POSTS]: 10 },
    { [SP]: 2000, [POSTS]: 5 },
    [
      `${POSTS} has 5 codes, the present release 10 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "a file to nothing",
    { [SP]: 1000, [POSTS]: 10 },
    { [SP]: 1000 },
    [
      `${POSTS} has 0 codes, the present release 10 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  ["nothing", { [SP]: 1000 }, { [SP]: 1000 }, []],
  ["nothing, and another file is new", { [SP]: 10 }, { [SP]: 10, [AC]: 1 }, []],
  ["nothing of an empty release", {}, { [SP]: 1 }, []],
];

for (const [name, before, after, signs] of SHRUNK) {
  Deno.test(`findDamage compares with a release that shrinks by ${name}`, () => {
    const files = Object.entries(after)
      .map(([name, codes]) => file(name, { codes, lines: codes }));
    assertEquals(
      findDamage(imported(files, { present: present(before) }), STRICT),
      signs,
    );
  });
}

const EMPTY_SP = `${SP} is empty, and SP has localities coded by street ` +
  "(SEED_MAX_DANGLING_PERCENT=100 allows it)";

const EMPTY: readonly [
  name: string,
  lines: number,
  states: readonly string[],
  maxDanglingPercent: number,
  signs: readonly string[],
][] = [
  ["of a state coded by street", 0, ["AC", "SP"], 1, [EMPTY_SP]],
  ["of a state coded by street at 99.9%", 0, ["SP"], 99.9, [EMPTY_SP]],
  ["of a state coded by street at 100%", 0, ["SP"], 100, []],
  ["of a state not coded by street", 0, ["AC"], 1, []],
  ["that is not", 1, ["SP"], 1, []],
];

for (const [name, lines, states, maxDanglingPercent, signs] of EMPTY) {
  Deno.test(`findDamage looks at an empty street file ${name}`, () => {
    const files = [file(POSTS), file(AC), file(SP, { lines, codes: lines })];
    const statesCodedByStreet = new Set(states);
    const tolerance = { ...STRICT, maxDanglingPercent };
    assertEquals(
      findDamage(imported(files, { statesCodedByStreet }), tolerance),
      signs,
    );
  });
}

Deno.test("findDamage refuses files without a code, whatever is tolerated", () => {
  const files = [file(LOCALITIES, { codes: 0 }), file(SP, { codes: 0 })];
  const tolerance = {
    maxRejectedPercent: 100,
    maxDanglingPercent: 100,
    maxShrinkPercent: 100,
  };
  const replaced = present({ [SP]: 200 });
  for (const present of [undefined, replaced]) {
    assertEquals(findDamage(imported(files, { present }), tolerance), [
      "the files hold no code",
    ]);
  }
});

/** Releases are replaced in a database of a hundred streets and more. */
const GOOD: Files = { [SP]: streets(100) };

/** Directories that must not replace it. */
const DAMAGED: readonly [
  name: string,
  files: Files,
  signs: readonly string[],
][] = [
  [
    "whose streets of a state are empty",
    { ...GOOD, [AC]: [] },
    [
      `${AC} is empty, and AC has localities coded by street ` +
      "(SEED_MAX_DANGLING_PERCENT=100 allows it)",
      `${AC} has 0 codes, the present release 1 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "whose streets of a state are a blank line",
    { ...GOOD, [AC]: [""] },
    [
      `${AC} is empty, and AC has localities coded by street ` +
      "(SEED_MAX_DANGLING_PERCENT=100 allows it)",
      `${AC} has 0 codes, the present release 1 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "whose localities are cut off",
    { ...GOOD, [LOCALITIES]: LINES[LOCALITIES]!.slice(0, 1) },
    [
      `${NEIGHBOURHOODS}: 2 of 4 lines refer to a locality, neighbourhood or ` +
      "municipality that is in no file (SEED_MAX_DANGLING_PERCENT allows 1%)",
      `${AC}: 1 of 1 lines refer to a locality, neighbourhood or ` +
      "municipality that is in no file (SEED_MAX_DANGLING_PERCENT allows 1%)",
      `${UNITS}: 1 of 1 lines refer to a locality, neighbourhood or ` +
      "municipality that is in no file (SEED_MAX_DANGLING_PERCENT allows 1%)",
      `${POSTS}: 1 of 1 lines refer to a locality, neighbourhood or ` +
      "municipality that is in no file (SEED_MAX_DANGLING_PERCENT allows 1%)",
      `${LOCALITIES} has 0 codes, the present release 2 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "of half the streets of a state",
    { [SP]: streets(50) },
    [
      "the directory has 56 codes, the present release 106 " +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      `${SP} has 50 codes, the present release 100 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "without its large users",
    { ...GOOD, [LARGE_USERS]: [] },
    [
      `${LARGE_USERS} has 0 codes, the present release 1 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "without its neighbourhoods",
    { ...GOOD, [NEIGHBOURHOODS]: [] },
    [AC, SP, LARGE_USERS, UNITS].map((name) => {
      const lines = name === SP ? 100 : 1;
      return `${name}: ${lines} of ${lines} lines refer to a locality, ` +
        "neighbourhood or municipality that is in no file " +
        "(SEED_MAX_DANGLING_PERCENT allows 1%)";
    }),
  ],
  [
    "of which many lines are mangled",
    { [SP]: streets(100).map((it, i) => i % 10 === 0 ? `${it}@` : it) },
    [
      `${SP}: 10 of 100 lines were rejected ` +
      "(SEED_MAX_REJECTED_PERCENT allows 1%)",
      "the directory has 96 codes, the present release 106 " +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      `${SP} has 90 codes, the present release 100 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "with damage of every kind, told at once",
    {
      [AC]: [],
      [SP]: streets(50),
      [POSTS]: ["x", line("LOG_CPC", { LOC_NU: "98" })],
    },
    [
      `${POSTS}: 1 of 2 lines were rejected ` +
      "(SEED_MAX_REJECTED_PERCENT allows 1%)",
      `${AC} is empty, and AC has localities coded by street ` +
      "(SEED_MAX_DANGLING_PERCENT=100 allows it)",
      `${POSTS}: 1 of 2 lines refer to a locality, neighbourhood or ` +
      "municipality that is in no file (SEED_MAX_DANGLING_PERCENT allows 1%)",
      "the directory has 55 codes, the present release 106 " +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      `${AC} has 0 codes, the present release 1 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      `${SP} has 50 codes, the present release 100 ` +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
    ],
  ],
  [
    "without a code",
    Object.fromEntries(Object.keys(LINES).map((name) => [name, []])),
    [
      "the directory has 0 codes, the present release 106 " +
      "(SEED_MAX_SHRINK_PERCENT allows 5% less)",
      ...[POSTS, LARGE_USERS, LOCALITIES, AC, SP, UNITS].map((name) => {
        const before = { [SP]: 100, [LOCALITIES]: 2 }[name] ?? 1;
        return `${name} has 0 codes, the present release ${before} ` +
          "(SEED_MAX_SHRINK_PERCENT allows 5% less)";
      }),
      "the files hold no code",
    ],
  ],
];

for (const [name, files, signs] of DAMAGED) {
  Deno.test(`seed refuses a directory ${name}, and the present release answers`, async () => {
    await using temp = await TempStore.open(GOOD);
    const before = await contentOf(temp.store);
    const error = await assertRejects(
      () => seedFiles(temp.store, files),
      SeedError,
    );
    assertEquals(error.message, `Cannot import: ${signs.join("; ")}`);
    assertEquals(await contentOf(temp.store), before);
    // The next import finds nothing in its way.
    await seedFiles(temp.store, GOOD);
    const after = await contentOf(temp.store);
    assertEquals(after.records, before.records);
  });
}

Deno.test("seed compares the first import with nothing", async () => {
  await using temp = await TempStore.open();
  await assertRejects(
    () => seedFiles(temp.store, { [SP]: ["x"] }),
    SeedError,
    `Cannot import: ${SP}: 1 of 1 lines were rejected`,
  );
  assertEquals(await temp.store.release(), undefined);
  const { ceps } = await seedFiles(temp.store);
  assertEquals(ceps, CODES.length);
});

/** Every reference of the directory: the file and the column that has it. */
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
  ["the locality of a community post", POSTS, "LOG_CPC", "LOC_NU"],
];

/** A file of 200 lines, in so many of which these columns lead nowhere. */
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
  Deno.test(`seed refuses ${reference} to dangle beyond the limit, not at it`, async () => {
    const store = await openStore({ path: ":memory:" });
    try {
      await assertRejects(
        () => seedFiles(store, dangling(file, family, [column], 3)),
        SeedError,
        `Cannot import: ${file}: 3 of 200 lines refer to a locality`,
      );
      assertEquals(await store.release(), undefined);
      const files = dangling(file, family, [column], 2);
      const report = await seedFiles(store, files);
      assertEquals(reportOf(report, file).dangling, 2);
    } finally {
      await store.close();
    }
  });
}

Deno.test("seed counts a line once that dangles twice", async () => {
  const store = await openStore({ path: ":memory:" });
  try {
    const columns = ["LOC_NU", "BAI_NU_INI"];
    const files = dangling(SP, "LOG_LOGRADOURO", columns, 2);
    const report = reportOf(await seedFiles(store, files), SP);
    assertEquals(report.dangling, 2);
    assertEquals(report.warnings, {
      "unknown locality": 2,
      "unknown neighbourhood": 2,
    });
  } finally {
    await store.close();
  }
});

/** Damaged directories, the options that allow them, and those that do not. */
const ALLOWED: readonly [
  name: string,
  files: Files,
  allowing: Partial<SeedOptions>,
  refusing: Partial<SeedOptions>,
][] = [
  [
    "an empty state",
    { ...GOOD, [AC]: [] },
    { maxDanglingPercent: 100, maxShrinkPercent: 100 },
    { maxDanglingPercent: 99.9, maxShrinkPercent: 100 },
  ],
  [
    "half the streets",
    { [SP]: streets(50) },
    { maxShrinkPercent: 50 },
    { maxShrinkPercent: 49.9 },
  ],
  [
    "streets at the limit",
    { [SP]: streets(95) },
    {},
    { maxShrinkPercent: 4.9 },
  ],
  [
    "rejected lines",
    { [SP]: streets(100).map((it, i) => i < 4 ? "x" : it) },
    { maxRejectedPercent: 4 },
    { maxRejectedPercent: 3.9 },
  ],
];

for (const [name, files, allowing, refusing] of ALLOWED) {
  Deno.test(`seed accepts ${name} as far as the options allow`, async () => {
    const store = await openStore({ path: ":memory:" });
    try {
      await seedFiles(store, GOOD);
      await assertRejects(() => seedFiles(store, files, refusing), SeedError);
      const { ceps } = await seedFiles(store, files, allowing);
      assertEquals((await store.release())?.totalCeps, ceps);
    } finally {
      await store.close();
    }
  });
}

Deno.test("seed compares with the release before, not with the greatest", async () => {
  const store = await openStore({ path: ":memory:" });
  try {
    for (const count of [100, 95, 91]) {
      await seedFiles(store, { [SP]: streets(count) });
    }
    await assertRejects(
      () => seedFiles(store, { [SP]: streets(86) }),
      SeedError,
    );
    assertEquals((await store.release())?.totalByFile[SP], 91);
  } finally {
    await store.close();
  }
});
