/** Small invented files of the CNEFE. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CensusRow } from "../../../../cep/record/census.ts";
import {
  type CensusData,
  type CensusOptions,
  readCensus,
} from "../../../../cep/import/cnefe/read_census.ts";
import { latin1 } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";

/** All columns, in the order of IBGE's files. */
export const COLUMNS =
  "COD_UNICO_ENDERECO COD_UF COD_MUNICIPIO COD_DISTRITO COD_SUBDISTRITO " +
  "COD_SETOR NUM_QUADRA NUM_FACE CEP DSC_LOCALIDADE NOM_TIPO_SEGLOGR " +
  "NOM_TITULO_SEGLOGR NOM_SEGLOGR NUM_ENDERECO DSC_MODIFICADOR " +
  "NOM_COMP_ELEM1 VAL_COMP_ELEM1 NOM_COMP_ELEM2 VAL_COMP_ELEM2 " +
  "NOM_COMP_ELEM3 VAL_COMP_ELEM3 NOM_COMP_ELEM4 VAL_COMP_ELEM4 " +
  "NOM_COMP_ELEM5 VAL_COMP_ELEM5 LATITUDE LONGITUDE NV_GEO_COORD " +
  "COD_ESPECIE DSC_ESTABELECIMENTO COD_INDICADOR_ESTAB_ENDERECO " +
  "COD_INDICADOR_CONST_ENDERECO COD_INDICADOR_FINALIDADE_CONST " +
  "COD_TIPO_ESPECI";

/** Values of a row by their columns. */
export type Values = Readonly<Record<string, string>>;

const DEFAULTS: Values = {
  COD_UF: "35",
  COD_MUNICIPIO: "3599909",
  CEP: "12990010",
  DSC_LOCALIDADE: "JARDIM ALEGRE",
  NOM_TIPO_SEGLOGR: "RUA",
  NOM_SEGLOGR: "DAS LARANJAS",
  NUM_ENDERECO: "10",
  LATITUDE: "-22.500000",
  LONGITUDE: "-46.500000",
  NV_GEO_COORD: "1",
  COD_ESPECIE: "1",
};

/** Options of {@linkcode csv}. */
export interface CsvOptions {
  /** Columns, separated by spaces. */
  readonly columns?: string;
  readonly lineEnd?: string;
  /** Number of the first address. */
  readonly firstCode?: number;
}

/** Returns a file with rows, each with an address of its own by default. */
export function csv(
  rows: readonly Values[],
  { columns = COLUMNS, lineEnd = "\n", firstCode = 1 }: CsvOptions = {},
): string {
  const names = columns.split(" ");
  const lines = rows.map((row, i) => {
    const values: Values = {
      ...DEFAULTS,
      COD_UNICO_ENDERECO: `${firstCode + i}`,
      ...row,
    };
    return names.map((name) => values[name] ?? "").join(";");
  });
  return [names.join(";"), ...lines, ""].join(lineEnd);
}

/** Calls a function with a new folder, which contains files. */
export async function withFiles<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "census-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a folder, by default in this thread. */
export function readFolder(
  folder: string,
  options: Partial<CensusOptions> = {},
): Promise<CensusData> {
  const logger = new CapturingLogger();
  return readCensus({
    paths: [folder],
    threads: 1,
    leastBytes: 0,
    logger,
    ...options,
  });
}

/** Reads files in this thread. */
export function readAll(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: Partial<CensusOptions>,
): Promise<CensusData> {
  return withFiles(files, (folder) => readFolder(folder, options));
}

/** Reads the rows of one file. */
export async function rowsOf(
  rows: readonly Values[],
  options?: CsvOptions,
): Promise<CensusRow[]> {
  const data = await readAll({ "35_SP.csv": latin1(csv(rows, options)) });
  return [...data.rows()].flat();
}
