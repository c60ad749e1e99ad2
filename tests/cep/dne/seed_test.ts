import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Address } from "../../../cep/address.ts";
import { REQUIRED_FILES } from "../../../cep/dne/layout.ts";
import {
  DirectoryError,
  type FileReport,
  seed,
  SeedError,
  type SeedProgress,
  type SeedReport,
  type Store,
  type Warning,
} from "../../../cep/dne/seed.ts";
import { openStore } from "../../../cep/store/mod.ts";
import {
  WELL_KNOWN_STREETS,
  WELL_KNOWN_USERS,
} from "../../../scripts/well_known.ts";
import {
  CapturingLogger,
  CODES,
  encode,
  type Files,
  latin1,
  line,
  LINES,
  seedFiles,
  TempDirectory,
  TempStore,
  writeDirectory,
} from "../_fixtures.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const SP = "LOG_LOGRADOURO_SP.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";
const SAMPLE = fileURLToPath(
  new URL("../../../samples/dne", import.meta.url),
);

/** Streets of SP with codes of their own, from 02000000 on. */
function streets(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    line("LOG_LOGRADOURO", {
      LOG_NU: String(100 + i),
      LOG_NO: `Número ${i}`,
      CEP: String(2_000_000 + i).padStart(8, "0"),
    }));
}

function find(
  store: Store,
  codes: readonly string[],
): Promise<(Address | undefined)[]> {
  return Promise.all(codes.map((cep) => store.find(cep)));
}

async function cepsOf(store: Store, codes: readonly string[]) {
  return (await find(store, codes)).map((address) => address?.cep);
}

