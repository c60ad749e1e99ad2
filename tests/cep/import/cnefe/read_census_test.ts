import { assertEquals, assertRejects } from "@std/assert";
import type { CensusRow } from "../../../../cep/record/census.ts";
import { CensusError } from "../../../../cep/import/errors.ts";
import { zip } from "../../_zip.ts";
import { latin1 } from "../../_directory.ts";
import {
  COLUMNS,
  csv,
  readAll,
  rowsOf,
  type Values,
  withFiles,
} from "./_census.ts";
import { readFolder } from "./_census.ts";

Deno.test("readCensus counts the addresses of a CEP", async () => {
  const rows = await rowsOf([
    { NUM_ENDERECO: "15", LATITUDE: "-22.500010" },
    { NUM_ENDERECO: "7", LATITUDE: "-22.500020" },
    { NUM_ENDERECO: "8", LATITUDE: "-22.500030" },
    { NUM_ENDERECO: "0", NOM_SEGLOGR: "DOS LIMOES", DSC_LOCALIDADE: "CENTRO" },
  ]);
  assertEquals(rows, [{
    cep: "12990010",
    ibge: "3599909",
    locality: "Jardim Alegre",
    point: { latitude: -22.50001, longitude: -46.5, radius: 6 },
    addresses: 4,
    streets: [
      {
        type: "Rua",
        name: "das Laranjas",
        addresses: 3,
        odd: [7, 15],
        even: [8, 8],
      },
      { type: "Rua", name: "dos Limões", addresses: 1, odd: null, even: null },
    ],
    streetCount: 2,
    file: "35_SP.csv",
  }]);
});

const FAR = { COD_MUNICIPIO: "3599917", NOM_SEGLOGR: "LONGE" };

for (
  const [name, rows, expected] of [
    ["the most frequent municipality", [FAR, {}, {}], { ibge: "3599909" }],
    ["the lower of two municipalities", [FAR, {}], {
      ibge: "3599909",
      addresses: 1,
    }],
    ["the most frequent locality", [
      { DSC_LOCALIDADE: "A" },
      { DSC_LOCALIDADE: "VILA  NOVA" },
      { DSC_LOCALIDADE: "VILA NOVA " },
    ], { locality: "Vila Nova" }],
    ["no locality", [{ DSC_LOCALIDADE: "" }], { locality: "" }],
    ["a CEP without its leading zero", [{ CEP: "1990010" }], {
      cep: "01990010",
    }],
    ["further uses of an address once", [
      { COD_UNICO_ENDERECO: "7" },
      { COD_UNICO_ENDERECO: "7", COD_ESPECIE: "6" },
    ], { addresses: 1 }],
    ["no point without coordinates", [{ LATITUDE: "", LONGITUDE: "" }], {
      point: null,
    }],
    ["a point of the best level", [
      { LATITUDE: "-22.1", NV_GEO_COORD: "6" },
      { LATITUDE: "-22.2", NV_GEO_COORD: "3" },
      { LATITUDE: "-22.3", NV_GEO_COORD: "2" },
    ], { point: { latitude: -22.3, longitude: -46.5, radius: 6 } }],
    ["a name in ISO-8859-1", [{ NOM_SEGLOGR: "MARACUJ\xC1" }], {
      streets: [{
        type: "Rua",
        name: "Maracujá",
        addresses: 1,
        odd: null,
        even: [10, 10],
      }],
    }],
    ["no street without a name", [{ NOM_SEGLOGR: "SEM DENOMINACAO" }], {
      streets: [],
      streetCount: 0,
      addresses: 1,
    }],
    [
      "more streets than are kept",
      Array.from({ length: 12 }, (_, i) => ({ NOM_SEGLOGR: `${i}` })),
      { streetCount: 12, addresses: 12 },
    ],
  ] satisfies [string, readonly Values[], Partial<CensusRow>][]
) {
  Deno.test(`readCensus counts ${name}`, async () => {
    const [row] = await rowsOf(rows);
    const actual = Object.fromEntries(
      Object.keys(expected).map((key) => [key, row![key as keyof CensusRow]]),
    );
    assertEquals(actual, expected);
  });
}

const ONE = csv([{}]);
const OTHER = csv([{ CEP: "12990020", ...FAR }], { firstCode: 100 });

function zipOf(files: Readonly<Record<string, string | Uint8Array>>) {
  return zip(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: typeof content === "string" ? latin1(content) : content,
    })),
    { zip64: true },
  );
}

const PLACES: Readonly<Record<string, Record<string, string | Uint8Array>>> = {
  "CSV files": { "a.csv": ONE, "B.CSV": OTHER, "readme.txt": "" },
  "zip files": {
    "a.zip": zipOf({ "35_SP.csv": ONE }),
    "B.ZIP": zipOf({ "b.csv": OTHER }),
  },
  "a zip file of several files": {
    "a.zip": zipOf({ "CSV/1.csv": ONE, "CSV/2.csv": OTHER }),
  },
  "a zip file of zip files": {
    "a.zip": zipOf({
      "1.zip": zipOf({ "1.csv": ONE }),
      "2.zip": zipOf({ "2.csv": OTHER }),
    }),
  },
  "folders of files": {
    "UF/35_SP/a.csv": ONE,
    "Municipio/b.zip": zipOf({ "b.csv": OTHER }),
    ".hidden/c.csv": "",
  },
  "a file with a byte order mark": { "a.csv": `\uFEFF${ONE}`, "b.csv": OTHER },
  "rows that end with CRLF": {
    "a.csv": csv([{}], { lineEnd: "\r\n" }),
    "b.csv": OTHER.trimEnd(),
  },
};

