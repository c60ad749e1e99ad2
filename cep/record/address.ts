import type { Origin } from "./entry.ts";
import type { CensusFieldName, OwnFieldName } from "./fields.ts";

export type { Origin } from "./entry.ts";
export {
  type CensusFieldName,
  type Counted,
  type Field,
  type FieldName,
  FIELDS,
  type OwnFieldName,
  type Variation,
} from "./fields.ts";

/**
 * The record of one CEP, as returned over HTTP. Every field is a string, `""`
 * where the sources have no value, except for those of the CNEFE: numbers, which
 * are absent without an address in it. {@linkcode FIELDS} describes them.
 */
export type Address =
  & {
    readonly [F in OwnFieldName]: F extends "tipo_origem" ? Origin : string;
  }
  & { readonly [F in CensusFieldName]?: number };

/** Abbreviations of the 26 states and the Federal District. */
// deno-fmt-ignore
export const STATES: readonly string[] = [
  "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO",
  "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI", "PR",
  "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
];

/** Written forms of a CEP, with blanks around it or around the hyphen. */
export const WRITTEN_CEP: RegExp =
  /^[ \t\xA0]*\d{2}(?:\d{3}|\.\d{3}(?=[- \t\xA0]))[ \t\xA0]{0,3}-?[ \t\xA0]{0,3}\d{3}[ \t\xA0]*$/;

/**
 * Parses a CEP in one of its written forms: `01310100`, `01310-100` or
 * `01.310-100`, with blanks around it or in place of the hyphen.
 *
 * @returns The eight digits, or `undefined` for any other text.
 *
 * @example
 * ```ts
 * import { parseCep } from "@carteiro/cep";
 *
 * console.assert(parseCep("01310-100") === "01310100");
 * console.assert(parseCep("1310-100") === undefined);
 * ```
 */
export function parseCep(text: string): string | undefined {
  if (!WRITTEN_CEP.test(text)) return undefined;
  return text.length === 8 ? text : text.replaceAll(/\D/g, "");
}

/**
 * Reads a CEP from a value of JSON. A number may have lost its leading zero, as
 * in a spreadsheet; a text of seven digits lacks any of its digits.
 *
 * @returns The eight digits, or `undefined` for any other value.
 */
export function readCep(value: unknown): string | undefined {
  if (typeof value === "string") return parseCep(value);
  return typeof value === "number" && /^\d{7,8}$/.test(`${value}`)
    ? `${value}`.padStart(8, "0")
    : undefined;
}

/**
 * Formats eight digits as a CEP with a hyphen.
 *
 * @example
 * ```ts
 * import { formatCep } from "@carteiro/cep";
 *
 * console.assert(formatCep("01310100") === "01310-100");
 * ```
 */
export function formatCep(cep: string): string {
  return `${cep.slice(0, 5)}-${cep.slice(5)}`;
}
