import {
  collectAddress,
  type ColumnNames,
  findColumns,
  isEmpty,
} from "./columns.ts";
import { requireIntact, RowError, type TableFormat } from "./format.ts";
import { lineEndOf, type Row, textOf } from "./row_reader.ts";

/** Member with the record that was found. */
const FOUND = "encontrado";

/** Member with an error. */
const ERROR = "erro";

/** Members of an answer, numbered if the row has one of the same name. */
const MEMBER = new RegExp(`^"(?:${FOUND}|${ERROR})(?:_\\d+)?":`);

/**
 * Creates the format of NDJSON. An answer is the text of its row, to which a
 * member is added.
 */
export function jsonFormat(given: ColumnNames): TableFormat {
  return {
    delimiter: undefined,
    header: "",
    read(row) {
      requireIntact(row);
      const object = parseObject(row);
      if (object === undefined) {
        throw new RowError("a linha deve ser um objeto JSON");
      }
      const columns = isEmpty(given) ? findColumns(Object.keys(object)) : given;
      if (isEmpty(columns)) throw new RowError("linha sem endereço");
      return collectAddress(columns, (name) => toText(object[name]));
    },
    write: (row, { endereco: _, ...found }) => append(row, FOUND, found),
    writeError: (row, message) => append(row, ERROR, message),
    isAnswer(row, { raw }) {
      const { start } = open(row);
      return raw.startsWith(start) && MEMBER.test(raw.slice(start.length));
    },
  };
}

/** Row whose object is not closed. */
interface OpenRow {
  /** Names of the members. */
  readonly names: readonly string[];
  /** Text before the brace, with a comma if a member can follow. */
  readonly start: string;
  /** Text after the brace. */
  readonly end: string;
}

/** Opens the object of a row, or an object with the text of another row. */
function open(row: Row): OpenRow {
  const object = parseObject(row);
  const text = object === undefined
    ? JSON.stringify({ linha: textOf(row) })
    : textOf(row);
  const names = Object.keys(object ?? { linha: "" });
  const brace = text.lastIndexOf("}");
  return {
    names,
    start: text.slice(0, brace) + (names.length > 0 ? "," : ""),
    end: text.slice(brace + 1) + (lineEndOf(row) || "\n"),
  };
}

/** Adds a member, whose name is the first that the row does not have. */
function append(row: Row, name: string, value: unknown): string {
  const { names, start, end } = open(row);
  let free = name;
  for (let i = 2; names.includes(free); i++) free = `${name}_${i}`;
  return `${start}"${free}":${JSON.stringify(value)}}${end}`;
}

function parseObject({ raw }: Row): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw);
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
