/**
 * Layout of the snapshot of all records.
 *
 * A record is a run of ISO-8859-1 bytes that are already escaped for JSON. What
 * many records share (a neighbourhood's name; district, municipality, state and
 * IBGE code together; …) is kept once, as a fragment, and named by its number:
 *
 * ```text
 * record  = number of each fragment, length of each text, the texts
 * ```
 *
 * Numbers and lengths are of variable size, seven bits a byte. A text may begin
 * with a byte below {@linkcode WORDS} that stands for a word and a blank. The
 * records come in the order of the import, in parts of which none divides a
 * record. After these there is a part for each column of fragments, one for the
 * words, and one for each of three arrays that find a record by its code: `starts`, for each five-digit prefix
 * the index of its first code; `places` and `suffixes`, for each code where its
 * record begins (part × {@linkcode PART_BYTES} + byte), and its last three
 * digits.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { type FieldName, FIELDS } from "../fields.ts";

/** Version of the layout; a snapshot of another one is not read. */
export const LAYOUT_VERSION = 1;

/** Number of five-digit prefixes. */
export const PREFIXES = 100_000;

/** Most bytes of a part that holds records. */
export const PART_BYTES = 1 << 20;

/** Header of a snapshot, stored beside its parts. */
export interface SnapshotHeader {
  /** {@linkcode LAYOUT_VERSION}. */
  readonly version: number;
  /** Number of records. */
  readonly records: number;
  /** Number of parts that hold records. */
  readonly recordParts: number;
  /** CRC-32 of the bytes of all parts. */
  readonly checksum: number;
}

/**
 * Number of words that a byte can stand for: escaped JSON holds no character
 * below it.
 */
export const WORDS = 0x20;

/** Between two fragments or words; escaped JSON holds no control character. */
export const SEPARATOR = "\n";

/** A piece of the JSON text of a record. */
export interface Piece {
  /** The code itself, a text of the record, or a fragment. */
  readonly kind: "code" | "text" | "fragment";
  /** The fields that it holds; more than one only in a fragment. */
  readonly fields: readonly [FieldName, ...FieldName[]];
}

/**
 * The pieces of the JSON text in their order: consecutive fields that vary
 * together make one fragment.
 */
export const PIECES: readonly Piece[] = toPieces();

function toPieces(): Piece[] {
  const pieces: { kind: Piece["kind"]; fields: [FieldName, ...FieldName[]] }[] =
    [];
  let last: string | undefined;
  for (const name of Object.keys(FIELDS) as FieldName[]) {
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

/** The fields that are texts of the record. */
export const TEXT_FIELDS: readonly FieldName[] = PIECES
  .filter(({ kind }) => kind === "text").map(({ fields }) => fields[0]);

/** The fields of each column of fragments. */
export const FRAGMENT_FIELDS: readonly (readonly FieldName[])[] = PIECES
  .filter(({ kind }) => kind === "fragment").map(({ fields }) => fields);

const PLAIN = /^[ !#-[\]-~\xA0-\xFF]*$/;

/** A text as it stands between the quotes of JSON, in ISO-8859-1. */
export function escapeJson(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return JSON.stringify(text).slice(1, -1).replace(
    /[^\0-\xFF]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The CRC-32 of bytes after others. zlib, given none at all, may begin anew.
 */
export function addToChecksum(checksum: number, bytes: Uint8Array): number {
  return bytes.length === 0 ? checksum : crc32(bytes, checksum);
}
