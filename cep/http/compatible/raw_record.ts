/**
 * Fields of a record as they are in its JSON text.
 *
 * @module
 */
import { type Address, type FieldName, FIELDS } from "../../address.ts";

/** Record whose values are still escaped as in JSON, without their quotes. */
export type RawRecord = { readonly [F in FieldName]: string };

const NAMES = Object.keys(FIELDS) as readonly FieldName[];

const START = `{"${NAMES[0]}":"`;

/** JSON text between a value and the next one. */
const SEPARATORS = NAMES.slice(1).map((name) => `","${name}":"`);

const END = '"}';

/**
 * Reads the fields of a record from its JSON text. Parsing and serializing it
 * again would take longer: a separator cannot occur within a value, where
 * quotes are escaped.
 */
export function rawRecord(json: string): RawRecord {
  const record: Partial<Record<FieldName, string>> = {};
  let start = START.length;
  for (let i = 0; i < SEPARATORS.length; i++) {
    const separator = SEPARATORS[i]!;
    const end = json.indexOf(separator, start);
    if (end === -1) return parsedRecord(json);
    record[NAMES[i]!] = json.slice(start, end);
    start = end + separator.length;
  }
  record[NAMES.at(-1)!] = json.slice(start, -END.length);
  return record as RawRecord;
}

/** Reads a record of a store that formats JSON in another way. */
function parsedRecord(json: string): RawRecord {
  const record: Address = JSON.parse(json);
  const entries = NAMES.map((name) =>
    [name, JSON.stringify(record[name]).slice(1, -1)] as const
  );
  return Object.fromEntries(entries) as RawRecord;
}

/** Returns the text of a raw value. */
export function unescaped(raw: string): string {
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}