/** The number of codes that the database finds, one first digit after another. */
async function countCodes(store: Store): Promise<number> {
  const lists = await Promise.all(
    [..."0123456789"].map((digit) => store.list(digit, 1)),
  );
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/** All that a database with the small directory answers. */
async function contentOf(store: Store) {
  return {
    release: await store.release(),
    addresses: await find(store, CODES),
    total: await countCodes(store),
  };
}

function reportOf(report: SeedReport, file: string): FileReport {
  const found = report.files.find((it) => it.file === file);
  if (found === undefined) throw new Error(`No report of ${file}`);
  return found;
}

/** Lines, stored, duplicates and rejected. */
function countsOf(report: SeedReport, file: string): number[] {
  const { lines, stored, duplicates, rejected } = reportOf(report, file);
  return [lines, stored, duplicates, rejected];
}

function stagingTables(directory: string): unknown[] {
  const database = new DatabaseSync(join(directory, "cep.db"));
  try {
    return database.prepare(
      "SELECT name FROM sqlite_master WHERE name LIKE 'staging%'",
    ).all();
  } finally {
    database.close();
  }
}

Deno.test("seed imports the small directory, every field of every record", async () => {
  await using temp = await TempStore.open({});
  const sp = { uf: "SP", tipo_logradouro: "", complemento: "", nome: "" };
  const vilaGrande = {
    ...sp,
    distrito: "",
    cidade: "Vila Grande",
    codigo_ibge: "3599901",
  };
  const serraClara = {
    ...sp,
    distrito: "",
    cidade: "Serra Clara",
    codigo_ibge: "3599902",
  };
  const pontaAlta = { ...serraClara, distrito: "Ponte Alta" };
  assertEquals(await find(temp.store, CODES), [
    {
      ...vilaGrande,
      cep: "01900001",
      logradouro: "Rua das Flores",
      complemento: "de 1 a 99 - lado ímpar",
      bairro: "Centro",
      tipo_logradouro: "Rua",
      tipo_origem: "logradouro",
      nome_origem: SP,
    },
    {
      ...vilaGrande,
      cep: "01900002",
      logradouro: "QC 2 Conjunto Q",
      bairro: 'Jardim "Água"',
      tipo_logradouro: "Quadra",
      tipo_origem: "logradouro",
      nome_origem: SP,
    },
    {
      ...vilaGrande,
      cep: "01900900",
      logradouro: "Rua das Flores, 10",
      bairro: "Centro",
      tipo_origem: "grande_usuario",
      nome: "Banco Aurora",
      nome_origem: "LOG_GRANDE_USUARIO.TXT",
    },
    {
      ...serraClara,
      cep: "12900000",
      logradouro: "",
      bairro: "",
      tipo_origem: "localidade",
      nome_origem: "LOG_LOCALIDADE.TXT",
    },
    {
      ...serraClara,
      cep: "12900990",
      logradouro: "Estrada do Mel, km 3",
      bairro: "",
      tipo_origem: "cpc",
      nome: "Armazém da Serra",
      nome_origem: "LOG_CPC.TXT",
    },
    {
      ...pontaAlta,
      cep: "12905000",
      logradouro: "",
      bairro: "Ponte Alta",
      tipo_origem: "localidade",
      nome_origem: "LOG_LOCALIDADE.TXT",
    },
    {
      ...pontaAlta,
      cep: "12905970",
      logradouro: "Praça Central, s/n",
      bairro: "São João",
      tipo_origem: "unid_oper",
      nome: "AC Ponte Alta",
      nome_origem: "LOG_UNID_OPER.TXT",
    },
    {
      cep: "69990001",
      logradouro: "Travessa Três",
      complemento: "",
      bairro: "Cidade Nova",
      distrito: "",
      cidade: "Rio Manso",
      uf: "AC",
      codigo_ibge: "1299904",
      tipo_logradouro: "Travessa",
      tipo_origem: "logradouro",
      nome: "",
      nome_origem: AC,
    },
  ]);
});

Deno.test("seed reports every file, in the order of import", async () => {
  await using temp = await TempStore.open();
  const report = await seedFiles(temp.store);
  assertEquals(report.files.map(({ file }) => file), NAMES);
  for (const { file, milliseconds: _, ...counts } of report.files) {
    const lines = LINES[file]?.length ?? 0;
    assertEquals(counts, {
      lines,
      stored: lines,
      duplicates: 0,
      rejected: 0,
      warnings: {},
    }, file);
  }
  assertEquals(report.ceps, CODES.length);
});

Deno.test("seed hands over the report of each file once it is done", async () => {
  await using temp = await TempStore.open();
  const done: FileReport[] = [];
  const doneWhileReading: [file: string, done: number][] = [];
  const report = await seedFiles(temp.store, {}, {
    onFile: (file) => done.push(file),
    onProgress: ({ file }) => doneWhileReading.push([file, done.length]),
  });
  assertEquals(done, report.files);
  for (const [file, count] of doneWhileReading) {
    assertEquals(NAMES[count], file);
  }
});

Deno.test("seed logs nothing where nothing is rejected", async () => {
  await using temp = await TempStore.open();
  const logger = new CapturingLogger();
  await seedFiles(temp.store, {}, { logger });
  assertEquals(logger.at("warn"), []);
  assertEquals(logger.at("error"), []);
});

Deno.test("seed tells the time of the import and that spent on each file", async () => {
  await using temp = await TempStore.open();
  let now = Date.UTC(2025, 3, 15, 12);
  const report = await seedFiles(temp.store, {}, { now: () => now += 1000 });
  const { seededAt } = report;
  assertEquals(seededAt, new Date(now).toISOString());
  assertEquals((await temp.store.release())?.seededAt, seededAt);
  for (const { milliseconds } of report.files) {
    assertEquals(milliseconds, 1000);
  }
});

Deno.test("seed keeps release and report in the database", async () => {
  using directory = new TempDirectory();
  const store = await openStore({ path: directory.path });
  const report = await seedFiles(store, {
    "LEIAME.TXT": latin1("DNE versão 25041\r\n"),
    [SP]: [...LINES[SP]!, ...LINES[SP]!],
  });
  assertEquals(report.dneVersion, "25041");
  const { id: _, ...release } = (await store.release())!;
  assertEquals(release, {
    dneVersion: "25041",
    seededAt: report.seededAt,
    totalCeps: 8,
    totalByState: { AC: 1, SP: 7 },
  });
  await store.close();
  const database = new DatabaseSync(join(directory.path, "cep.db"));
  try {
    const rows = database.prepare("SELECT report FROM release").all();
    assertEquals(rows.length, 1);
    assertEquals(JSON.parse(String(rows[0]!.report)), report);
  } finally {
    database.close();
  }
});

Deno.test("seed rejects a line with a wrong column count and stores the rest", async () => {
  await using temp = await TempStore.open();
  const lines = streets(200);
  const seventeenth = lines[16]!;
  lines[16] = seventeenth.replace("@S@", "@");
  const logger = new CapturingLogger();
  const report = await seedFiles(temp.store, { [SP]: lines }, { logger });
  assertEquals(countsOf(report, SP), [200, 199, 0, 1]);
  assertEquals(logger.at("warn"), [{
    file: SP,
    line: 17,
    reason: "wrong column count",
    detail: "10 instead of 11",
  }]);
  assertEquals((await temp.store.list("02000", 1)).total, 199);
  assertEquals(await cepsOf(temp.store, ["02000015", "02000016", "02000017"]), [
    "02000015",
    undefined,
    "02000017",
  ]);
});

const REJECTED: readonly [
  name: string,
  file: string,
  line: string,
  reason: string,
  detail: string,
][] = [
  [
    "a CEP of 9 digits",
    SP,
    line("LOG_LOGRADOURO", { CEP: "019900000" }),
    "unusable CEP",
    "019900000",
  ],
  [
    "a CEP of letters",
    "LOG_CPC.TXT",
    line("LOG_CPC", { CEP: "ABCDEFGH" }),
    "unusable CEP",
    "ABCDEFGH",
  ],
  [
    "no CEP",
    "LOG_UNID_OPER.TXT",
    line("LOG_UNID_OPER", { CEP: "" }),
    "unusable CEP",
    "",
  ],
  [
    "an unknown state",
    "LOG_GRANDE_USUARIO.TXT",
    line("LOG_GRANDE_USUARIO", { UFE_SG: "XX" }),
    "unknown state",
    "XX",
  ],
  [
    "an unusable number",
    "LOG_BAIRRO.TXT",
    line("LOG_BAIRRO", { BAI_NU: "nove" }),
    "unusable number",
    "nove",
  ],
  [
    "an unusable CEP of a locality",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "1" }),
    "unusable CEP",
    "1",
  ],
  ["nothing in it", AC, "", "wrong column count", "1 instead of 11"],
  [
    "a separator in a name",
    "LOG_BAIRRO.TXT",
    line("LOG_BAIRRO", { BAI_NO: "Bar @ Mar" }),
    "wrong column count",
    "6 instead of 5",
  ],
];

