import {
  assert,
  assertEquals,
  assertObjectMatch,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../../cep/record/address.ts";
import { Importer } from "../../../../cep/import/dne/importer.ts";
import { SeedError, type Warning } from "../../../../cep/import/seed.ts";
import { CEPS, latin1, line, LINES, streets } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { countsOf, reportOf, seedFiles } from "../../_seeding.ts";
import { findAll, OpenedStore } from "../../_stores.ts";

const AC = "LOG_LOGRADOURO_AC.TXT";
const DF = "LOG_LOGRADOURO_DF.TXT";
const SP = "LOG_LOGRADOURO_SP.TXT";

Deno.test("seed rejects a line with a wrong column count and stores the rest", async () => {
  await using opened = await OpenedStore.inMemory();
  const lines = streets(200);
  const seventeenth = lines[16]!;
  lines[16] = seventeenth.replace("@S@", "@");
  const logger = new CapturingLogger();
  const report = await seedFiles(opened.store, { [SP]: lines }, { logger });
  assertEquals(countsOf(report, SP), [200, 199, 0, 1]);
  assertEquals(logger.at("warn"), [{
    file: SP,
    line: 17,
    reason: "wrong column count",
    detail: "10 instead of 11",
  }]);
  assertEquals((await opened.store.list("02000", 1)).total, 199);
  const around = ["02000015", "02000016", "02000017"];
  const found = await findAll(opened.store, around);
  assertEquals(found.map((it) => it?.cep), [around[0], undefined, around[2]]);
});

/** Lines at the beginning of a file, with the reason for their rejection. */
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
  ["one column", AC, "x", "wrong column count", "1 instead of 11"],
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
    await using opened = await OpenedStore.inMemory();
    const logger = new CapturingLogger();
    const before = LINES[file]!;
    const files = { [file]: [bad, ...before] };
    const options = { logger, maxRejectedPercent: 50 };
    const report = await seedFiles(opened.store, files, options);
    const { length } = before;
    assertEquals(countsOf(report, file), [length + 1, length, 0, 1]);
    assertEquals(logger.at("warn"), [{ file, line: 1, reason, detail }]);
    const found = await findAll(opened.store, CEPS);
    assertEquals(found.map((it) => it?.cep), CEPS);
    assertEquals(report.ceps, CEPS.length);
  });
}

/** Numbers of rejected lines: all, logged one by one, and logged as a total. */
const REJECTIONS: readonly [bad: number, logged: number, more: number][] = [
  [1, 1, 0],
  [20, 20, 0],
  [21, 20, 1],
  [10_000, 20, 9980],
];

