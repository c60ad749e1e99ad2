import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseDetail } from "../../../../cep/import/dne/details.ts";
import type { Warning } from "../../../../cep/import/dne/join.ts";
import {
  COLUMNS,
  type DetailFamily,
  OPTIONAL_FILES,
  RejectedRow,
  type Rejection,
} from "../../../../cep/import/dne/layout.ts";
import { SeedError } from "../../../../cep/import/seed.ts";
import type { DetailRow, DetailTable } from "../../../../cep/record/entry.ts";
import { LATIN1 } from "../../_characters.ts";
import { encode, latin1, line, streets } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { countsOf, reportOf, seedFiles } from "../../_seeding.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";

const FAMILIES = OPTIONAL_FILES.map(({ family }) => family as DetailFamily);

function parse(family: DetailFamily, text: string): [
  table: DetailTable,
  row: DetailRow,
  warnings: readonly Warning[],
] {
  const warnings: Warning[] = [];
  const { table, row } = parseDetail(family, text, (it) => warnings.push(it));
  return [table, row, warnings];
}

const PARSED: readonly [
  name: string,
  family: DetailFamily,
  line: string,
  table: DetailTable,
  row: DetailRow,
][] = [
  ["a range of a state", "LOG_FAIXA_UF", "SP@01000000@19999999", "faixa_uf", [
    "SP",
    1_000_000,
    19_999_999,
  ]],
  [
    "the range of a whole municipality",
    "LOG_FAIXA_LOCALIDADE",
    "9@01000001@01000999@T",
    "faixa_localidade",
    [9, 1_000_001, 1_000_999, "T"],
  ],
  [
    "the range of a neighbourhood with one CEP",
    "LOG_FAIXA_BAIRRO",
    "9@04890390@04890390",
    "faixa_bairro",
    [9, 4_890_390, 4_890_390],
  ],
  ["box numbers", "LOG_FAIXA_CPC", "9@20973@021080", "faixa_cpc", [
    9,
    20_973,
    21_080,
  ]],
  ["PO box numbers", "LOG_FAIXA_UOP", "9@112001@112055", "faixa_uop", [
    9,
    112_001,
    112_055,
  ]],
  [
    "an alternative name of a locality",
    "LOG_VAR_LOC",
    "9@2@  Mte Lindo ",
    "var_loc",
    [9, 2, "Mte Lindo"],
  ],
  [
    "an alternative name with no-break spaces and quotes",
    "LOG_VAR_BAI",
    '9@1@Vila\xA0"G"  Nova',
    "var_bai",
    [9, 1, 'Vila "G" Nova'],
  ],
  [
    "an alternative name of a street",
    "LOG_VAR_LOG",
    "9@4@Rua@Rua do Mel",
    "var_log",
    [9, 4, "Rua", "Rua do Mel"],
  ],
  ["a section of a street", "LOG_NUM_SEC", "9@2@99998@P", "num_sec", [
    9,
    "2",
    "99998",
    "P",
  ]],
  [
    "a section of a highway in kilometres",
    "LOG_NUM_SEC",
    "9@00300,000@90,000@D",
    "num_sec",
    [9, "00300,000", "90,000", "D"],
  ],
];

for (const [name, family, text, table, row] of PARSED) {
  Deno.test(`parseDetail reads ${name}`, () => {
    assertEquals(parse(family, text), [table, row, []]);
  });
}