for (const [name, file, bad, reason, detail] of REJECTED) {
  Deno.test(`seed rejects a line of ${file} with ${name}`, async () => {
    await using temp = await TempStore.open();
    const logger = new CapturingLogger();
    const before = LINES[file]!;
    const files = { [file]: [bad, ...before] };
    const options = { logger, maxRejectedPercent: 50 };
    const report = await seedFiles(temp.store, files, options);
    const { length } = before;
    assertEquals(countsOf(report, file), [length + 1, length, 0, 1]);
    assertEquals(logger.at("warn"), [{ file, line: 1, reason, detail }]);
    assertEquals(await cepsOf(temp.store, CODES), CODES);
    assertEquals(report.ceps, CODES.length);
  });
}

Deno.test("seed logs ten thousand rejected lines of a file and counts all", async () => {
  await using temp = await TempStore.open();
  const logger = new CapturingLogger();
  const files = { [SP]: Array(10_001).fill("x") };
  const report = await seedFiles(temp.store, files, {
    logger,
    maxRejectedPercent: 100,
  });
  assertEquals(countsOf(report, SP), [10_001, 0, 0, 10_001]);
  const warnings = logger.at("warn");
  assertEquals(warnings.length, 10_000);
  assertEquals(warnings.at(-1)?.line, 10_000);
});

Deno.test("seed refuses a file of which most lines are wrong, and the old data answers", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  const bad = streets(200).map((it, i) => i % 10 === 0 ? it : it + "@");
  await assertRejects(
    () => seedFiles(temp.store, { [SP]: bad, "LOG_CPC.TXT": [] }),
    SeedError,
    `too many lines are rejected, 180 of 200 in ${SP} (1 % of a file allowed)`,
  );
  assertEquals(await contentOf(temp.store), before);
  assertEquals(await cepsOf(temp.store, ["02000000"]), [undefined]);
  await temp.store.close();
  assertEquals(stagingTables(temp.directory.path), []);
});

Deno.test("seed names every file of which too many lines are wrong", async () => {
  await using temp = await TempStore.open();
  await assertRejects(
    () => seedFiles(temp.store, { [AC]: ["x"], "LOG_CPC.TXT": ["y", "z"] }),
    SeedError,
    `1 of 1 in ${AC}, 2 of 2 in LOG_CPC.TXT (1 %`,
  );
  assertEquals(await temp.store.release(), undefined);
});

const SHARES: readonly [rejected: number, percent: number, fails: boolean][] = [
  [2, 1, false],
  [3, 1, true],
  [3, 1.5, false],
  [4, 1.5, true],
  [0, 0, false],
  [1, 0, true],
  [200, 100, false],
];

for (const [rejected, maxRejectedPercent, fails] of SHARES) {
  const verb = fails ? "refuses" : "accepts";
  Deno.test(`seed ${verb} ${rejected} rejected lines of 200 where ${maxRejectedPercent} % may be`, async () => {
    await using temp = await TempStore.open();
    const lines = streets(200).map((it, i) => i < rejected ? "x" : it);
    const attempt = () =>
      seedFiles(temp.store, { [SP]: lines }, { maxRejectedPercent });
    if (fails) {
      await assertRejects(attempt, SeedError, SP);
      assertEquals(await temp.store.release(), undefined);
    } else {
      assertEquals(countsOf(await attempt(), SP)[3], rejected);
    }
  });
}

Deno.test("seed keeps the first of two lines of a file with one code", async () => {
  await using temp = await TempStore.open();
  const report = await seedFiles(temp.store, {
    [SP]: [
      line("LOG_LOGRADOURO", { LOG_NU: "1", LOG_NO: "Um", CEP: "01990000" }),
      line("LOG_LOGRADOURO", { LOG_NU: "2", LOG_NO: "Dois", CEP: "01990000" }),
      line("LOG_LOGRADOURO", { LOG_NU: "3", LOG_NO: "Três", CEP: "1990000" }),
    ],
  });
  assertEquals(countsOf(report, SP), [3, 1, 2, 0]);
  assertEquals(reportOf(report, SP).warnings, {});
  assertEquals((await temp.store.find("01990000"))?.logradouro, "Rua Um");
});