for (const [bad, logged, more] of REJECTIONS) {
  Deno.test(`seed logs ${logged} of ${bad} rejected lines of a file, and ${more} as a total`, async () => {
    await using opened = await OpenedStore.inMemory();
    const logger = new CapturingLogger();
    const files = { [SP]: Array(bad).fill("x") };
    const report = await seedFiles(opened.store, files, {
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

Deno.test("seed limits the logged rejections of each file separately", async () => {
  await using opened = await OpenedStore.inMemory();
  const logger = new CapturingLogger();
  const files = { [AC]: Array(21).fill("x"), [SP]: Array(22).fill("x") };
  await seedFiles(opened.store, files, { logger, maxRejectedPercent: 100 });
  const sums = logger.at("warn").filter(({ lines }) => lines !== undefined);
  assertEquals(sums, [{ file: AC, lines: 1 }, { file: SP, lines: 2 }]);
  assertEquals(logger.at("warn").length, 42);
});

/** Text between and after the lines of a file that does not count as a line. */
const NO_LINES: readonly [name: string, between: string, end: string][] = [
  ["a blank line at the end", "", "\r\n\r\n"],
  ["blank lines between lines", "\r\n", "\r\n"],
  ["lines of spaces and tabs", " \t \r\n\n", "   "],
  ["a final Ctrl-Z", "", "\r\n\x1A"],
  ["a final Ctrl-Z with a line end", "", "\r\n\x1A\r\n"],
  ["a final Ctrl-Z on the last line", "", "\x1A"],
  ["a last block of Ctrl-Z", "", "\r\n" + "\x1A".repeat(100)],
  ["a last block of Ctrl-Z on the last line", "", "\x1A".repeat(100)],
];

for (const [name, between, end] of NO_LINES) {
  Deno.test(`seed ignores ${name}`, async () => {
    await using opened = await OpenedStore.inMemory();
    const logger = new CapturingLogger();
    const text = streets(3).join(`\r\n${between}`) + end;
    const report = await seedFiles(opened.store, { [SP]: latin1(text) }, {
      logger,
    });
    assertEquals(countsOf(report, SP), [3, 3, 0, 0]);
    assertEquals(logger.at("warn"), []);
    const { logradouro } = (await opened.store.find("02000002"))!;
    assertEquals(logradouro, "Rua Número 2");
  });
}

Deno.test("seed logs line numbers that count blank lines", async () => {
  await using opened = await OpenedStore.inMemory();
  const logger = new CapturingLogger();
  const [first, second] = streets(2);
  const lines = ["", first!, "", "", "x", second!, "\x1A", "y"];
  const report = await seedFiles(opened.store, { [SP]: lines }, {
    logger,
    maxRejectedPercent: 50,
  });
  assertEquals(countsOf(report, SP), [4, 2, 0, 2]);
  assertEquals(logger.at("warn").map(({ line }) => line), [5, 8]);
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
    "a municipality without an IBGE code",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { MUN_NU: "       " }),
    { "no IBGE code": 1 },
    "12990000",
    { cidade: "Lagoa Bonita", codigo_ibge: "" },
  ],
  [
    "a municipality with an unusable IBGE code",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { MUN_NU: "35999" }),
    { "unusable IBGE code": 1, "no IBGE code": 1 },
    "12990000",
    { cidade: "Lagoa Bonita", codigo_ibge: "" },
  ],
  [
    "a district with an unusable IBGE code",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { LOC_NU_SUB: "2", MUN_NU: "35999" }),
    { "unusable IBGE code": 1 },
    "12990000",
    { cidade: "Serra Clara", codigo_ibge: "3599902" },
  ],
  [
    "a locality without its general CEP",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "" }),
    { "no general CEP": 1 },
    "12900000",
    { cidade: "Serra Clara" },
  ],
  [
    "a locality in transition without its general CEP",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "", LOC_IN_SIT: "3" }),
    { "no general CEP": 1 },
    "12900000",
    { cidade: "Serra Clara" },
  ],
  ...["1", "2"].map((LOC_IN_SIT): typeof WARNINGS[number] => [
    `a locality coded by street (${LOC_IN_SIT}), which has no general CEP`,
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "", LOC_IN_SIT }),
    {},
    "12900000",
    { cidade: "Serra Clara" },
  ]),
  [
    "a municipality whose IBGE code has a second line",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { MUN_NU: "3599950\r1" }),
    { "unusable IBGE code": 1, "no IBGE code": 1 },
    "12990000",
    { codigo_ibge: "" },
  ],
  [
    "a large user without a neighbourhood",
    "LOG_GRANDE_USUARIO.TXT",
    line("LOG_GRANDE_USUARIO", { BAI_NU: "" }),
    { "unknown neighbourhood": 1 },
    "01990900",
    { bairro: "", cidade: "Vila Grande" },
  ],
  [
    "a locality whose CEP lacks its leading zero",
    "LOG_LOCALIDADE.TXT",
    line("LOG_LOCALIDADE", { CEP: "1999000" }),
    { "CEP padded with a zero": 1 },
    "01999000",
    { cidade: "Lagoa Bonita" },
  ],
  [
    "a community mailbox whose CEP lacks its leading zero",
    "LOG_CPC.TXT",
    line("LOG_CPC", { CEP: "1990990" }),
    { "CEP padded with a zero": 1 },
    "01990990",
    { nome: "Bar do Zé" },
  ],
];

for (const [name, file, added, warnings, cep, kept] of WARNINGS) {
  Deno.test(`seed keeps ${name} and counts a warning`, async () => {
    await using opened = await OpenedStore.inMemory();
    const report = await seedFiles(opened.store, {
      [file]: [...LINES[file]!, added],
    }, { maxDanglingPercent: 100 });
    const count = LINES[file]!.length + 1;
    assertEquals(countsOf(report, file), [count, count, 0, 0]);
    assertEquals(reportOf(report, file).warnings, warnings);
    const found = await opened.store.find(cep);
    assert(found);
    assertObjectMatch(found, kept);
  });
}

Deno.test("seed keeps a neighbourhood of an unknown locality and counts a warning", async () => {
  await using opened = await OpenedStore.inMemory();
  const file = "LOG_BAIRRO.TXT";
  const report = await seedFiles(opened.store, {
    [file]: [...LINES[file]!, line("LOG_BAIRRO", { LOC_NU: "98" })],
    [SP]: [line("LOG_LOGRADOURO", { BAI_NU_INI: "9" })],
  }, { maxDanglingPercent: 100 });
  assertEquals(countsOf(report, file), [5, 5, 0, 0]);
  assertEquals(reportOf(report, file).warnings, { "unknown locality": 1 });
  assertEquals((await opened.store.find("01990000"))?.bairro, "Jardim Alegre");
});

Deno.test("seed counts each warning of a line", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store, {
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

Deno.test("seed does not count warnings of lines that it does not store", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store, {
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

Deno.test("seed counts every line of mangled files once and logs each rejection", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
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
  // A DNE without a CEP would be refused.
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
      // A mangled last line without an end would be one that was cut off.
      [...lines, closed ? "" : LINES[name]![0]!].join(end)
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
    { numRuns: 10 },
  );
});

Deno.test("Importer.importFile reports why a file cannot be decoded", async () => {
  await using opened = await OpenedStore.inMemory();
  const staging = await opened.store.stage("a test");
  const importer = new Importer(staging, opened.log, () => 0);
  const error = await assertRejects(
    () =>
      importer.importFile({ name: SP, family: "LOG_LOGRADOURO" }, failing()),
    SeedError,
  );
  assertEquals(
    error.message,
    `Cannot import ${SP}: Array buffer allocation failed`,
  );
  await staging.discard();
});

// deno-lint-ignore require-yield -- fails before the first chunk
async function* failing(): AsyncGenerator<Uint8Array> {
  throw new RangeError("Array buffer allocation failed");
}
