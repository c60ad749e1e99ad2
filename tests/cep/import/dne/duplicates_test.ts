/** Lines with the CEP or the number of another line. */
import { assertEquals } from "@std/assert";
import { CEPS, line, LINES, streets } from "../../_directory.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { countsOf, reportOf, seedFiles } from "../../_seeding.ts";
import { OpenedStore } from "../../_stores.ts";

const AC = "LOG_LOGRADOURO_AC.TXT";
const SP = "LOG_LOGRADOURO_SP.TXT";

Deno.test("seed keeps the first of two lines of a file with the same CEP", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store, {
    [SP]: [
      line("LOG_LOGRADOURO", { LOG_NU: "1", LOG_NO: "Um", CEP: "01990000" }),
      line("LOG_LOGRADOURO", { LOG_NU: "2", LOG_NO: "Dois", CEP: "01990000" }),
      line("LOG_LOGRADOURO", { LOG_NU: "3", LOG_NO: "Três", CEP: "1990000" }),
    ],
  });
  assertEquals(countsOf(report, SP), [3, 1, 2, 0]);
  assertEquals(reportOf(report, SP).warnings, {});
  assertEquals((await opened.store.find("01990000"))?.logradouro, "Rua Um");
});

/** Lines with the same CEP, by source in order of precedence. */
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
    Deno.test(`seed prefers the CEP of a ${first} to that of a ${second}`, async () => {
      await using opened = await OpenedStore.inMemory();
      const report = await seedFiles(opened.store, {
        [firstFile]: [...LINES[firstFile]!, firstLine],
        [secondFile]: [secondLine, ...LINES[secondFile]!],
      });
      assertEquals((await opened.store.find(SAME))?.tipo_origem, first);
      assertEquals(reportOf(report, firstFile).duplicates, 0);
      const { length } = LINES[secondFile]!;
      assertEquals(countsOf(report, secondFile), [length + 1, length, 1, 0]);
      assertEquals(report.ceps, CEPS.length + 1);
      assertEquals((await opened.store.list("", 1)).total, CEPS.length + 1);
    });
  }
}

/** Returns the duplicates of a release, in order of precedence. */
function duplicatesIn(folder: ReleaseFolder): Record<string, unknown>[] {
  return folder.query(
    `SELECT printf('%08d', cep) AS cep, numero, loc_nu, bai_nu,
     prefixo || logradouro AS logradouro, complemento, nome, tipo_origem,
     uf, nome_origem
     FROM duplicado JOIN origem ON origem.id = origem
     ORDER BY duplicado.id`,
  );
}

Deno.test("seed stores duplicates in order of precedence", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const again: Record<string, string[]> = {};
  for (const [, file, line] of CLAIMS) {
    again[file] = [...LINES[file]!, line];
  }
  again["LOG_LOCALIDADE.TXT"]!.push(
    line("LOG_LOCALIDADE", { LOC_NU: "10", CEP: SAME }),
  );
  const report = await seedFiles(opened.store, again);
  assertEquals(report.ceps, CEPS.length + 1);
  const lost = { cep: SAME, complemento: "", nome: "", uf: "SP" };
  assertEquals(duplicatesIn(folder), [
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
  assertEquals((await opened.store.release())?.totalCeps, CEPS.length + 1);
});

Deno.test("seed stores every duplicate of a file with repeated lines", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const lines = streets(1700);
  const report = await seedFiles(opened.store, { [SP]: [...lines, ...lines] });
  assertEquals(countsOf(report, SP), [3400, 1700, 1700, 0]);
  const kept = duplicatesIn(folder);
  assertEquals(
    kept.map(({ cep }) => cep),
    lines.map((_, i) => `0${2_000_000 + i}`),
  );
});

Deno.test("seed prefers the CEP of the file of an earlier state", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store, {
    [AC]: [line("LOG_LOGRADOURO", { CEP: SAME })],
    [SP]: [line("LOG_LOGRADOURO", { CEP: SAME })],
  });
  assertEquals((await opened.store.find(SAME))?.nome_origem, AC);
  assertEquals(countsOf(report, SP), [1, 0, 1, 0]);
});

Deno.test("seed keeps the first of two localities with the same number", async () => {
  await using opened = await OpenedStore.inMemory();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(opened.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "1", LOC_NO: "Outra", CEP: "12990000" }),
    ],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await opened.store.find("01900001"))?.cidade, "Vila Grande");
  assertEquals(await opened.store.find("12990000"), undefined);
});

Deno.test("seed keeps a locality with the CEP of another locality, for the entries in it", async () => {
  await using opened = await OpenedStore.inMemory();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(opened.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "5", LOC_NO: "Nova", CEP: "12900000" }),
    ],
    [SP]: [line("LOG_LOGRADOURO", { LOC_NU: "5", CEP: "12990001" })],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await opened.store.find("12900000"))?.cidade, "Serra Clara");
  assertEquals((await opened.store.find("12990001"))?.cidade, "Nova");
});

Deno.test("seed keeps a locality with an unusable CEP, for the entries in it", async () => {
  await using opened = await OpenedStore.inMemory();
  const file = "LOG_LOCALIDADE.TXT";
  const report = await seedFiles(opened.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_LOCALIDADE", { LOC_NU: "5", LOC_NO: "Nova", CEP: "1290000X" }),
    ],
    [SP]: [line("LOG_LOGRADOURO", { LOC_NU: "5", CEP: "12990001" })],
  }, { maxRejectedPercent: 20 });
  assertEquals(countsOf(report, file), [5, 4, 0, 1]);
  assertEquals(reportOf(report, SP).warnings, {});
  assertEquals((await opened.store.find("12990001"))?.cidade, "Nova");
});

Deno.test("seed keeps the first of two neighbourhoods with the same number", async () => {
  await using opened = await OpenedStore.inMemory();
  const file = "LOG_BAIRRO.TXT";
  const report = await seedFiles(opened.store, {
    [file]: [
      ...LINES[file]!,
      line("LOG_BAIRRO", { BAI_NU: "1", BAI_NO: "Outro" }),
    ],
  });
  assertEquals(countsOf(report, file), [5, 4, 1, 0]);
  assertEquals((await opened.store.find("01900001"))?.bairro, "Centro");
});
