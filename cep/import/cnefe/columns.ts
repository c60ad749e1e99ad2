import { MAX_FIELDS } from "./row_scanner.ts";

/** Columns without which no address can be counted. */
export const REQUIRED_COLUMNS = [
  "COD_MUNICIPIO",
  "CEP",
  "NOM_TIPO_SEGLOGR",
  "NOM_TITULO_SEGLOGR",
  "NOM_SEGLOGR",
] as const;

/** Columns without which fewer facts are known. */
export const OPTIONAL_COLUMNS = [
  "COD_UNICO_ENDERECO",
  "DSC_LOCALIDADE",
  "NUM_ENDERECO",
  "LATITUDE",
  "LONGITUDE",
  "NV_GEO_COORD",
] as const;

/** Name of a column that is read. */
export type ColumnName =
  | (typeof REQUIRED_COLUMNS)[number]
  | (typeof OPTIONAL_COLUMNS)[number];

/** Position of each column, `undefined` for a missing optional one. */
export type Columns =
  & { readonly [C in (typeof REQUIRED_COLUMNS)[number]]: number }
  & { readonly [C in (typeof OPTIONAL_COLUMNS)[number]]: number | undefined };

/** Header row. */
export interface Header {
  readonly columns: Columns;
  /** Number of columns in each row. */
  readonly count: number;
  /** Optional columns that are missing. */
  readonly missing: readonly ColumnName[];
}

const SEPARATOR = ";";

/**
 * Reads a header row.
 *
 * @throws {Error} If columns are missing or duplicate, with a guess at what the
 * file is instead, or if there are too many.
 */
export function readHeader(line: string): Header {
  const names = line.replace(/^\uFEFF/, "").split(SEPARATOR)
    .map((name) => name.trim().toUpperCase());
  const has = (name: string) => names.includes(name);
  const missing = REQUIRED_COLUMNS.filter((name) => !has(name));
  if (missing.length > 0) {
    throw new Error(
      `its first row does not name the columns ${missing.join(", ")}` +
        explain(line, has),
    );
  }
  const needed = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
  const twice = needed.find((name) =>
    names.indexOf(name) !== names.lastIndexOf(name)
  );
  if (twice !== undefined) {
    throw new Error(`its first row names the column ${twice} twice`);
  }
  if (names.length > MAX_FIELDS) {
    throw new Error(`it has ${names.length} columns, more than ${MAX_FIELDS}`);
  }
  const positions = needed.filter(has).map((name) => [
    name,
    names.indexOf(name),
  ]);
  return {
    columns: Object.fromEntries(positions),
    count: names.length,
    missing: OPTIONAL_COLUMNS.filter((name) => !has(name)),
  };
}

/** Guesses at what a file without the columns is. */
function explain(line: string, has: (name: string) => boolean): string {
  if (line.includes("\0")) return "; it seems to be in UTF-16, not in ASCII";
  if (/"CEP"/i.test(line)) {
    return "; it seems to be quoted, unlike IBGE's files";
  }
  if (/\bCEP\b[,\t|]|[,\t|]CEP\b/i.test(line)) {
    return '; it seems to be separated by other characters than ";"';
  }
  if (has("LATITUDE") && !has("CEP")) {
    return "; it seems to be from Coordenadas_enderecos, which has no CEPs: " +
      "the files of Arquivos_CNEFE do";
  }
  if (has("CEP") && !has("NOM_SEGLOGR")) {
    return "; it seems to be from Agregados_por_CEP: " +
      "take the files of Arquivos_CNEFE";
  }
  if (/^\d+;/.test(line)) return "; it seems to have no header row";
  return "; it is not a file of the CNEFE of 2022";
}