/** One code in each source, in the order of precedence. */
const SAME = "01950000";
const CLAIMS: readonly [origin: string, file: string, line: string][] = [
  ["localidade", "LOG_LOCALIDADE.TXT", line("LOG_LOCALIDADE", { CEP: SAME })],
  ["logradouro", SP, line("LOG_LOGRADOURO", { CEP: SAME })],
  [
    "grande_usuario",
    "LOG_GRANDE_USUARIO.TXT",
    line("LOG_GRANDE_USUARIO", { CEP: SAME }),
  ],
  ["unid_oper", "LOG_UNID_OPER.TXT", line("LOG_UNID_OPER", { CEP: SAME })],
  ["cpc", "LOG_CPC.TXT", line("LOG_CPC", { CEP: SAME })],
];

for (const [i, [first, firstFile, firstLine]] of CLAIMS.entries()) {
  for (const [second, secondFile, secondLine] of CLAIMS.slice(i + 1)) {
    Deno.test(`seed lets a code of ${first} win over one of ${second}`, async () => {
      await using temp = await TempStore.open();
      const report = await seedFiles(temp.store, {
        [firstFile]: [...LINES[firstFile]!, firstLine],
        [secondFile]: [secondLine, ...LINES[secondFile]!],
      });
      assertEquals((await temp.store.find(SAME))?.tipo_origem, first);
      assertEquals(reportOf(report, firstFile).duplicates, 0);
      const { length } = LINES[secondFile]!;
      assertEquals(countsOf(report, secondFile), [length + 1, length, 1, 0]);
      assertEquals(report.ceps, CODES.length + 1);
      assertEquals(await countCodes(temp.store), CODES.length + 1);
    });
  }
}

Deno.test("seed lets a code of an earlier state's file win", async () => {
  await using temp = await TempStore.open();
  const report = await seedFiles(temp.store, {
    [AC]: [line("LOG_LOGRADOURO", { CEP: SAME })],
    [SP]: [line("LOG_LOGRADOURO", { CEP: SAME })],
  });
  assertEquals((await temp.store.find(SAME))?.nome_origem, AC);
  assertEquals(countsOf(report, SP), [1, 0, 1, 0]);
});

Deno.test("seed keeps the first of two localities with one number", async () => {
  await using temp = await TempStore.open();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(temp.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "1", LOC_NO: "Outra", CEP: "12990000" }),
    ],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await temp.store.find("01900001"))?.cidade, "Vila Grande");
  assertEquals(await temp.store.find("12990000"), undefined);
});

Deno.test("seed keeps a locality whose code another has, for what lies in it", async () => {
  await using temp = await TempStore.open();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(temp.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "5", LOC_NO: "Nova", CEP: "12900000" }),
    ],
    [SP]: [line("LOG_LOGRADOURO", { LOC_NU: "5", CEP: "12990001" })],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await temp.store.find("12900000"))?.cidade, "Serra Clara");
  assertEquals((await temp.store.find("12990001"))?.cidade, "Nova");
});

Deno.test("seed keeps a locality whose code is rejected, for what lies in it", async () => {
  await using temp = await TempStore.open();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(temp.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "5", LOC_NO: "Nova", CEP: "1290000X" }),
    ],
    [SP]: [line("LOG_LOGRADOURO", { LOC_NU: "5", CEP: "12990001" })],
  }, { maxRejectedPercent: 20 });
  assertEquals(countsOf(report, file), [5, 4, 0, 1]);
  assertEquals(reportOf(report, SP).warnings, {});
  assertEquals((await temp.store.find("12990001"))?.cidade, "Nova");
});

Deno.test("seed keeps the first of two neighbourhoods with one number", async () => {
  await using temp = await TempStore.open();
  const file = "LOG_BAIRRO.TXT";
  const report = await seedFiles(temp.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_BAIRRO", { BAI_NU: "1", BAI_NO: "Outro" }),
    ],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await temp.store.find("01900001"))?.bairro, "Centro");
});

