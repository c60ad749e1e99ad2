import type { Match } from "../search/matcher.ts";
import {
  chooseColumns,
  collectAddress,
  type ColumnNames,
  TableError,
} from "./columns.ts";
import { joinCells, NO_DELIMITER, splitCells } from "./csv.ts";
import { requireIntact, RowError, type TableFormat } from "./format.ts";
import { lineEndOf, MAX_ROW, type Row, textOf } from "./row_reader.ts";

const HEADER_FAULTS = {
  quotes: "a quote is not closed, or text follows it",
  length: `it has more than ${MAX_ROW} characters`,
};

/** Columns that are added to those of the input. */
const ANSWER_COLUMNS: readonly (readonly [
  name: string,
  value: (match: Match) => string,
])[] = [
  ["cep_encontrado", ({ cep }) => cep ?? ""],
  ["pontuacao", ({ pontuacao }) => `${pontuacao}`],
  [
    "diferencas",
    ({ diferencas }) => diferencas.map((it) => it.campo).join(" "),
  ],
  ["outros_ceps", ({ outros_ceps }) => outros_ceps.join(" ")],
  ["logradouro_encontrado", ({ registro }) => registro?.logradouro ?? ""],
  ["complemento_encontrado", ({ registro }) => registro?.complemento ?? ""],
  ["bairro_encontrado", ({ registro }) => registro?.bairro ?? ""],
  ["cidade_encontrada", ({ registro }) => registro?.cidade ?? ""],
  ["uf_encontrada", ({ registro }) => registro?.uf ?? ""],
  ["codigo_ibge_encontrado", ({ registro }) => registro?.codigo_ibge ?? ""],
  ["parcial", ({ parcial }) => parcial ? "sim" : ""],
];
const ERROR_COLUMN = "erro";
const ADDED = [...ANSWER_COLUMNS.map(([name]) => name), ERROR_COLUMN];

/** Options of {@linkcode csvFormat}. */
export interface CsvOptions {
  /** Delimiter of the table. */
  readonly delimiter: string;
  /** Byte order mark of the table, by which spreadsheets recognize UTF-8. */
  readonly mark: string;
  /** Names of the columns with addresses. */
  readonly columns: ColumnNames;
}

/**
 * Creates the format of a CSV table. The text of a row is not changed, unless
 * its cells could not be told from those of the answer.
 *
 * @throws {TableError} If its header is unusable.
 */
export function csvFormat(
  first: Row,
  { delimiter, mark, columns: given }: CsvOptions,
): TableFormat & { readonly columns: ColumnNames } {
  const names = readHeader(first, delimiter);
  const columns = chooseColumns(given, names);
  const written = delimiter === NO_DELIMITER ? "," : delimiter;

  /** Returns the text of a row, with as many cells as the header has. */
  function cellsOf(row: Row): string {
    const cells = splitCells(row, delimiter);
    if (isSeparable(row, cells)) {
      return textOf(row) + written.repeat(names.length - cells.length);
    }
    while (cells.length < names.length) cells.push("");
    // The last one contains those beyond the header.
    const excess = cells.splice(names.length - 1).join(delimiter);
    return joinCells([...cells, excess], written);
  }

  /** True if a reader of the answers finds the same cells in the row. */
  function isSeparable(row: Row, cells: readonly string[]): boolean {
    if (row.fault !== undefined || cells.length > names.length) return false;
    return delimiter === written || row.raw.startsWith('"') ||
      !row.raw.includes(written);
  }

  function append(row: Row, cells: readonly string[]): string {
    const end = lineEndOf(row) || lineEndOf(first) || "\n";
    return cellsOf(row) + written + joinCells(cells, written) + end;
  }

  return {
    columns,
    delimiter: written,
    header: mark + append(first, ADDED),
    read(row) {
      requireIntact(row);
      const cells = splitCells(row, delimiter);
      if (cells.length !== names.length) {
        throw new RowError(
          `linha com ${cells.length} colunas em vez de ${names.length}`,
        );
      }
      return collectAddress(columns, (name) => cells[names.indexOf(name)]!);
    },
    write: (row, match) =>
      append(row, [...ANSWER_COLUMNS.map(([, value]) => value(match)), ""]),
    writeError: (row, message) =>
      append(row, [...ANSWER_COLUMNS.map(() => ""), message]),
    isAnswer: (row, text) =>
      text.raw.startsWith(cellsOf(row) + written) &&
      splitCells(text, written).length === names.length + ADDED.length,
  };
}

/**
 * Reads the names of the columns.
 *
 * @throws {TableError} If they are unusable.
 */
function readHeader(first: Row, delimiter: string): string[] {
  if (first.fault !== undefined) {
    throw new TableError(
      `Cannot read the header: ${HEADER_FAULTS[first.fault]}`,
    );
  }
  if (first.isMisread) {
    throw new TableError(
      "Cannot read the header: it is not UTF-8; set MATCH_ENCODING=iso-8859-1",
    );
  }
  const names = splitCells(first, delimiter).map((name) => name.trim());
  const seen = new Set<string>();
  for (const name of names) {
    if (ADDED.includes(name)) {
      throw new TableError(
        `Cannot add the column "${name}": the table has it already; rename it`,
      );
    }
    if (name !== "" && seen.has(name)) {
      throw new TableError(
        `Cannot read the table: the column "${name}" appears twice; rename one`,
      );
    }
    seen.add(name);
  }
  return names;
}
