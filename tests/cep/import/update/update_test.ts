/** Effects of single lines of a delta. */
import { assertEquals, assertRejects } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DeltaFileReport,
  update,
  type UpdateReport,
} from "../../../../cep/import/update/update.ts";
import { updateFiles } from "../../_delta.ts";
import { CEPS, encode, line, LINES, streets } from "../../_directory.ts";
import { cepsOf, contentOf, OpenedStore } from "../../_stores.ts";
import { PLACES, Scene, STREET, street, STREETS } from "./_updated.ts";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import { CapturingLogger } from "../../_logger.ts";
import { zip } from "../../_zip.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

const SECTIONS = "DELTA_LOG_NUM_SEC.TXT";

/** Counts of a report as text, without those that are 0. */
function countsIn(report: DeltaFileReport | undefined): string {
  const { file: _, milliseconds: _ms, warnings, ...counts } = report!;
  return Object.entries({ ...counts, ...warnings })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`).join(", ");
}

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  readonly counts: string;
  /** Street of 01900001 and of 01900005 afterwards. */
  readonly streets: readonly (string | undefined)[];
}

const CASES: readonly Case[] = [
  {
    name: "inserts a street",
    lines: [street("INS", { LOG_NU: "7", CEP: "01900005", LOG_NO: "Nova" })],
    counts: "lines 1, inserted 1",
    streets: ["Rua das Flores", "Rua Nova"],
  },
  {
    name: "updates a street",
    lines: [street("UPD", { LOG_NO: "Nova" }, STREET.CEP)],
    counts: "lines 1, updated 1",
    streets: ["Rua Nova", undefined],
  },
  {
    name: "moves a street to another CEP",
    lines: [street("UPD", { CEP: "01900005" }, STREET.CEP)],
    counts: "lines 1, updated 1",
    streets: [undefined, "Rua das Flores"],
  },
  {
    name: "deletes a street",
    lines: [street("DEL")],
    counts: "lines 1, deleted 1",
    streets: [undefined, undefined],
  },
  {
    name: "deletes a street whose content has changed since",
    lines: [street("DEL", { LOG_NO: "Velha", CEP: "01900009" })],
    counts: "lines 1, deleted 1",
    streets: [undefined, undefined],
  },
  {
    name: "leaves a street that was inserted before",
    lines: [street("INS")],
    counts: "lines 1, unchanged 1",
    streets: ["Rua das Flores", undefined],
  },
  {
    name: "leaves a street that was updated before",
    lines: [street("UPD")],
    counts: "lines 1, unchanged 1",
    streets: ["Rua das Flores", undefined],
  },
  {
    name: "leaves a street that was deleted before",
    lines: [street("DEL", { LOG_NU: "7" })],
    counts: "lines 1, unchanged 1",
    streets: ["Rua das Flores", undefined],
  },
  {
    name: "inserts a street that an update does not find, with a warning",
    lines: [street("UPD", { LOG_NU: "7", CEP: "01900005", LOG_NO: "Nova" })],
    counts: "lines 1, inserted 1, unknown number 1",
    streets: ["Rua das Flores", "Rua Nova"],
  },
  {
    name: "updates a street that an insertion finds, with a warning",
    lines: [street("INS", { LOG_NO: "Nova" })],
    counts: "lines 1, updated 1, known number 1",
    streets: ["Rua Nova", undefined],
  },
  {
    name: "lets the last line of a street decide",
    lines: [
      street("INS", { LOG_NU: "7", CEP: "01900005", LOG_NO: "Nova" }),
      street("UPD", { LOG_NU: "7", CEP: "01900005", LOG_NO: "Outra" }),
      street("DEL"),
      street("INS", { LOG_NO: "Terceira" }),
    ],
    counts: "lines 4, inserted 1, updated 1, unchanged 2",
    streets: ["Rua Terceira", "Rua Outra"],
  },
  {
    name: "warns about an unusable CEP_ANT, and applies the line",
    lines: [street("UPD", { LOG_NO: "Nova" }, "0190")],
    counts: "lines 1, updated 1, unusable CEP_ANT 1",
    streets: ["Rua Nova", undefined],
  },
  {
    name: "rejects a line without an operation, a CEP, a state or a column",
    lines: [
      line("LOG_LOGRADOURO", STREET),
      street("UPD", { CEP: "0190000X" }),
      street("UPD", { UFE_SG: "XX" }),
      street("UPD", { LOG_NU: "" }),
      street("DEL").slice(0, -1),
    ],
    counts: "lines 5, rejected 5",
    streets: ["Rua das Flores", undefined],
  },
  {
    name: "ignores blank lines and a final Ctrl-Z",
    lines: ["", street("UPD", { LOG_NO: "Nova" }), "  ", "\x1A"],
    counts: "lines 1, updated 1",
    streets: ["Rua Nova", undefined],
  },
  {
    name: "applies a dangling reference, and counts it",
    lines: [street("UPD", { LOG_NO: "Nova", BAI_NU_INI: "99" })],
    counts: "lines 1, updated 1, dangling 1",
    streets: ["Rua Nova", undefined],
  },
];

for (const { name, lines, counts, streets } of CASES) {
  Deno.test(`update ${name}`, async () => {
    await using scene = await Scene.open();
    const [report] = await scene.apply({ [STREETS]: lines });
    assertEquals(countsIn(report), counts);
    const found = await Promise.all(
      ["01900001", "01900005"].map((cep) => scene.store.find(cep)),
    );
    assertEquals(found.map((it) => it?.logradouro), streets);
  });
}

Deno.test("update logs lines that do not fit by file and number, at most twenty", async () => {
  await using scene = await Scene.open();
  const unknown = Array.from(
    { length: 30 },
    (_, i) => street("UPD", { LOG_NU: `${100 + i}` }),
  );
  await scene.apply({ [STREETS]: ["", street("UPD"), ...unknown, "?"] });
  const logged = scene.log.at("warn");
  assertEquals(logged.length, 21);
  assertEquals(logged[0], {
    file: STREETS,
    line: 33,
    reason: "wrong column count",
    detail: "1 instead of 13",
  });
  assertEquals(logged[1], {
    file: STREETS,
    line: 3,
    reason: "unknown number",
    detail: "100",
  });
  assertEquals(logged.at(-1), { file: STREETS, lines: 11 });
});

Deno.test("update replaces a range whose new row precedes the deletion of the old one", async () => {
  await using scene = await Scene.open();
  const [first, second] = await scene.apply({
    "DELTA_LOG_FAIXA_LOC.TXT": [
      "1@01900001@01999999@INS@T",
      "1@01900000@01999999@DEL@T",
      "2@12900000@12909999@INS@C",
    ],
    [SECTIONS]: ["2@1@199@I@INS", "2@1@99@I@DEL", "3@1@99999@A@INS"],
  });
  assertEquals(countsIn(first), "lines 3, inserted 2, deleted 1");
  // The key of a section is the street alone.
  assertEquals(countsIn(second), "lines 3, inserted 1, updated 1, unchanged 1");
  const { folder } = scene;
  assertEquals(folder.query("SELECT * FROM faixa_localidade ORDER BY loc_nu"), [
    { loc_nu: 1, cep_ini: 1900001, cep_fim: 1999999, tipo: "T" },
    { loc_nu: 2, cep_ini: 12900000, cep_fim: 12909999, tipo: "C" },
  ]);
  assertEquals(folder.query("SELECT * FROM num_sec ORDER BY log_nu"), [
    { log_nu: 2, inicio: "1", fim: "199", lado: "I" },
    { log_nu: 3, inicio: "1", fim: "99999", lado: "A" },
  ]);
});

Deno.test("update deletes the alternative names of a deleted street", async () => {
  await using scene = await Scene.open();
  await scene.apply({ [STREETS]: [street("DEL")] });
  assertEquals(scene.folder.query("SELECT * FROM var_log"), []);
});

Deno.test("update ignores a file whose base was not imported", async () => {
  await using scene = await Scene.open();
  const files = await scene.apply({
    [STREETS]: [street("UPD", { LOG_NO: "Nova" })],
    "DELTA_LOG_FAIXA_UOP.TXT": ["1@1@99@INS"],
    "DELTA_LOG_FAIXA_CPC.TXT": [],
  });
  assertEquals(files.map(({ file }) => file), [STREETS]);
  assertEquals(scene.folder.query("SELECT * FROM faixa_uop"), []);
  assertEquals(scene.log.at("warn"), [
    { file: "DELTA_LOG_FAIXA_UOP.TXT", base: "LOG_FAIXA_UOP.TXT" },
  ]);
});

Deno.test("update renames a place in all of its records", async () => {
  await using scene = await Scene.open();
  await scene.apply({
    [PLACES]: [
      "1@SP@Vila Maior@@1@M@@@3599901@UPD@",
      "3@SP@Ponte Alta@12905001@0@D@2@Pte Alta@       @UPD@12905000",
    ],
    "DELTA_LOG_BAIRRO.TXT": ["1@SP@1@Centro Histórico@@UPD"],
  });
  const record = await scene.store.find("01900001");
  assertEquals(
    [record?.cidade, record?.bairro],
    ["Vila Maior", "Centro Histórico"],
  );
  assertEquals((await scene.store.find("12905001"))?.bairro, "Ponte Alta");
  assertEquals(await scene.store.find("12905000"), undefined);
  const last = (await scene.store.history("12905000"))?.last;
  assertEquals([last?.successor, last?.dneVersion], ["12905001", "25012"]);
});

Deno.test("update gives a CEP to the entry that lost it", async () => {
  await using scene = await Scene.open({
    "LOG_GRANDE_USUARIO.TXT": [line("LOG_GRANDE_USUARIO", { CEP: "01900001" })],
  });
  assertEquals(
    (await scene.store.find("01900001"))?.tipo_origem,
    "logradouro",
  );
  await scene.apply({ [STREETS]: [street("DEL")] });
  assertEquals(
    (await scene.store.find("01900001"))?.tipo_origem,
    "grande_usuario",
  );
  assertEquals(scene.folder.query("SELECT * FROM duplicado"), []);
  await scene.apply({ [STREETS]: [street("INS")] }, { dneVersion: "25021" });
  assertEquals(
    (await scene.store.find("01900001"))?.tipo_origem,
    "logradouro",
  );
  assertEquals(scene.folder.query("SELECT cep FROM duplicado"), [
    { cep: 1900001 },
  ]);
});

Deno.test("update remembers the CEPs of CEP_ANT, and those that are gone", async () => {
  await using scene = await Scene.open();
  const delta = {
    [STREETS]: [
      // The release already has the CEP to which it moved.
      street("UPD", {}, "01900007"),
      street("DEL", { LOG_NU: "3" }),
    ],
  };
  await scene.apply(delta);
  const { store } = scene;
  assertEquals((await store.history("01900007"))?.last?.successor, "01900001");
  const gone = (await store.history("01900002"))?.last;
  assertEquals([gone?.successor, gone?.dneVersion], [null, "25012"]);
  // Deltas accumulate: the next one has the same lines.
  await scene.apply(delta, { dneVersion: "25021" });
  const versions = scene.folder.query("SELECT dne_version FROM historico");
  assertEquals(versions.map(({ dne_version }) => dne_version), [
    "25012",
    "25012",
  ]);
});

Deno.test("update changes nothing the second time", async () => {
  await using scene = await Scene.open();
  const delta = {
    [STREETS]: [
      street("UPD", { CEP: "01900005" }, STREET.CEP),
      street("INS", { LOG_NU: "7", CEP: "01900006" }),
      street("UPD", { LOG_NU: "7", CEP: "01900007" }, "01900006"),
      "?",
    ],
    [PLACES]: ["1@SP@Vila Maior@@1@M@@@3599901@UPD@"],
  };
  for (const dneVersion of ["25012", "25021"]) {
    const first = await scene.update(delta, { dneVersion });
    assertEquals(first.changed, true);
    const before = await contentOf(scene.store);
    const second = await scene.update(delta, { dneVersion });
    assertEquals(second.changed, false);
    assertEquals(second.seededAt, before.release?.seededAt);
    assertEquals(await contentOf(scene.store), before);
    assertEquals(scene.folder.names(), ["cep.db", "seed.lock"]);
  }
});

Deno.test("update finds its files in any letter case", async () => {
  await using scene = await Scene.open();
  const [report] = await scene.apply({
    [STREETS.toLowerCase()]: [street("DEL")],
  });
  assertEquals(report?.deleted, 1);
});

Deno.test("update stops if it is aborted, and leaves the release", async () => {
  await using scene = await Scene.open();
  const before = await contentOf(scene.store);
  const controller = new AbortController();
  await assertRejects(
    () =>
      scene.update({ [STREETS]: [street("UPD", { LOG_NO: "Nova" })] }, {
        signal: controller.signal,
        onProgress: () => controller.abort(),
      }),
    DOMException,
  );
  assertEquals(await contentOf(scene.store), before);
});

Deno.test("update reports its progress and the counts of every file", async () => {
  await using scene = await Scene.open();
  const codes: number[] = [];
  const files: string[] = [];
  const report = await scene.update(
    { [STREETS]: [street("INS", { LOG_NU: "7", CEP: "01900005" })] },
    {
      onProgress: (it) => codes.push(it.codes, it.totalCodes),
      onFile: ({ file }) => files.push(file),
    },
  );
  assertEquals(codes, [CEPS.length + 1, CEPS.length]);
  assertEquals(files, [STREETS]);
  assertEquals(report.ceps, CEPS.length + 1);
  const [row] = scene.folder.query("SELECT report FROM release");
  assertEquals(JSON.parse(row?.["report"] as string), { ...report });
  assertEquals(LINES["LOG_CPC.TXT"]?.length, 1);
});

Deno.test("update applies a delta to a database in memory", async () => {
  await using opened = await OpenedStore.inMemory({});
  const delta = { [STREETS]: [street("UPD", { CEP: "01900005" })] };
  await updateFiles(opened.store, delta);
  assertEquals(await cepsOf(opened.store), [
    "01900002",
    "01900005",
    ...CEPS.slice(2),
  ]);
  const last = (await opened.store.history("01900001"))?.last;
  assertEquals(last?.successor, "01900005");
});

Deno.test("update applies accumulated deltas one after another, or the last one alone", async () => {
  const inserted = street("INS", { LOG_NU: "7", CEP: "01900005" });
  const first = { [STREETS]: [inserted, street("UPD", { LOG_NO: "Nova" })] };
  const second = {
    [STREETS]: [
      inserted,
      street("UPD", { LOG_NO: "Nova" }),
      street("UPD", { LOG_NO: "Terceira", CEP: "01900006" }, STREET.CEP),
      street("UPD", { LOG_NU: "7", CEP: "01900007" }, "01900005"),
      street("DEL", { LOG_NU: "3" }),
    ],
  };
  await using both = await Scene.open();
  await both.apply(first);
  await both.apply(second, { dneVersion: "25021" });
  await using last = await Scene.open();
  await last.apply(second, { dneVersion: "25021" });
  const [a, b] = [await contentOf(both.store), await contentOf(last.store)];
  assertEquals(a.records, b.records);
  assertEquals(a.records.map(({ cep }) => cep).slice(0, 2), [
    "01900006",
    "01900007",
  ]);
  const { changed } = await both.update(second, { dneVersion: "25021" });
  assertEquals(changed, false);
});

Deno.test("update keeps the thousands of rows that a delta does not change", async () => {
  const count = 5200;
  const all = streets(count);
  const numbers = all.map((text) => text.split("@")[0]!);
  const sections = numbers.map((LOG_NU) => line("LOG_NUM_SEC", { LOG_NU }));
  await using scene = await Scene.open({
    "LOG_LOGRADOURO_SP.TXT": [...all, ...all],
    "LOG_NUM_SEC.TXT": sections,
  });
  const queries = [
    "SELECT * FROM num_sec ORDER BY log_nu",
    "SELECT cep, numero FROM duplicado ORDER BY cep",
  ];
  const before = queries.map((query) => scene.folder.query(query));
  const { records } = await contentOf(scene.store);
  await scene.apply({ [STREETS]: [street("INS", { CEP: "01900005" })] });
  assertEquals(queries.map((query) => scene.folder.query(query)), before);
  const after = await contentOf(scene.store);
  assertEquals(
    after.records.filter(({ cep }) => cep !== "01900005"),
    records,
  );
  assertEquals(before.map(({ length }) => length), [count, count]);
});

const DELTA = zip([
  { name: "LEIAME.TXT", content: encode(["DNE versão 25042"]) },
  { name: "Delimitado/DELTA_LOG_CPC.TXT", content: encode([]) },
  {
    name: `Delimitado/${STREETS}`,
    content: encode([street("UPD", { LOG_NO: "Nova" })]),
  },
]);

const BASE = zip([{
  name: "Delimitado/LOG_LOCALIDADE.TXT",
  content: encode(LINES["LOG_LOCALIDADE.TXT"]!),
}]);

const OUTER = zip([
  { name: "eDNE_Basico_25042.zip", content: BASE },
  { name: "eDNE_Delta_Basico_25042.zip", content: DELTA },
]);

/** Updates the small DNE from a file in a folder, or from the folder. */
async function updateFrom(
  name: string,
  bytes: Uint8Array,
  path: string = name,
): Promise<{ report: UpdateReport; street: string | undefined }> {
  using folder = new TemporaryFolder();
  writeFileSync(join(folder.path, name), bytes);
  await using opened = await OpenedStore.inMemory({});
  const { store } = opened;
  const before = await contentOf(store);
  try {
    const directory = join(folder.path, path);
    const logger = new CapturingLogger();
    const report = await update({ directory, store, logger });
    const street = (await store.find("01900001"))?.logradouro;
    return { report, street };
  } catch (error) {
    assertEquals(await contentOf(store), before);
    throw error;
  }
}

const SOURCES: readonly [
  name: string,
  file: string,
  bytes: Uint8Array,
  path?: string,
][] = [
  ["its zip file", "delta.zip", DELTA],
  ["the zip file of base and delta", "eDNE_Basico.zip", OUTER],
  ["a folder with its zip file", "eDNE_Delta_Basico_25042.zip", DELTA, "."],
];

for (const [name, file, bytes, path] of SOURCES) {
  Deno.test(`update applies the delta in ${name}`, async () => {
    const { report, street } = await updateFrom(file, bytes, path);
    assertEquals(street, "Rua Nova");
    assertEquals(report.dneVersion, "25042");
    assertEquals(report.files.map(({ lines }) => lines), [1, 0]);
  });
}

const UNUSABLE: readonly [name: string, bytes: Uint8Array][] = [
  ["cut in half", DELTA.slice(0, DELTA.length / 2)],
  ["without a delta", BASE],
  ["with an overwritten byte", DELTA.with(DELTA.length / 2, 0xFF)],
];

for (const [name, bytes] of UNUSABLE) {
  Deno.test(`update rejects a zip file ${name}, and leaves the release`, async () => {
    await assertRejects(() => updateFrom("delta.zip", bytes), DirectoryError);
  });
}