const WARNINGS: readonly [
  name: string,
  file: string,
  line: string,
  warnings: { readonly [W in Warning]?: number },
  cep: string,
  kept: Partial<Address>,
][] = [
  [
    "a street of an unknown locality",
    SP,
    line("LOG_LOGRADOURO", { LOC_NU: "98" }),
    { "unknown locality": 1 },
    "01990000",
    { logradouro: "Rua das Acácias", bairro: "Centro", cidade: "", uf: "SP" },
  ],
  [
    "a street of an unknown neighbourhood",
    SP,
    line("LOG_LOGRADOURO", { BAI_NU_INI: "98" }),
    { "unknown neighbourhood": 1 },
    "01990000",
    { logradouro: "Rua das Acácias", bairro: "", cidade: "Vila Grande" },
  ],
  [
    "a unit of an unknown locality and neighbourhood",
    "LOG_UNID_OPER.TXT",
    line("LOG_UNID_OPER", { LOC_NU: "98", BAI_NU: "98" }),
    { "unknown locality": 1, "unknown neighbourhood": 1 },
    "01990970",
    { nome: "AC Acácias", bairro: "", cidade: "", codigo_ibge: "" },
  ],
  [
    "a district of an unknown municipality",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { LOC_NU_SUB: "98", MUN_NU: "" }),
    { "unknown municipality of a district": 1, "no IBGE code": 1 },
    "12990000",
    { distrito: "Lagoa Bonita", bairro: "Lagoa Bonita", cidade: "", uf: "SP" },
  ],
  [
    "a municipality without a code at IBGE",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { MUN_NU: "       " }),
    { "no IBGE code": 1 },
    "12990000",
    { cidade: "Lagoa Bonita", codigo_ibge: "" },
  ],
  [
    "a locality whose code lost its zero",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "1999000" }),
    { "CEP padded with a zero": 1 },
    "01999000",
    { cidade: "Lagoa Bonita" },
  ],
  [
    "a community post whose code lost its zero",
    "LOG_CPC.TXT",
    line("LOG_CPC", { CEP: "1990990" }),
    { "CEP padded with a zero": 1 },
    "01990990",
    { nome: "Bar do Zé" },
  ],
];

for (const [name, file, added, warnings, cep, kept] of WARNINGS) {
  Deno.test(`seed keeps ${name} and counts a warning`, async () => {
    await using temp = await TempStore.open();
    const report = await seedFiles(temp.store, {
      [file]: [...LINES[file]!, added],
    });
    const count = LINES[file]!.length + 1;
    assertEquals(countsOf(report, file), [count, count, 0, 0]);
    assertEquals(reportOf(report, file).warnings, warnings);
    const found = await temp.store.find(cep);
    assert(found);
    assertEquals({ ...found, ...kept }, found);
  });
}

Deno.test("seed counts a neighbourhood of an unknown locality as a warning", async () => {
  await using temp = await TempStore.open();
  const file = "LOG_BAIRRO.TXT";
  const report = await seedFiles(temp.store, {
    [file]: [...LINES[file]!, line("LOG_BAIRRO", { LOC_NU: "98" })],
    [SP]: [line("LOG_LOGRADOURO", { BAI_NU_INI: "9" })],
  });
  assertEquals(countsOf(report, file), [5, 5, 0, 0]);
  assertEquals(reportOf(report, file).warnings, { "unknown locality": 1 });
  assertEquals((await temp.store.find("01990000"))?.bairro, "Jardim Alegre");
});

Deno.test("seed counts a warning for its line only", async () => {
  await using temp = await TempStore.open();
  const report = await seedFiles(temp.store, {
    [SP]: [
      line("LOG_LOGRADOURO", { BAI_NU_INI: "98", CEP: "01990001" }),
      line("LOG_LOGRADOURO", { CEP: "01990002" }),
      line("LOG_LOGRADOURO", { BAI_NU_INI: "98", CEP: "1990003" }),
      line("LOG_LOGRADOURO", { CEP: "01990004" }),
    ],
  });
  assertEquals(reportOf(report, SP).warnings, {
    "unknown neighbourhood": 2,
    "CEP padded with a zero": 1,
  });
});

Deno.test("seed counts no warnings of lines that it does not store", async () => {
  await using temp = await TempStore.open();
  const report = await seedFiles(temp.store, {
    [SP]: [
      line("LOG_LOGRADOURO"),
      line("LOG_LOGRADOURO", { BAI_NU_INI: "98" }),
      line("LOG_LOGRADOURO", { LOC_NU: "98", CEP: "9990000X" }),
      line("LOG_LOGRADOURO", { CEP: "01990001" }),
    ],
  }, { maxRejectedPercent: 50 });
  assertEquals(countsOf(report, SP), [4, 2, 1, 1]);
  assertEquals(reportOf(report, SP).warnings, {});
});

/** The small directory, written in other ways. */
const all = (change: (lines: readonly string[]) => Uint8Array): Files =>
  Object.fromEntries(NAMES.map((name) => [name, change(LINES[name] ?? [])]));
const WRITTEN: readonly [name: string, files: Files][] = [
  ["with LF", all((lines) => encode(lines, "\n"))],
  [
    "without the last line's CRLF",
    all((lines) => latin1(lines.join("\r\n"))),
  ],
  ["without the last line's LF", all((lines) => latin1(lines.join("\n")))],
  [
    "with names in lower case",
    Object.fromEntries(
      NAMES.map((name) => [name.toLowerCase(), LINES[name] ?? []]),
    ),
  ],
  [
    "with padding around every field",
    all((lines) =>
      encode(lines.map((it) => `  ${it.replaceAll("@", "   @  ")}     `))
    ),
  ],
];