const REJECTED: readonly [
  name: string,
  family: DetailFamily,
  line: string,
  reason: Rejection,
  detail: string,
][] = [
  [
    "an unknown state",
    "LOG_FAIXA_UF",
    "XX@01000000@19999999",
    "unknown state",
    "XX",
  ],
  [
    "a CEP of letters",
    "LOG_FAIXA_BAIRRO",
    "9@0100A000@01000999",
    "unusable CEP",
    "0100A000",
  ],
  [
    "no last CEP",
    "LOG_FAIXA_LOCALIDADE",
    "9@01000000@@T",
    "unusable CEP",
    "",
  ],
  [
    "a range whose end precedes its start",
    "LOG_FAIXA_BAIRRO",
    "9@01000999@01000000",
    "unusable range",
    "1000999 to 1000000",
  ],
  [
    "a number of letters",
    "LOG_FAIXA_CPC",
    "9@1@1A8",
    "unusable number",
    "1A8",
  ],
  [
    "an order of letters",
    "LOG_VAR_LOC",
    "9@a@Mte Lindo",
    "unusable number",
    "a",
  ],
  [
    "a separator in a name",
    "LOG_VAR_LOG",
    "9@1@Rua@Rua @ Mar",
    "wrong column count",
    "5 instead of 4",
  ],
  ["a NUL in a name", "LOG_VAR_BAI", "9@1@Vila\0", "NUL character", ""],
  ["no column", "LOG_NUM_SEC", "", "wrong column count", "1 instead of 4"],
];

for (const [name, family, text, reason, detail] of REJECTED) {
  Deno.test(`parseDetail refuses ${name}`, () => {
    const error = assertThrows(() => parse(family, text), RejectedRow);
    assertEquals([error.reason, error.detail], [reason, detail]);
  });
}

Deno.test("parseDetail pads a CEP of seven digits and warns", () => {
  const [, row, warnings] = parse("LOG_FAIXA_BAIRRO", "9@1000000@1000999");
  assertEquals(row, [9, 1_000_000, 1_000_999]);
  assertEquals(warnings, ["CEP padded with a zero", "CEP padded with a zero"]);
});

Deno.test("parseDetail passes the first column to hasZeros", () => {
  const asked: unknown[] = [];
  const hasZeros = (...args: unknown[]) => {
    asked.push(args);
    return false;
  };
  for (const text of ["SP@1000000@19999999", "AC@69900000@69999999"]) {
    try {
      parseDetail("LOG_FAIXA_UF", text, () => {}, hasZeros);
    } catch (error) {
      assert(error instanceof RejectedRow);
    }
  }
  assertEquals(asked, [["LOG_FAIXA_UF", "SP"]]);
});

for (const family of FAMILIES) {
  Deno.test(`parseDetail returns one value per column of ${family} or rejects the line`, () => {
    const field = fc.oneof(
      fc.constantFrom("1", "01000000", "1000000", "SP", "T", "", "  "),
      fc.string({ unit: LATIN1, maxLength: 8 }),
    );
    const text = fc.array(field, { minLength: 1, maxLength: 5 })
      .map((fields) => fields.join("@"));
    fc.assert(fc.property(text, (text) => {
      try {
        const [table, row] = parse(family, text);
        assertEquals(family, `LOG_${table.toUpperCase()}`);
        assertEquals(row.length, COLUMNS[family].length);
        for (const value of row) {
          if (typeof value === "number") assert(Number.isSafeInteger(value));
          else assertEquals(value.trim(), value);
        }
      } catch (error) {
        assert(error instanceof RejectedRow, String(error));
      }
    }));
  });
}

const TABLES: readonly DetailTable[] = FAMILIES.map((family) =>
  family.slice("LOG_".length).toLowerCase() as DetailTable
);

for (const [end, name] of [["\r\n", "CRLF"], ["\n", "LF"]] as const) {
  Deno.test(`seed stores the rows of optional files with ${name}, and lists the files`, async () => {
    using folder = new ReleaseFolder();
    await using opened = await OpenedStore.open({ path: folder.path });
    const files = Object.fromEntries(FAMILIES.map((family) => [
      `${family}.TXT`.toLowerCase(),
      encode([line(family)], end),
    ]));
    const report = await seedFiles(opened.store, files);
    const release = await opened.store.release();
    assertEquals(
      release?.optionalFiles,
      FAMILIES.map((family) => `${family}.TXT`),
    );
    for (const [i, family] of FAMILIES.entries()) {
      assertEquals(countsOf(report, `${family}.TXT`), [1, 1, 0, 0]);
      assertEquals(reportOf(report, `${family}.TXT`).codes, 0);
      const rows = folder.query(`SELECT * FROM ${TABLES[i]}`);
      const [, row] = parse(family, line(family));
      assertEquals(rows.map((it) => Object.values(it)), [[...row]]);
    }
  });
}