for (const [name, files] of Object.entries(PLACES)) {
  Deno.test(`readCensus reads ${name}`, async () => {
    const data = await readAll(files);
    const ceps = [...data.rows()].flat().map(({ cep }) => cep);
    assertEquals(ceps, ["12990010", "12990020"]);
    assertEquals(data.report.files.length, 2);
  });
}

const damaged = zipOf({ "35_SP.csv": ONE });
const wrongCrc = zip([{
  name: "35_SP.csv",
  content: latin1(ONE),
  fields: { crc: 1 },
}]);

for (
  const [files, message] of [
    [{}, "it contains no CSV file, such as 35_SP.csv or 35_SP.zip"],
    [{ "a.csv": "" }, "it is empty"],
    [{ "a.csv": csv([]) }, "it contains no row below the header"],
    [
      { "a.csv": "1;2;3\n" },
      "its first row does not name the columns COD_MUNICIPIO, CEP, " +
      "NOM_TIPO_SEGLOGR, NOM_TITULO_SEGLOGR, NOM_SEGLOGR; " +
      "it seems to have no header row",
    ],
    [
      {
        "a.csv":
          "COD_UF;COD_MUNICIPIO;COD_ESPECIE;LATITUDE;LONGITUDE;NV_GEO_COORD\n",
      },
      "does not name the columns CEP, NOM_TIPO_SEGLOGR, NOM_TITULO_SEGLOGR, " +
      "NOM_SEGLOGR; it seems to be from Coordenadas_enderecos",
    ],
    [{ "a.csv": "CEP;QTD\n" }, "it seems to be from Agregados_por_CEP"],
    [{ "a.csv": ONE.replaceAll(";", ",") }, "separated by other characters"],
    [{ "a.csv": `"CEP";"X"\n` }, "it seems to be quoted"],
    [{ "a.csv": ONE.replace("COD_UF", "CEP") }, "names the column CEP twice"],
    [
      { "a.csv": ONE.replace("\n", ";X".repeat(250) + "\n") },
      "it has 284 columns, more than 256",
    ],
    [{ "a.csv": "nome\n" }, "it is not a file of the CNEFE of 2022"],
    [{ "a.csv": "\xFF\xFEC\0E\0P\0\n\0" }, "or one in UTF-16"],
    [{ "a.csv": "x".repeat(1e6) }, "its first row is too long"],
    [
      { "a.csv": csv([{ CEP: "00000000" }, { COD_MUNICIPIO: "9" }]) },
      "2 of its 2 rows cannot be used: CEP (1, first in line 2), " +
      "municipality (1, first in line 3)",
    ],
    [
      { "a.csv": ONE.trimEnd().slice(0, -20) },
      "it is truncated: line 2, the last one, has",
    ],
    [
      { "a.csv": ONE + ONE.split("\n")[1]!.slice(0, -20) + "\0".repeat(100) },
      "it is truncated: line 3, the last one, has no line end and cannot be",
    ],
    [
      { "a.csv": csv([{}, {}]) + "\0".repeat(200_000) },
      "it is truncated: line 4, the last one, has no line end and cannot be",
    ],
    [
      { "a.csv": csv([{}, {}, {}]) + "\xFF".repeat(200_000) },
      "it is truncated: line 5, the last one, has no line end and cannot be",
    ],
    [{ "a.zip": damaged.subarray(0, -100) }, "it cannot be read as a zip file"],
    [{ "a.zip": wrongCrc }, "it is damaged: its CRC-32 is"],
    [
      { "a.csv": ONE, "b.csv": csv([{ COD_UNICO_ENDERECO: "2" }]) },
      "the municipality 3599909 has 1 rows in it and other 1 rows in",
    ],
  ] satisfies [Record<string, string | Uint8Array>, string][]
) {
  Deno.test(`readCensus refuses: ${message.slice(0, 60)}`, async () => {
    await assertRejects(() => readAll(files), CensusError, message);
  });
}

Deno.test("readCensus refuses a missing path", async () => {
  await withFiles({}, async (folder) => {
    await assertRejects(
      () => readFolder(`${folder}/none`),
      CensusError,
      `Cannot read the CNEFE from "${folder}/none": it does not exist`,
    );
  });
});

for (
  const [column, value] of [
    ["COD_UNICO_ENDERECO", "3"],
    ["CEP", "12990020"],
    ["DSC_LOCALIDADE", "CENTRO"],
    ["NOM_TIPO_SEGLOGR", "AVENIDA"],
    ["NOM_TITULO_SEGLOGR", "DOUTOR"],
    ["NOM_SEGLOGR", "OUTRA"],
    ["NUM_ENDERECO", "11"],
    ["LATITUDE", "-21.500000"],
    ["LONGITUDE", "-46.600000"],
    ["NV_GEO_COORD", "6"],
  ] as const
) {
  Deno.test(`readCensus refuses a municipality in two files that differ in ${column}`, async () => {
    await assertRejects(
      () => readAll({ "a.csv": ONE, "b.csv": csv([{ [column]: value }]) }),
      CensusError,
      "the municipality 3599909 has 1 rows in it and other 1 rows in",
    );
  });
}

Deno.test("readCensus counts a municipality in two files with other columns and order once", async () => {
  const rows = [{}, { NUM_ENDERECO: "12", NOM_TIPO_SEGLOGR: "AVENIDA" }];
  const columns = COLUMNS.split(" ").toReversed().join(" ");
  const { report } = await readAll({
    "a.csv": csv(rows),
    "b.csv": csv(
      [
        { ...rows[1], COD_UNICO_ENDERECO: "2" },
        { ...rows[0], COD_UNICO_ENDERECO: "1" },
      ],
      { columns },
    ),
  });
  assertEquals(report.addresses, 2);
  assertEquals(report.repeatedMunicipalities.length, 1);
});