for (const [name, files] of WRITTEN) {
  Deno.test(`seed reads files ${name}`, async () => {
    await using plain = await TempStore.open({});
    await using temp = await TempStore.open();
    const report = await seedFiles(temp.store, files);
    assertEquals(await find(temp.store, CODES), await find(plain.store, CODES));
    assertEquals(report.ceps, CODES.length);
    assertEquals(report.files.map(({ file }) => file), NAMES);
    for (const { file, lines, stored } of report.files) {
      const { length } = LINES[file] ?? [];
      assertEquals([lines, stored], [length, length], file);
    }
  });
}

Deno.test("seed takes a file of 0 bytes for an empty one", async () => {
  await using temp = await TempStore.open();
  const empty = Object.fromEntries(
    NAMES.slice(2).filter((name) => name !== AC)
      .map((name) => [name, new Uint8Array()]),
  );
  const report = await seedFiles(temp.store, empty);
  assertEquals(report.ceps, 3);
  assertEquals(countsOf(report, SP), [0, 0, 0, 0]);
  assertEquals(await countCodes(temp.store), 3);
});

Deno.test("seed reads a file of many chunks, line by line", async () => {
  await using temp = await TempStore.open();
  const lines = streets(15_000);
  assert(encode(lines).length > 2 * (1 << 18));
  const report = await seedFiles(temp.store, { [SP]: lines });
  assertEquals(countsOf(report, SP), [15_000, 15_000, 0, 0]);
  const codes = lines.map((_, i) => String(2_000_000 + i).padStart(8, "0"));
  const found = await find(temp.store, codes);
  assertEquals(
    found.map((address) => address?.logradouro),
    lines.map((_, i) => `Rua Número ${i}`),
  );
});

Deno.test("seed refuses too long a line by the name of its file, and the old data answers", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  const files = { "LOG_CPC.TXT": latin1("x".repeat(100_000)) };
  const error = await assertRejects(() => seedFiles(temp.store, files), Error);
  assertEquals(await contentOf(temp.store), before);
  assert(error.message.includes("LOG_CPC.TXT"), error.message);
});

Deno.test("seed refuses a directory without a single code, and the old data answers", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  const empty = Object.fromEntries(NAMES.map((name) => [name, []]));
  await assertRejects(() => seedFiles(temp.store, empty), SeedError, "no code");
  assertEquals(await contentOf(temp.store), before);
});

Deno.test("seed counts every line of mangled files once, and logs each rejection", async () => {
  const store = await openStore({ path: ":memory:" });
  try {
    const change = fc.oneof(
      { weight: 4, arbitrary: fc.constant((it: string) => it) },
      fc.constantFrom<(it: string) => string>(
        (it) => it.replace("@", ""),
        (it) => `${it}@`,
        (it) => it.replace(/\d{8}/, (cep) => cep.slice(1)),
        (it) => it.replace(/\d{8}/, (cep) => `${cep}0`),
        (it) => it.replace(/\d{8}/, "ABCDEFGH"),
        (it) => it.replace(/@(SP|AC)@/, "@XX@"),
        (it) => it.replace(/^\d+/, "1"),
        (it) => it.replace(/@\d@/, "@77@"),
        (it) => it.replace(/^\d+/, "x"),
        () => "",
      ),
      fc.stringMatching(/^[ -~]{0,30}$/).map((text) => () => text),
    );
    const names = Object.keys(LINES);
    const file = (name: string) =>
      fc.record({
        lines: fc.array(
          fc.tuple(fc.constantFrom(...LINES[name]!), change)
            .map(([text, change]) => change(text)),
          { maxLength: 12 },
        ),
        end: fc.constantFrom("\n", "\r\n"),
        closed: fc.boolean(),
      }).map(({ lines, end, closed }) =>
        lines.join(end) + (closed && lines.length > 0 ? end : "")
      );
    const directory = fc.tuple(...names.map(file)).map((texts) =>
      new Map(names.map((name, i) => [name, texts[i]!]))
    );
    await fc.assert(
      fc.asyncProperty(directory, async (texts) => {
        const files = Object.fromEntries(
          [...texts].map(([name, text]) => [name, latin1(text)]),
        );
        const logger = new CapturingLogger();
        const report = await seedFiles(store, files, {
          logger,
          maxRejectedPercent: 100,
        });
        for (const it of report.files) {
          const lines = (texts.get(it.file) ?? "").split(/\r?\n/);
          if (lines.at(-1) === "") lines.pop();
          assertEquals(it.lines, lines.length, it.file);
          const sum = it.stored + it.duplicates + it.rejected;
          assertEquals(sum, it.lines, it.file);
          const logged = logger.at("warn").filter((warning) =>
            warning.file === it.file
          );
          assertEquals(logged.length, it.rejected, it.file);
        }
        assertEquals(await countCodes(store), report.ceps);
        assertEquals((await store.release())?.totalCeps, report.ceps);
      }),
      { numRuns: 40 },
    );
  } finally {
    await store.close();
  }
});