Deno.test("seed keeps the first of two rows of an optional file with the same key", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const report = await seedFiles(opened.store, {
    "LOG_VAR_LOC.TXT": ["1@1@Um", "1@2@Dois", "1@1@Três"],
  });
  assertEquals(countsOf(report, "LOG_VAR_LOC.TXT"), [3, 2, 1, 0]);
  assertEquals(
    folder.query("SELECT nome FROM var_loc").map(({ nome }) => nome),
    ["Um", "Dois"],
  );
});

Deno.test("seed does not count dangling references of optional files", async () => {
  await using opened = await OpenedStore.inMemory();
  const report = await seedFiles(opened.store, {
    "LOG_FAIXA_BAIRRO.TXT": ["98@01000000@01000999"],
    "LOG_NUM_SEC.TXT": ["98@1@99@A"],
  }, { maxDanglingPercent: 0 });
  for (const file of ["LOG_FAIXA_BAIRRO.TXT", "LOG_NUM_SEC.TXT"]) {
    assertEquals(countsOf(report, file), [1, 1, 0, 0]);
    assertEquals(reportOf(report, file).dangling, 0);
  }
});

/** Rows with a CEP of seven digits: by state, SP before AC. */
const PADDED: readonly [file: string, inSp: string, inAc: string][] = [
  ["LOG_FAIXA_UF.TXT", "SP@1000000@19999999", "AC@9900000@69999999"],
  ["LOG_FAIXA_LOCALIDADE.TXT", "1@1900000@01999999@T", "4@9900000@69999999@T"],
  ["LOG_FAIXA_BAIRRO.TXT", "1@1900000@01900999", "3@9900000@69900999"],
];

for (const [file, inSp, inAc] of PADDED) {
  Deno.test(`seed pads a CEP of seven digits in ${file} only in SP`, async () => {
    await using opened = await OpenedStore.inMemory();
    const logger = new CapturingLogger();
    const report = await seedFiles(opened.store, { [file]: [inSp, inAc] }, {
      logger,
      maxRejectedPercent: 50,
    });
    assertEquals(countsOf(report, file), [2, 1, 0, 1]);
    assertEquals(reportOf(report, file).warnings, {
      "CEP padded with a zero": 1,
    });
    assertEquals(logger.at("warn"), [{
      file,
      line: 2,
      reason: "unusable CEP",
      detail: "9900000",
    }]);
  });
}

for (const { name: file } of OPTIONAL_FILES) {
  Deno.test(`seed refuses a damaged ${file} and leaves the old data`, async () => {
    await using opened = await OpenedStore.inMemory({});
    const before = await contentOf(opened.store);
    const files = { [file]: latin1("\0".repeat(100) + "\r\nx\r\n") };
    await assertRejects(
      () => seedFiles(opened.store, files),
      SeedError,
      `${file}: 2 of 2 lines were rejected`,
    );
    assertEquals(await contentOf(opened.store), before);
  });
}

Deno.test("seed stores more rows of an optional file than one batch", async () => {
  using folder = new ReleaseFolder();
  await using opened = await OpenedStore.open({ path: folder.path });
  const count = 12_345;
  const lines = Array.from({ length: count }, (_, i) => `${i}@1@9@I`);
  const report = await seedFiles(opened.store, {
    "LOG_NUM_SEC.TXT": [...lines, ...lines.slice(0, 700)],
    "LOG_LOGRADOURO_SP.TXT": streets(10),
  });
  assertEquals(
    countsOf(report, "LOG_NUM_SEC.TXT"),
    [count + 700, count, 700, 0],
  );
  assertEquals(folder.query("SELECT count(*) AS n FROM num_sec"), [{
    n: count,
  }]);
});
