import { type Address, type FieldName, FIELDS } from "../../record/address.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../record/fields.ts";

/**
 * Record whose values are still escaped as in JSON, without their quotes. Those
 * of fields that it lacks are `""`.
 */
export type RawRecord = { readonly [F in FieldName]: string };

const NAMES = Object.keys(FIELDS) as readonly FieldName[];

const START = `{"${NAMES[0]}":"`;

/** JSON text between a value and the next one. */
const SEPARATORS = NAMES.slice(1).map((name) => `","${name}":"`);

/** Number of separators of a record without the fields of the CNEFE. */
const OWN_SEPARATORS = OWN_FIELDS.length - 1;

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
    if (end === -1) {
      return i === OWN_SEPARATORS
        ? withoutCensus(record, json.slice(start, -END.length))
        : parsedRecord(json);
    }
    record[NAMES[i]!] = json.slice(start, end);
    start = end + separator.length;
  }
  record[NAMES.at(-1)!] = json.slice(start, -END.length);
  return record as RawRecord;
}

/** Completes a record without the fields of the CNEFE. */
function withoutCensus(
  record: Partial<Record<FieldName, string>>,
  last: string,
): RawRecord {
  record[OWN_FIELDS.at(-1)!] = last;
  for (const name of CENSUS_FIELDS) record[name] = "";
  return record as RawRecord;
}

/** Reads a record of a store that formats JSON in another way. */
function parsedRecord(json: string): RawRecord {
  const record: Address = JSON.parse(json);
  const entries = NAMES.map((name) =>
    [name, JSON.stringify(record[name] ?? "").slice(1, -1)] as const
  );
  return Object.fromEntries(entries) as RawRecord;
}

/** Returns the text of a raw value. */
export function unescaped(raw: string): string {
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}
