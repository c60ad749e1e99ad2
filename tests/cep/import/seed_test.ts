import {
  assert,
  assertEquals,
  assertNotEquals,
  assertObjectMatch,
  assertRejects,
} from "@std/assert";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "../../../cep/record/address.ts";
import { REQUIRED_FILES } from "../../../cep/import/dne/layout.ts";
import {
  DirectoryError,
  type FileReport,
  seed,
  SeedError,
  type SeedProgress,
} from "../../../cep/import/seed.ts";
import {
  WELL_KNOWN_STREETS,
  WELL_KNOWN_USERS,
} from "../../../scripts/generate_dne/well_known.ts";
import {
  CEPS,
  encode,
  type Files,
  latin1,
  LINES,
  streets,
  writeDirectory,
} from "../_directory.ts";
import { CapturingLogger } from "../_logger.ts";
import { countsOf, seedFiles, seedSample } from "../_seeding.ts";
import { ReleaseFolder } from "../_release_folder.ts";
import { contentOf, findAll, OpenedStore } from "../_stores.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { SAMPLE } from "../../_sample.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const SP = "LOG_LOGRADOURO_SP.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";

Deno.test("seed reports every file, in the order of import", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store);
  assertEquals(report.files.map(({ file }) => file), NAMES);
  const codes: Readonly<Record<string, number>> = {
    "LOG_LOCALIDADE.TXT": 2,
    "LOG_LOGRADOURO_AC.TXT": 1,
    "LOG_LOGRADOURO_SP.TXT": 2,
    "LOG_GRANDE_USUARIO.TXT": 1,
    "LOG_UNID_OPER.TXT": 1,
    "LOG_CPC.TXT": 1,
  };
  assertEquals((await opened.store.release())?.totalByFile, codes);
  for (const { file, milliseconds: _, ...counts } of report.files) {
    const lines = LINES[file]?.length ?? 0;
    assertEquals(counts, {
      lines,
      stored: lines,
      codes: codes[file] ?? 0,
      duplicates: 0,
      rejected: 0,
      dangling: 0,
      warnings: {},
    }, file);
  }
  assertEquals(report.ceps, CEPS.length);
});

Deno.test("seed calls onFile with the report of each file after reading it", async () => {
  await using opened = await OpenedStore.inMemory();
  const done: FileReport[] = [];
  const doneWhileReading: [file: string, done: number][] = [];
  const report = await seedFiles(opened.store, {}, {
    onFile: (file) => done.push(file),
    onProgress: ({ file, done: isDone }) => {
      if (!isDone) doneWhileReading.push([file, done.length]);
    },
  });
  assertEquals(done, report.files);
  for (const [file, count] of doneWhileReading) {
    assertEquals(NAMES[count], file);
  }
});

Deno.test("seed logs nothing if no line is rejected", async () => {
  await using opened = await OpenedStore.inMemory();
  const logger = new CapturingLogger();
  await seedFiles(opened.store, {}, { logger });
  assertEquals(logger.at("warn"), []);
  assertEquals(logger.at("error"), []);
});

Deno.test("seed reports the time of the import and the time spent on each file", async () => {
  await using opened = await OpenedStore.inMemory();
  let now = Date.UTC(2025, 3, 15, 12);
  const report = await seedFiles(opened.store, {}, { now: () => now += 1000 });
  const { seededAt } = report;
  assertEquals(seededAt, new Date(now).toISOString());
  assertEquals((await opened.store.release())?.seededAt, seededAt);
  for (const { milliseconds } of report.files) {
    assertEquals(milliseconds, 1000);
  }
});

Deno.test("seed stores the release and the report in the database", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const report = await seedFiles(opened.store, {
    "LEIAME.TXT": latin1("DNE versão 25041\r\n"),
    [SP]: [...LINES[SP]!, ...LINES[SP]!],
  });
  assertEquals(report.dneVersion, "25041");
  const { id: _, ...release } = (await opened.store.release())!;
  assertEquals(release, {
    dneVersion: "25041",
    seededAt: report.seededAt,
    totalCeps: 8,
    totalByState: { AC: 1, SP: 7 },
    totalByFile: {
      "LOG_CPC.TXT": 1,
      "LOG_GRANDE_USUARIO.TXT": 1,
      "LOG_LOCALIDADE.TXT": 2,
      [AC]: 1,
      [SP]: 2,
      "LOG_UNID_OPER.TXT": 1,
    },
    optionalFiles: [],
    sources: ["dne"],
    totalCensus: 0,
  });
  const [row, ...others] = folder.query("SELECT report FROM release");
  assertEquals(JSON.parse(String(row?.report)), report);
  assertEquals(others, []);
});

