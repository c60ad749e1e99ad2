import { formatDegrees } from "./degrees.ts";
import { CENSUS_FIELDS, FIELDS } from "../record/fields.ts";

/** True for each field that is an angle. */
const IS_ANGLE = CENSUS_FIELDS.map((name) =>
  FIELDS[name].variation === "degrees"
);

/** JSON texts before each number. */
const BEFORE = CENSUS_FIELDS.map((name) => `,"${name}":`);

/**
 * Reads the text of a field.
 *
 * @returns The number as it is stored, `undefined` for an empty text.
 * @throws {RangeError} If the text is not that of a number.
 */
export function toStored(field: number, text: string): number | undefined {
  if (text === "") return undefined;
  const number = Number(IS_ANGLE[field] ? text.replace(".", "") : text);
  const stored = IS_ANGLE[field]
    ? number < 0 ? -2 * number - 1 : 2 * number
    : number;
  if (isStorable(stored) && toText(field, stored) === text) return stored;
  throw new RangeError(
    `the field "${CENSUS_FIELDS[field]}" cannot be "${text}"`,
  );
}

function isStorable(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < 2 ** 32;
}

function toText(field: number, stored: number): string {
  if (!IS_ANGLE[field]) return `${stored}`;
  const half = stored >>> 1;
  return formatDegrees(stored & 1 ? -half - 1 : half);
}

/**
 * Renders the numbers of a record.
 *
 * @param present Bit of each field that has a number.
 * @param stored Numbers as they are stored, at the places of their fields.
 * @returns Their JSON, from the comma before the first one to the last value.
 */
export function renderNumbers(present: number, stored: Uint32Array): string {
  let json = "";
  for (let i = 0; present >> i > 0; i++) {
    if (present & 1 << i) json += BEFORE[i]! + toText(i, stored[i]!);
  }
  return json;
}
