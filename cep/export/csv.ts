/**
 * CSV (RFC 4180) of records: a header, quotes where a value needs them, lines
 * that end with CRLF.
 */
import { type Address, type FieldName, FIELDS } from "../record/address.ts";
import { joinCells } from "../tables/csv.ts";

const NAMES = Object.keys(FIELDS) as FieldName[];

/**
 * Header: the names of the fields, in the order of the JSON. Those of the CNEFE
 * are always there, so that each release fits into the same table.
 */
export const CSV_HEADER: string = toLine(NAMES);

/** Formats a record as a line. */
export function toCsvLine(record: Address): string {
  return toLine(NAMES.map((name) => `${record[name] ?? ""}`));
}

function toLine(values: readonly string[]): string {
  return `${joinCells(values, ",")}\r\n`;
}
