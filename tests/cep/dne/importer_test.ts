import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Address } from "../../../cep/address.ts";
import type { Warning } from "../../../cep/dne/seed.ts";
import { openStore } from "../../../cep/store/mod.ts";
import {
  CapturingLogger,
  CODES,
  countsOf,
  findAll,
  latin1,
  line,
  LINES,
  reportOf,
  seedFiles,
  streets,
  TempStore,
} from "../_fixtures.ts";

const AC = "LOG_LOGRADOURO_AC.TXT";
const DF = "LOG_LOGRADOURO_DF.TXT";
const SP = "LOG_LOGRADOURO_SP.TXT";

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
  const around = ["02000015", "02000016", "02000017"];
  const found = await findAll(temp.store, around);
  assertEquals(found.map((it) => it?.cep), [around[0], undefined, around[2]]);
});

/** A line in front of the others of its file, and why it is rejected. */
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
  ["nothing but text", AC, "x", "wrong column count", "1 instead of 11"],
  [
    "a CEP of seven digits outside SP",
    "LOG_CPC.TXT",
    line("LOG_CPC", { UFE_SG: "AC", CEP: "9990990" }),
    "unusable CEP",
    "9990990",
  ],
  [
    "a NUL in a name",
    "LOG_CPC.TXT",
    line("LOG_CPC", { CPC_NO: "Bar\0do Zé" }),
    "NUL character",
    "",
  ],
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
    const found = await findAll(temp.store, CODES);
    assertEquals(found.map((it) => it?.cep), CODES);
    assertEquals(report.ceps, CODES.length);
  });
}

/** Files of so many bad lines: how many are logged, and how many then told. */
const REJECTIONS: readonly [bad: number, logged: number, more: number][] = [
  [1, 1, 0],
  [20, 20, 0],
  [21, 20, 1],
  [10_000, 20, 9980],
];

for (const [bad, logged, more] of REJECTIONS) {
  Deno.test(`seed logs ${logged} of ${bad} rejected lines of a file and sums up ${more}`, async () => {
    await using temp = await TempStore.open();
    const logger = new CapturingLogger();
    const files = { [SP]: Array(bad).fill("x") };
    const report = await seedFiles(temp.store, files, {
      logger,
      maxRejectedPercent: 100,
    });
    assertEquals(countsOf(report, SP), [bad, 0, 0, bad]);
    const warnings = logger.at("warn");
    assertEquals(
      warnings.slice(0, logged).map(({ line }) => line),
      Array.from({ length: logged }, (_, i) => i + 1),
    );
    assertEquals(
      warnings.slice(logged),
      more === 0 ? [] : [{ file: SP, lines: more }],
    );
  });
}

Deno.test("seed logs the rejected lines of each file apart", async () => {
  await using temp = await TempStore.open();
  const logger = new CapturingLogger();
  const files = { [AC]: Array(21).fill("x"), [SP]: Array(22).fill("x") };
  await seedFiles(temp.store, files, { logger, maxRejectedPercent: 100 });
  const sums = logger.at("warn").filter(({ lines }) => lines !== undefined);
  assertEquals(sums, [{ file: AC, lines: 1 }, { file: SP, lines: 2 }]);
  assertEquals(logger.at("warn").length, 42);
});

/** What stands between and behind the lines of a file, and is no line. */
const NO_LINES: readonly [name: string, between: string, end: string][] = [
  ["a blank line at the end", "", "\r\n\r\n"],
  ["blank lines between lines", "\r\n", "\r\n"],
  ["lines of blanks and tabs", " \t \r\n\n", "   "],
  ["a final Ctrl-Z", "", "\r\n\x1A"],
  ["a final Ctrl-Z with a line end", "", "\r\n\x1A\r\n"],
  ["a final Ctrl-Z behind the last line", "", "\x1A"],
  ["a last block of Ctrl-Z", "", "\r\n" + "\x1A".repeat(100)],
  ["a last block of Ctrl-Z behind the last line", "", "\x1A".repeat(100)],
];

for (const [name, between, end] of NO_LINES) {
  Deno.test(`seed takes for no line ${name}`, async () => {
    await using temp = await TempStore.open();
    const logger = new CapturingLogger();
    const text = streets(3).join(`\r\n${between}`) + end;
    const report = await seedFiles(temp.store, { [SP]: latin1(text) }, {
      logger,
    });
    assertEquals(countsOf(report, SP), [3, 3, 0, 0]);
    assertEquals(logger.at("warn"), []);
    const { logradouro } = (await temp.store.find("02000002"))!;
    assertEquals(logradouro, "Rua Número 2");
  });
}

Deno.test("seed logs the numbers that lines have in the file, blank ones too", async () => {
  await using temp = await TempStore.open();
  const logger = new CapturingLogger();
  const [first, second] = streets(2);
  const lines = ["", first!, "", "", "x", second!, "\x1A", "y"];
  const report = await seedFiles(temp.store, { [SP]: lines }, {
    logger,
    maxRejectedPercent: 50,
  });
  assertEquals(countsOf(report, SP), [4, 2, 0, 2]);
  assertEquals(logger.at("warn").map(({ line }) => line), [5, 8]);
});

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
      assertEquals((await temp.store.list("", 1)).total, CODES.length + 1);
    });
  }
}