Deno.test("seed takes away codes that are gone from the new files", async () => {
  await using temp = await TempStore.open({});
  const report = await seedFiles(temp.store, { [AC]: [], "LOG_CPC.TXT": [] });
  assertEquals(report.ceps, CODES.length - 2);
  const gone = ["12900990", "69990001"];
  const expected = CODES.map((cep) => gone.includes(cep) ? undefined : cep);
  assertEquals(await cepsOf(temp.store, CODES), expected);
  assertEquals((await temp.store.list("69", 100)).total, 0);
  assertEquals((await temp.store.release())?.totalByState, { SP: 6 });
});

Deno.test("seed does the same a second time, under another release", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  await seedFiles(temp.store);
  const after = await contentOf(temp.store);
  assertEquals(after.addresses, before.addresses);
  assertEquals(after.total, before.total);
  assertNotEquals(after.release?.id, before.release?.id);
});

Deno.test("seed shows nothing of the new data before all is there", async () => {
  await using temp = await TempStore.open({});
  const reader = await openStore({ path: temp.directory.path });
  try {
    const asked = [...CODES, "02000000"];
    const before = await find(reader, asked);
    const during: Promise<(Address | undefined)[]>[] = [];
    await seedFiles(temp.store, { [SP]: streets(9000) }, {
      onProgress: () => during.push(find(reader, asked)),
    });
    const after = await find(reader, asked);
    const answers = await Promise.all(during);
    assertEquals(answers[0], before);
    // One of the last may be answered after the swap, but none in between.
    const swap = answers.findIndex((it) => it.at(-1) !== undefined);
    const oldAnswers = swap < 0 ? answers : answers.slice(0, swap);
    for (const answer of oldAnswers) assertEquals(answer, before);
    for (const answer of answers.slice(oldAnswers.length)) {
      assertEquals(answer, after);
    }
    assertEquals(after.map((it) => it?.cep), [
      ...[undefined, undefined],
      ...asked.slice(2),
    ]);
  } finally {
    await reader.close();
  }
});

Deno.test("seed touches no database for a directory that cannot be imported", async () => {
  using directory = new TempDirectory();
  writeDirectory(directory.path, { "LOG_CPC.TXT": null });
  const store = {
    stage: () => Promise.reject(new Error("the database was touched")),
  };
  await assertRejects(
    () => seed({ store, directory: directory.path }),
    DirectoryError,
    "LOG_CPC.TXT is missing",
  );
});

Deno.test("seed refuses a UTF-8 file, and the old data answers", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  const utf8 = new TextEncoder().encode(LINES[SP]!.join("\r\n"));
  await assertRejects(
    () => seedFiles(temp.store, { [SP]: utf8 }),
    DirectoryError,
    `${SP} is not ISO-8859-1, it is UTF-8`,
  );
  assertEquals(await contentOf(temp.store), before);
});

Deno.test("seed is given up by a signal that was aborted before", async () => {
  await using temp = await TempStore.open({});
  const before = await contentOf(temp.store);
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(
    () => seedFiles(temp.store, { [SP]: [] }, { signal }),
    Error,
    "enough",
  );
  assertEquals(await contentOf(temp.store), before);
});

for (const file of ["LOG_LOCALIDADE.TXT", SP, "LOG_CPC.TXT"]) {
  Deno.test(`seed is given up by a signal while ${file} is read, and the old data answers`, async () => {
    await using temp = await TempStore.open({});
    const before = await contentOf(temp.store);
    const controller = new AbortController();
    const attempt = () =>
      seedFiles(temp.store, { [SP]: streets(9000) }, {
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.file === file) controller.abort(new Error("enough"));
        },
      });
    await assertRejects(attempt, Error, "enough");
    assertEquals(await contentOf(temp.store), before);

    await seedFiles(temp.store, { [AC]: [] });
    assertEquals(await countCodes(temp.store), CODES.length - 1);
    await temp.store.close();
    assertEquals(stagingTables(temp.directory.path), []);
  });
}

Deno.test("seed tells its progress up to the last byte", async () => {
  await using temp = await TempStore.open();
  using directory = new TempDirectory();
  writeDirectory(directory.path, { [SP]: streets(9000) });
  const totalBytes = NAMES.reduce(
    (sum, name) => sum + statSync(join(directory.path, name)).size,
    0,
  );
  const steps: SeedProgress[] = [];
  const report = await seed({
    store: temp.store,
    directory: directory.path,
    logger: new CapturingLogger(),
    onProgress: (progress) => steps.push(progress),
  });
  assertEquals(
    new Set(steps.map((step) => step.totalBytes)),
    new Set([totalBytes]),
  );
  assertEquals(steps.at(-1)?.bytes, totalBytes);
  const files = steps.map(({ file }) => file);
  assertEquals([...new Set(files)], Object.keys(LINES));
  assert(files.filter((file) => file === SP).length > 1);
  const inOrder = (values: number[]) =>
    assertEquals(values, values.toSorted((a, b) => a - b));
  inOrder(steps.map(({ bytes }) => bytes));
  inOrder(steps.map(({ codes }) => codes));
  assert(steps.at(-1)!.codes > 9000);
  assert(steps.at(-1)!.codes <= report.ceps);
});

