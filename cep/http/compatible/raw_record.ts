import { type Address, type FieldName, FIELDS } from "../../record/address.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../record/fields.ts";

/**
 * Record whose values are still as in JSON, without their quotes. Those of
 * fields that it lacks are `""`.
 */
export type RawRecord = { readonly [F in FieldName]: string };

const START = `{"${OWN_FIELDS[0]}":"`;

/** JSON text between a text and the next one. */
const SEPARATORS = OWN_FIELDS.slice(1).map((name) => `","${name}":"`);

const LAST_TEXT = OWN_FIELDS.at(-1)!;

/** JSON text after the last text: the numbers of the CNEFE. */
const NUMBERS = /"(?:,"\w+":[-\d.]+)*\}$/;

/**
 * Reads the fields of a record from its JSON text. Parsing and serializing it
 * again would take longer: a separator cannot occur within a text, where quotes
 * are escaped.
 */
export function rawRecord(json: string): RawRecord {
  const record = { ...NO_NUMBERS };
  let start = START.length;
  for (let i = 0; i < SEPARATORS.length; i++) {
    const separator = SEPARATORS[i]!;
    const end = json.indexOf(separator, start);
    if (end === -1) return parsedRecord(json);
    record[OWN_FIELDS[i]!] = json.slice(start, end);
    start = end + separator.length;
  }
  const rest = json.slice(start);
  const [numbers] = NUMBERS.exec(rest) ?? [];
  if (numbers === undefined) return parsedRecord(json);
  record[LAST_TEXT] = rest.slice(0, -numbers.length);
  for (const [, name, number] of numbers.matchAll(/"(\w+)":([-\d.]+)/g)) {
    record[name as FieldName] = number!;
  }
  return record as RawRecord;
}

const NO_NUMBERS = Object.fromEntries(
  CENSUS_FIELDS.map((name) => [name, ""]),
) as Partial<Record<FieldName, string>>;

const NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** Reads a record of a store that formats JSON in another way. */
function parsedRecord(json: string): RawRecord {
  const record: Address = JSON.parse(json);
  const entries = NAMES.map((name) =>
    [name, JSON.stringify(`${record[name] ?? ""}`).slice(1, -1)] as const
  );
  return Object.fromEntries(entries) as RawRecord;
}

/** Returns the text of a raw value. */
export function unescaped(raw: string): string {
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}