/** The rows of the table that keeps duplicates, in their order. */
function duplicatesIn(directory: string): unknown[] {
  const database = new DatabaseSync(join(directory, "cep.db"), {
    readOnly: true,
  });
  try {
    return database.prepare(
      `SELECT printf('%08d', cep) AS cep, numero, loc_nu, bai_nu,
       prefixo || logradouro AS logradouro, complemento, nome, tipo_origem,
       uf, nome_origem
       FROM duplicado JOIN origem ON origem.id = origem
       ORDER BY duplicado.id`,
    ).all().map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

Deno.test("seed keeps what lost its code, in the order of precedence", async () => {
  await using temp = await TempStore.open();
  const again: Record<string, string[]> = {};
  for (const [, file, line] of CLAIMS) {
    again[file] = [...LINES[file]!, line];
  }
  again["LOG_LOCALIDADE.TXT"]!.push(
    line("LOG_LOCALIDADE", { LOC_NU: "10", CEP: SAME }),
  );
  const report = await seedFiles(temp.store, again);
  assertEquals(report.ceps, CODES.length + 1);
  const lost = { cep: SAME, complemento: "", nome: "", uf: "SP" };
  assertEquals(duplicatesIn(temp.directory.path), [
    {
      ...lost,
      numero: 10,
      loc_nu: 10,
      bai_nu: null,
      logradouro: "",
      tipo_origem: "localidade",
      nome_origem: "LOG_LOCALIDADE.TXT",
    },
    {
      ...lost,
      numero: 9,
      loc_nu: 1,
      bai_nu: 1,
      logradouro: "Rua das Acácias",
      tipo_origem: "logradouro",
      nome_origem: SP,
    },
    {
      ...lost,
      numero: 9,
      loc_nu: 1,
      bai_nu: 1,
      logradouro: "Rua das Acácias, 9",
      nome: "Fábrica Estrela",
      tipo_origem: "grande_usuario",
      nome_origem: "LOG_GRANDE_USUARIO.TXT",
    },
    {
      ...lost,
      numero: 9,
      loc_nu: 1,
      bai_nu: 1,
      logradouro: "Rua das Acácias, 90",
      nome: "AC Acácias",
      tipo_origem: "unid_oper",
      nome_origem: "LOG_UNID_OPER.TXT",
    },
    {
      ...lost,
      numero: 9,
      loc_nu: 1,
      bai_nu: null,
      logradouro: "Estrada Velha, km 9",
      nome: "Bar do Zé",
      tipo_origem: "cpc",
      nome_origem: "LOG_CPC.TXT",
    },
  ]);
  assertEquals((await temp.store.release())?.totalCeps, CODES.length + 1);
});

Deno.test("seed keeps every duplicate of a file that is there twice over", async () => {
  await using temp = await TempStore.open();
  const lines = streets(1700);
  const report = await seedFiles(temp.store, { [SP]: [...lines, ...lines] });
  assertEquals(countsOf(report, SP), [3400, 1700, 1700, 0]);
  const kept = duplicatesIn(temp.directory.path) as { cep: string }[];
  assertEquals(
    kept.map(({ cep }) => cep),
    lines.map((_, i) => `0${2_000_000 + i}`),
  );
});

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
    "a municipality with an unusable code at IBGE",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { MUN_NU: "35999" }),
    { "unusable IBGE code": 1, "no IBGE code": 1 },
    "12990000",
    { cidade: "Lagoa Bonita", codigo_ibge: "" },
  ],
  [
    "a district with an unusable code at IBGE",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { LOC_NU_SUB: "2", MUN_NU: "35999" }),
    { "unusable IBGE code": 1 },
    "12990000",
    { cidade: "Serra Clara", codigo_ibge: "3599902" },
  ],
  [
    "a locality that lacks its general code",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "" }),
    { "no general CEP": 1 },
    "12900000",
    { cidade: "Serra Clara" },
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
    }, { maxDanglingPercent: 100 });
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
  }, { maxDanglingPercent: 100 });
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
  }, { maxDanglingPercent: 100 });
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
  assertEquals(reportOf(report, SP).dangling, 0);
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
    // A directory without a code would be refused.
    const sure = [line("LOG_LOGRADOURO", { UFE_SG: "DF", CEP: "70990000" })];
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
        const report = await seedFiles(store, { ...files, [DF]: sure }, {
          logger,
          maxRejectedPercent: 100,
          maxDanglingPercent: 100,
          maxShrinkPercent: 100,
        });
        for (const it of report.files) {
          if (it.file === DF) continue;
          const lines = (texts.get(it.file) ?? "").split("\n")
            .filter((text) => text.trim() !== "");
          assertEquals(it.lines, lines.length, it.file);
          const sum = it.stored + it.duplicates + it.rejected;
          assertEquals(sum, it.lines, it.file);
          const logged = logger.at("warn").filter((warning) =>
            warning.file === it.file
          );
          assertEquals(logged.length, it.rejected, it.file);
        }
        assertEquals((await store.list("", 1)).total, report.ceps);
        assertEquals((await store.release())?.totalCeps, report.ceps);
      }),
      { numRuns: 40 },
    );
  } finally {
    await store.close();
  }
});
