import { assertEquals, assertRejects } from "@std/assert";
import { basename, join } from "node:path";
import { CensusError } from "../../../../cep/import/errors.ts";
import type { CensusFileReport } from "../../../../cep/import/cnefe/report.ts";
import { CapturingLogger } from "../../_logger.ts";
import { zip } from "../../_zip.ts";
import { latin1 } from "../../_directory.ts";
import {
  COLUMNS,
  csv,
  readAll,
  readFolder,
  type Values,
  withFiles,
} from "./_census.ts";

async function reportOf(content: string): Promise<CensusFileReport> {
  const { report } = await readAll({ "35_SP.csv": content });
  return report.files[0]!;
}

for (
  const [name, row, expected] of [
    ["coordinates outside of Brazil", { LATITUDE: "22.5" }, {
      warnings: { coordinates: { count: 1, lines: [3] } },
    }],
    ["swapped coordinates", { LATITUDE: "-46.5", LONGITUDE: "-22.5" }, {
      warnings: { coordinates: { count: 1, lines: [3] } },
    }],
    ["one coordinate", { LATITUDE: "" }, {
      warnings: { coordinates: { count: 1, lines: [3] } },
    }],
    ["a building number of six digits", { NUM_ENDERECO: "100000" }, {
      warnings: { "building number": { count: 1, lines: [3] } },
    }],
    ["a building number with a letter", { NUM_ENDERECO: "10A" }, {
      warnings: { "building number": { count: 1, lines: [3] } },
    }],
    ["a CEP of another state", { CEP: "21000010" }, {
      warnings: { "CEP of another state": { count: 1, lines: [3] } },
    }],
    ["another use of an address", { COD_UNICO_ENDERECO: "1" }, {
      addresses: 1,
      repeated: 1,
    }],
    ...["00000000", "", "129900100", "129900", "12990-010", "00123456"].map(
      (CEP): [string, Values, Partial<CensusFileReport>] => [
        `the CEP "${CEP}"`,
        { CEP },
        {
          addresses: 1,
          rejected: 1,
          rejections: { CEP: { count: 1, lines: [3] } },
        },
      ],
    ),
    ...["", "359990", "9999999", "35999O9"].map(
      (COD_MUNICIPIO): [string, Values, Partial<CensusFileReport>] => [
        `the municipality "${COD_MUNICIPIO}"`,
        { COD_MUNICIPIO },
        { rejections: { municipality: { count: 1, lines: [3] } } },
      ],
    ),
    ["a separator in a value", { DSC_ESTABELECIMENTO: "A;B" }, {
      rejections: { "number of columns": { count: 1, lines: [3] } },
    }],
    ["a NUL byte", { DSC_ESTABELECIMENTO: "A\0B" }, {
      rejections: { "NUL byte": { count: 1, lines: [3] } },
    }],
    ["an overlong row", { DSC_ESTABELECIMENTO: "A".repeat(1e5) }, {
      rejections: { "overlong row": { count: 1, lines: [3] } },
    }],
  ] satisfies [string, Values, Partial<CensusFileReport>][]
) {
  Deno.test(`readCensus reports ${name}`, async () => {
    const { milliseconds, path, ...report } = await reportOf(csv([{}, row]));
    assertEquals([path.endsWith("/35_SP.csv"), milliseconds >= 0], [
      true,
      true,
    ]);
    const base = {
      file: "35_SP.csv",
      rows: 2,
      addresses: 2,
      repeated: 0,
      rejected: 0,
      rejections: {},
      warnings: {},
      missingColumns: [],
      municipalities: 1,
    };
    const rejected = "rejections" in expected
      ? { rejected: 1, addresses: 1 }
      : {};
    assertEquals(report, { ...base, ...rejected, ...expected });
  });
}