/** Variants of the small DNE. */
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
    await using plain = await OpenedStore.inMemory({});
    await using opened = await OpenedStore.inMemory();
    const report = await seedFiles(opened.store, files);
    assertEquals(
      await findAll(opened.store, CEPS),
      await findAll(plain.store, CEPS),
    );
    assertEquals(report.ceps, CEPS.length);
    assertEquals(report.files.map(({ file }) => file), NAMES);
    for (const { file, lines, stored } of report.files) {
      const { length } = LINES[file] ?? [];
      assertEquals([lines, stored], [length, length], file);
    }
  });
}

Deno.test("seed reads a file of 0 bytes", async () => {
  await using opened = await OpenedStore.inMemory();
  const needed = ["LOG_LOCALIDADE.TXT", "LOG_BAIRRO.TXT", AC, SP];
  const empty = Object.fromEntries(
    NAMES.filter((name) => !needed.includes(name))
      .map((name) => [name, new Uint8Array()]),
  );
  const report = await seedFiles(opened.store, empty);
  assertEquals(report.ceps, 5);
  assertEquals(countsOf(report, "LOG_CPC.TXT"), [0, 0, 0, 0]);
  assertEquals((await contentOf(opened.store)).records.length, 5);
});

Deno.test("seed reads a file of many chunks line by line", async () => {
  await using opened = await OpenedStore.inMemory();
  const lines = streets(15_000);
  assert(encode(lines).length > 2 * (1 << 18));
  const report = await seedFiles(opened.store, { [SP]: lines });
  assertEquals(countsOf(report, SP), [15_000, 15_000, 0, 0]);
  const codes = lines.map((_, i) => String(2_000_000 + i).padStart(8, "0"));
  const found = await findAll(opened.store, codes);
  assertEquals(
    found.map((address) => address?.logradouro),
    lines.map((_, i) => `Rua Número ${i}`),
  );
});

Deno.test("seed refuses a line that is too long, reports its file and leaves the old data", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await contentOf(opened.store);
  const files = { "LOG_CPC.TXT": latin1("x".repeat(100_000)) };
  await assertRejects(
    () => seedFiles(opened.store, files),
    SeedError,
    "Cannot import LOG_CPC.TXT: Cannot read a line of more than",
  );
  assertEquals(await contentOf(opened.store), before);
});

Deno.test("seed removes CEPs that the new files lack", async () => {
  await using opened = await OpenedStore.inMemory({});
  const report = await seedFiles(
    opened.store,
    { [AC]: [], "LOG_CPC.TXT": [] },
    {
      maxDanglingPercent: 100,
      maxShrinkPercent: 100,
    },
  );
  assertEquals(report.ceps, CEPS.length - 2);
  const gone = ["12900990", "69990001"];
  const found = await findAll(opened.store, CEPS);
  assertEquals(
    found.map((it) => it?.cep),
    CEPS.map((cep) => gone.includes(cep) ? undefined : cep),
  );
  assertEquals((await opened.store.list("69", 100)).total, 0);
  assertEquals((await opened.store.release())?.totalByState, { SP: 6 });
});

Deno.test("seed imports the same DNE again as another release", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await contentOf(opened.store);
  await seedFiles(opened.store);
  const after = await contentOf(opened.store);
  assertEquals(after.records, before.records);
  assertNotEquals(after.release?.id, before.release?.id);
});

Deno.test("seed serves the old data until the end of the import", async () => {
  await using opened = await OpenedStore.inMemory({});
  const asked = [...CEPS, "02000000"];
  const before = await findAll(opened.store, asked);
  const during: Promise<(Address | undefined)[]>[] = [];
  await seedFiles(opened.store, { [SP]: streets(9000) }, {
    onProgress: () => during.push(findAll(opened.store, asked)),
  });
  assert(during.length > Object.keys(LINES).length);
  for (const answer of await Promise.all(during)) assertEquals(answer, before);
  const after = await findAll(opened.store, asked);
  assertEquals(after.map((it) => it?.cep), [
    ...[undefined, undefined],
    ...asked.slice(2),
  ]);
});

