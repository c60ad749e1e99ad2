/**
 * Layout of the snapshot of all records.
 *
 * A record consists of ISO-8859-1 bytes, already escaped for JSON. Texts that
 * many records share (a neighbourhood; district, municipality, state and IBGE
 * code together; …) are stored once, as fragments with numbers:
 *
 * ```text
 * record  = number of each fragment, length of each text,
 *           with the CNEFE: a byte with the bits of its fields that have a
 *           number, and those numbers; the texts
 * ```
 *
 * All numbers have a variable size, with seven bits per byte. An angle is stored
 * in units of 1/100000 degree, twice its size, minus one if it is negative. A
 * text may begin with a byte below {@linkcode WORDS} that stands for a word and
 * a space.
 *
 * Records are in the order of the import, in parts that never split a record.
 * They are followed by columns, one after another and cut into parts of
 * {@linkcode PART_BYTES}: one for each column of fragments, one for the words,
 * and one for each of the arrays that locate a record by its CEP:
 *
 * - `starts`: index of the first CEP of each five-digit prefix
 * - `places`: start of the record of each CEP, as part ×
 *   {@linkcode PART_BYTES} + byte
 * - `suffixes`: last three digits of each CEP
 */
import { crc32 } from "node:zlib";
import {
  CENSUS_FIELDS,
  FIELDS,
  OWN_FIELDS,
  type OwnFieldName,
} from "../record/fields.ts";
import { formatDegrees } from "./points/points_layout.ts";

/** Version of the layout; other versions are not read. */
export const LAYOUT_VERSION = 3;

/** Number of five-digit prefixes. */
export const PREFIXES = 100_000;

/** Maximum size of a part: a server refuses rows of several megabytes. */
export const PART_BYTES = 1 << 20;

/** Header of a snapshot, stored beside its parts. */
export interface SnapshotHeader {
  readonly version: number;
  readonly records: number;
  /** True if the records have the fields of the CNEFE. */
  readonly counted: boolean;
  readonly recordParts: number;
  /** Number of bytes of each column. */
  readonly columns: readonly number[];
  /** CRC-32 of the bytes of all parts. */
  readonly checksum: number;
}

/**
 * Number of words that a byte can stand for. Escaped JSON contains no character
 * below it.
 */
export const WORDS = 0x20;

/**
 * Separator of fragments and of words, which does not occur in escaped JSON.
 */
export const SEPARATOR = "\n";

/** Piece of the JSON text of a record. */
export interface Piece {
  /** The CEP itself (`code`), a text of the record, or a fragment. */
  readonly kind: "code" | "text" | "fragment";
  /** Fields of the piece; a code or a text has one. */
  readonly fields: readonly [OwnFieldName, ...OwnFieldName[]];
}

/**
 * Pieces of the JSON text, in order and without the fields of the CNEFE, which
 * follow them. Consecutive fields with the same variation form one fragment.
 */
export const PIECES: readonly Piece[] = toPieces();

function toPieces(): Piece[] {
  const pieces: {
    kind: Piece["kind"];
    fields: [OwnFieldName, ...OwnFieldName[]];
  }[] = [];
  let last: string | undefined;
  for (const name of OWN_FIELDS) {
    const { variation } = FIELDS[name];
    if (variation === "code" || variation === "text") {
      pieces.push({ kind: variation, fields: [name] });
    } else if (variation === last) {
      pieces.at(-1)!.fields.push(name);
    } else {
      pieces.push({ kind: "fragment", fields: [name] });
    }
    last = variation;
  }
  return pieces;
}

/** Fields that are texts of the record. */
export const TEXT_FIELDS: readonly OwnFieldName[] = PIECES
  .filter(({ kind }) => kind === "text").map(({ fields }) => fields[0]);

/** Fields of each column of fragments. */
export const FRAGMENT_FIELDS: readonly Piece["fields"][] = PIECES
  .filter(({ kind }) => kind === "fragment").map(({ fields }) => fields);

const PLAIN = /^[ !#-[\]-~\xA0-\xFF]*$/;

/** Escapes a text for JSON in ISO-8859-1, without the quotes. */
export function escapeJson(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return JSON.stringify(text).slice(1, -1).replace(
    /[^\0-\xFF]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Adds bytes to a CRC-32. For no bytes, `crc32` may start again from zero. */
export function addToChecksum(checksum: number, bytes: Uint8Array): number {
  return bytes.length === 0 ? checksum : crc32(bytes, checksum);
}

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