for (
  const [columns, missing] of [
    [COLUMNS.split(" ").toReversed().join(" "), []],
    [COLUMNS.split(" ").toSorted().join(" "), []],
    [
      "CEP COD_MUNICIPIO NOM_TIPO_SEGLOGR NOM_TITULO_SEGLOGR NOM_SEGLOGR",
      [
        "COD_UNICO_ENDERECO",
        "DSC_LOCALIDADE",
        "NUM_ENDERECO",
        "LATITUDE",
        "LONGITUDE",
        "NV_GEO_COORD",
      ],
    ],
  ] as const
) {
  Deno.test(`readCensus finds columns by name: ${columns.slice(0, 30)}`, async () => {
    const rows = [{ NOM_TITULO_SEGLOGR: "DOUTOR" }];
    const data = await readAll({ "a.csv": csv(rows, { columns }) });
    assertEquals(data.report.files[0]!.missingColumns, [...missing]);
    const [row] = [...data.rows()].flat();
    const [street] = row!.streets;
    assertEquals([row!.cep, street!.type, street!.name], [
      "12990010",
      "Rua",
      "Doutor das Laranjas",
    ]);
    const isFull = missing.length === 0;
    assertEquals(row!.locality, isFull ? "Jardim Alegre" : "");
    assertEquals(row!.point === null, !isFull);
    assertEquals(street!.even, isFull ? [10, 10] : null);
  });
}

const STATE = csv([{}, {}, { COD_MUNICIPIO: "3599917", CEP: "12990020" }]);
const MUNICIPALITY = csv([{}, {}]);

for (
  const [name, files, count] of [
    ["a state twice", {
      "35_SP.csv": STATE,
      "copy/35_SP.zip": zip([{ name: "35_SP.csv", content: latin1(STATE) }]),
    }, 2],
    ["a state and one of its municipalities", {
      "35_SP.csv": STATE,
      "municipio.csv": MUNICIPALITY,
    }, 1],
  ] as const
) {
  Deno.test(`readCensus counts ${name} once`, async () => {
    const data = await readAll(files);
    const addresses = [...data.rows()].flat().map((row) => row.addresses);
    assertEquals(addresses, [2, 1]);
    const { repeatedMunicipalities: repeated } = data.report;
    assertEquals(
      repeated.map(({ ibge }) => ibge),
      [
        "3599909",
        "3599917",
      ].slice(0, count),
    );
    assertEquals(data.report.addresses, 3);
  });
}

Deno.test("readCensus counts a path that is named twice once", async () => {
  await withFiles({ "35_SP.csv": STATE }, async (folder) => {
    const again = join(folder, "..", basename(folder));
    const paths = [folder, join(folder, "35_SP.csv"), again];
    const { report } = await readFolder(folder, { paths });
    assertEquals(report.files.length, 1);
  });
});

for (
  const [name, other] of [
    ["part of it", csv([{}])],
    ["another edition of it", csv([{}, { CEP: "12990090" }])],
  ] as const
) {
  Deno.test(`readCensus refuses a municipality and ${name}`, async () => {
    await assertRejects(
      () => readAll({ "1.csv": STATE, "2.csv": other }),
      CensusError,
      "leave one of the files out",
    );
  });
}

Deno.test("readCensus reports CEPs outside of their state", async () => {
  const { report } = await readAll({
    "1.csv": csv([{}, { CEP: "21000010" }, { CEP: "21000010" }]),
  });
  assertEquals([report.codes, report.outsideState], [2, 1]);
});

const MARKER = "MARIA MARKER";

for (
  const column of [
    "DSC_ESTABELECIMENTO",
    "DSC_MODIFICADOR",
    "VAL_COMP_ELEM1",
    "NOM_COMP_ELEM5",
  ]
) {
  Deno.test(`readCensus keeps nothing of ${column}`, async () => {
    const logger = new CapturingLogger();
    const row = { [column]: MARKER };
    const rejected = { ...row, CEP: "0" };
    const data = await readAll({
      "1.csv": csv([row, rejected, { ...row, LATITUDE: "x" }]),
    }, { logger });
    const kept = JSON.stringify([...data.rows(), data.report, logger.entries]);
    assertEquals(kept.includes("MARIA"), false);
    for (
      const content of [
        csv([rejected]),
        csv([row]).trimEnd().slice(0, -10),
        csv([row]).split("\n")[1]!,
      ]
    ) {
      const error = await assertRejects(
        () => readAll({ "1.csv": content }),
        CensusError,
      );
      assertEquals(error.message.includes("MARIA"), false);
    }
  });
}