Deno.test("seed does not call the store if the DNE cannot be opened", async () => {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, { "LOG_CPC.TXT": null });
  const store = {
    stage: () => Promise.reject(new Error("stage was called")),
  };
  await assertRejects(
    () => seed({ store, directory: directory.path }),
    DirectoryError,
    "LOG_CPC.TXT is missing",
  );
});

Deno.test("seed refuses a file in UTF-8 and leaves the old data", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await contentOf(opened.store);
  const utf8 = new TextEncoder().encode(LINES[SP]!.join("\r\n"));
  await assertRejects(
    () => seedFiles(opened.store, { [SP]: utf8 }),
    DirectoryError,
    `${SP} is not ISO-8859-1: it is UTF-8`,
  );
  assertEquals(await contentOf(opened.store), before);
});

Deno.test("seed rejects with the reason of an aborted signal", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await contentOf(opened.store);
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(
    () => seedFiles(opened.store, { [SP]: [] }, { signal }),
    Error,
    "enough",
  );
  assertEquals(await contentOf(opened.store), before);
});

for (const file of ["LOG_LOCALIDADE.TXT", SP, "LOG_CPC.TXT"]) {
  Deno.test(`seed stops when aborted while reading ${file}, and leaves the old data`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await OpenedStore.open({ path: folder.path });
    await seedFiles(opened.store);
    const before = await contentOf(opened.store);
    const controller = new AbortController();
    const attempt = () =>
      seedFiles(opened.store, { [SP]: streets(9000) }, {
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.file === file) controller.abort(new Error("enough"));
        },
      });
    await assertRejects(attempt, Error, "enough");
    assertEquals(await contentOf(opened.store), before);

    assertEquals(folder.names(), ["cep.db", "seed.lock"]);

    const { ceps } = await seedFiles(opened.store, { [SP]: streets(10) });
    const { records } = await contentOf(opened.store);
    assertEquals(records.length, ceps);
    assertEquals(folder.names(), ["cep.db", "seed.lock"]);
  });
}

Deno.test("seed calls onProgress up to the last byte", async () => {
  await using opened = await OpenedStore.inMemory();
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, { [SP]: streets(9000) });
  const totalBytes = NAMES.reduce(
    (sum, name) => sum + statSync(join(directory.path, name)).size,
    0,
  );
  const steps: SeedProgress[] = [];
  const report = await seed({
    store: opened.store,
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

const WELL_KNOWN: readonly Partial<Address>[] = [
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

Deno.test("seed imports the bundled sample without a rejected line", async (t) => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedSample(opened.store);
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
      // Some municipalities of the sample lack an IBGE code; no reference
      // dangles.
      assertEquals(warning, "no IBGE code", it.file);
    }
    const isEntries = NAMES.includes(it.file) && it.file !== "LOG_BAIRRO.TXT";
    if (isEntries) {
      codes += lines.filter((line) => /@\d{8}(@|$)/.test(line)).length;
    }
  }
  assertEquals(report.ceps, codes);
  assertEquals((await contentOf(opened.store)).records.length, codes);
  const release = await opened.store.release();
  assertEquals(Object.keys(release?.totalByState ?? {}).length, 27);

  await t.step("well-known records have every field", async () => {
    for (const expected of WELL_KNOWN) {
      const found = await opened.store.find(expected.cep!);
      assertObjectMatch(found!, expected);
    }
  });

  await t.step("well-known streets are right", async () => {
    for (const it of WELL_KNOWN_STREETS) {
      const found = await opened.store.find(it.cep);
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

  await t.step("well-known large users are right", async () => {
    for (const it of WELL_KNOWN_USERS) {
      const found = await opened.store.find(it.cep);
      assertEquals(found?.nome, it.name, it.cep);
      assertEquals(found?.logradouro, it.address, it.cep);
      assertEquals(found?.bairro, it.neighbourhood, it.cep);
      assertEquals(found?.tipo_origem, "grande_usuario", it.cep);
    }
  });
});