Deno.test("seed imports the bundled sample without a rejected line", async (t) => {
  await using temp = await TempStore.open();
  const report = await seed({
    store: temp.store,
    directory: SAMPLE,
    logger: new CapturingLogger(),
  });
  let codes = 0;
  for (const it of report.files) {
    const text = readFileSync(join(SAMPLE, it.file), "latin1");
    const lines = text.split("\r\n").slice(0, -1);
    const { lines: read, stored, duplicates, rejected } = it;
    assertEquals([read, stored, duplicates, rejected], [
      lines.length,
      read,
      0,
      0,
    ]);
    for (const warning of Object.keys(it.warnings)) {
      // A few municipalities of the sample are new; nothing in it dangles.
      assertEquals(warning, "no IBGE code", it.file);
    }
    if (it.file !== "LOG_BAIRRO.TXT") {
      codes += lines.filter((line) => /@\d{8}(@|$)/.test(line)).length;
    }
  }
  assertEquals(report.ceps, codes);
  assertEquals(await countCodes(temp.store), codes);
  const release = await temp.store.release();
  assertEquals(Object.keys(release?.totalByState ?? {}).length, 27);

  await t.step("every well-known street is right", async () => {
    for (const it of WELL_KNOWN_STREETS) {
      const found = await temp.store.find(it.cep);
      assertEquals(found?.bairro, it.neighbourhood, it.cep);
      assertEquals(found?.uf, it.uf, it.cep);
      assertEquals(found?.tipo_logradouro, it.type, it.cep);
      assertEquals(found?.complemento, it.complement.replace("- ", ""), it.cep);
      assertEquals(
        found?.logradouro,
        it.typeIsWritten ? `${it.type} ${it.name}` : it.name,
        it.cep,
      );
      assertEquals(found?.nome_origem, `LOG_LOGRADOURO_${it.uf}.TXT`, it.cep);
    }
  });

  await t.step("every well-known large user is right", async () => {
    for (const it of WELL_KNOWN_USERS) {
      const found = await temp.store.find(it.cep);
      assertEquals(found?.nome, it.name, it.cep);
      assertEquals(found?.logradouro, it.address, it.cep);
      assertEquals(found?.bairro, it.neighbourhood, it.cep);
      assertEquals(found?.tipo_origem, "grande_usuario", it.cep);
    }
  });
});

const WELL_KNOWN: readonly Address[] = [
  {
    cep: "01310100",
    logradouro: "Avenida Paulista",
    complemento: "de 612 a 1510 - lado par",
    bairro: "Bela Vista",
    distrito: "",
    cidade: "São Paulo",
    uf: "SP",
    codigo_ibge: "3550308",
    tipo_logradouro: "Avenida",
    tipo_origem: "logradouro",
    nome: "",
    nome_origem: "LOG_LOGRADOURO_SP.TXT",
  },
  {
    cep: "01001000",
    logradouro: "Praça da Sé",
    complemento: "lado ímpar",
    bairro: "Sé",
    distrito: "",
    cidade: "São Paulo",
    uf: "SP",
    codigo_ibge: "3550308",
    tipo_logradouro: "Praça",
    tipo_origem: "logradouro",
    nome: "",
    nome_origem: "LOG_LOGRADOURO_SP.TXT",
  },
  {
    cep: "70040010",
    logradouro: "SBN Quadra 1",
    complemento: "",
    bairro: "Asa Norte",
    distrito: "",
    cidade: "Brasília",
    uf: "DF",
    codigo_ibge: "5300108",
    tipo_logradouro: "Quadra",
    tipo_origem: "logradouro",
    nome: "",
    nome_origem: "LOG_LOGRADOURO_DF.TXT",
  },
  {
    cep: "70150900",
    logradouro: "Praça dos Três Poderes, s/n",
    complemento: "",
    bairro: "Zona Cívico-Administrativa",
    distrito: "",
    cidade: "Brasília",
    uf: "DF",
    codigo_ibge: "5300108",
    tipo_logradouro: "",
    tipo_origem: "grande_usuario",
    nome: "Palácio do Planalto",
    nome_origem: "LOG_GRANDE_USUARIO.TXT",
  },
];

Deno.test("seed gets well-known addresses of the bundled sample right", async () => {
  await using temp = await TempStore.open();
  await seed({
    store: temp.store,
    directory: SAMPLE,
    logger: new CapturingLogger(),
  });
  for (const address of WELL_KNOWN) {
    assertEquals(await temp.store.find(address.cep), address);
  }
});
