/**
 * Formats of a table with addresses: how a row is read and answered.
 *
 * @module
 */
import type { Match } from "../matching/matcher.ts";
import {
  chooseColumns,
  collectAddress,
  type ColumnNames,
  findColumns,
  isEmpty,
  type RowAddress,
  TableError,
} from "./columns.ts";
import { joinCells, NO_DELIMITER, splitCells } from "./csv.ts";
import { MAX_ROW, type Row } from "./row_reader.ts";

/** Format of a table. */
export interface TableFormat {
  /** Delimiter of the cells of answers, `undefined` for lines. */
  readonly delimiter: string | undefined;
  /** Text before the first row. */
  readonly header: string;
  /**
   * Reads the address of a row.
   *
   * @throws {RowError} If the row is broken.
   */
  read(row: Row): RowAddress;
  /** Writes the answer to a row. */
  write(row: Row, match: Match): string;
  /** Writes an error in place of an answer. */
  writeError(row: Row, message: string): string;
  /** True if a text is an answer to a row. */
  isAnswer(row: Row, text: Row): boolean;
}

/** Fault of a row, in Portuguese because it is written to the table. */
export class RowError extends Error {
  /** Always `RowError`. */
  override readonly name = "RowError";
}

const HEADER_FAULTS = {
  quotes: "a quote is not closed, or text follows it",
  length: `it has more than ${MAX_ROW} characters`,
};

const FAULTS = {
  quotes: "aspas sem par ou seguidas de texto",
  length: `linha com mais de ${MAX_ROW} caracteres`,
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
 * Creates the format of a CSV table.
 *
 * @throws {TableError} If its header is unusable.
 */
export function csvFormat(
  first: Row,
  { delimiter, mark, columns: given }: CsvOptions,
): TableFormat {
  if (first.fault !== undefined) {
    throw new TableError(
      `Cannot read the header: ${HEADER_FAULTS[first.fault]}`,
    );
  }
  const names = splitCells(first, delimiter).map((name) => name.trim());
  const taken = names.find((name) => ADDED.includes(name));
  if (taken !== undefined) {
    throw new TableError(
      `Cannot add the column "${taken}": the table has it already; rename it`,
    );
  }
  const columns = chooseColumns(given, names);
  const lineEnd = first.raw.endsWith("\r\n") ? "\r\n" : "\n";
  const written = delimiter === NO_DELIMITER ? "," : delimiter;
  const line = (cells: readonly string[]) =>
    joinCells(cells, written) + lineEnd;

  /**
   * Returns the cells of a row, as many as the header has. The last one contains
   * those beyond the header.
   */
  function cellsOf(row: Row): string[] {
    const cells = splitCells(row, delimiter);
    while (cells.length < names.length) cells.push("");
    const excess = cells.splice(names.length - 1).join(delimiter);
    return [...cells, excess];
  }

  return {
    delimiter: written,
    header: mark + line([...names, ...ADDED]),
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
      line([
        ...cellsOf(row),
        ...ANSWER_COLUMNS.map(([, value]) => value(match)),
        "",
      ]),
    writeError: (row, message) =>
      line([...cellsOf(row), ...ANSWER_COLUMNS.map(() => ""), message]),
    isAnswer(row, text) {
      const cells = splitCells(text, written);
      return cells.length === names.length + ADDED.length &&
        cellsOf(row).every((cell, i) => cell === cells[i]);
    },
  };
}

/** Creates the format of NDJSON. */
export function ndjsonFormat(given: ColumnNames): TableFormat {
  return {
    delimiter: undefined,
    header: "",
    read(row) {
      requireIntact(row);
      const object = parseObject(row.raw);
      if (object === undefined) {
        throw new RowError("a linha deve ser um objeto JSON");
      }
      const columns = isEmpty(given) ? findColumns(Object.keys(object)) : given;
      if (isEmpty(columns)) throw new RowError("linha sem endereço");
      return collectAddress(columns, (name) => toText(object[name]));
    },
    write: (row, { endereco: _, ...encontrado }) =>
      `${JSON.stringify({ ...contentOf(row), encontrado })}\n`,
    writeError: (row, erro) =>
      `${JSON.stringify({ ...contentOf(row), erro })}\n`,
    isAnswer: (row, text) =>
      JSON.stringify(contentOf(row)) === JSON.stringify(contentOf(text)),
  };
}

/** Returns the members of a row without an answer. */
function contentOf({ raw }: Row): Record<string, unknown> {
  const object = parseObject(raw);
  if (object === undefined) return { linha: raw.trim() };
  const { encontrado: _, erro: __, ...content } = object;
  return content;
}

function requireIntact({ raw, fault }: Row): void {
  if (fault !== undefined) throw new RowError(FAULTS[fault]);
  if (raw.includes("\uFFFD")) {
    throw new RowError(
      "caracteres que não são UTF-8: informe MATCH_ENCODING=iso-8859-1",
    );
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? `${value}`
    : "";
}
