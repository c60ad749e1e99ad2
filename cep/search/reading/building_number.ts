import {
  parseStreetNumber,
  type StreetNumber,
} from "../../record/street_number.ts";
import { firstOf, lastOf } from "./bits.ts";
import type { Query } from "./query.ts";

/** Kilometres of a highway: `34,5`, the first ones in a text. */
export const KILOMETRES = /\d+(?:[.,+]\d{1,3})?/;

/**
 * Finds the token of the building number.
 *
 * @param rest Tokens that are part of no name.
 * @param street Tokens of the street.
 * @returns The token, -1 without one.
 */
export function findNumber(query: Query, rest: number, street: number): number {
  const { fields, figures, marked, units, labels, tokens } = query;
  const given = fields.numero & figures & rest;
  if (given !== 0) return firstOf(given);
  const inText = fields.numero === 0 ? fields.endereco | fields.logradouro : 0;
  const free = rest & figures & ~query.references &
    (inText | fields.complemento & units);
  // "Rua Um, 260, em frente ao nº 919", "apto nº 919"
  const own = findBetween(query, free, street);
  if (own >= 0) return own;
  const told = free & marked & ~units;
  if (told !== 0) return firstOf(told);
  const found: number[] = [];
  for (let left = free; left !== 0; left &= left - 1) {
    const i = firstOf(left);
    // "Rua 7", "C-149"
    const isName = (query.afterTypes & 1 << i) !== 0 ||
      tokens[i]!.isGlued && tokens[i - 1]!.text.length < 4;
    const isKilometre = tokens[labels[i]!]?.text === "km";
    if (isKilometre || (units & 1 << i) === 0 && !isName) found.push(i);
  }
  const last = lastOf(street);
  const [first = -1, second = -1] = found.filter((i) => i > last);
  if (first < 0) return found[0] ?? -1;
  // "Rua São Geraldo 3, 25": the first one belongs to the street.
  const isOfStreet = first === last + 1 && second >= 0 &&
    tokens[first]!.text.length < 3 &&
    tokens[first]!.segment !== tokens[second]!.segment;
  return isOfStreet ? second : first;
}

/** Returns the number alone between two commas after the street, or -1. */
function findBetween(
  { tokens, units, marked }: Query,
  free: number,
  street: number,
): number {
  const i = lastOf(street) + 1;
  const isNext = street !== 0 && (free & ~(units | marked) & 1 << i) !== 0;
  if (!isNext) return -1;
  const { segment } = tokens[i]!;
  const isAlone = tokens[i - 1]!.segment !== segment &&
    tokens[i + 1] !== undefined && tokens[i + 1]!.segment !== segment;
  return isAlone ? i : -1;
}

/** True for a number that may be the end of the street's name. */
export function mayEndName(
  { tokens, marked, fields }: Query,
  number: number,
  street: number,
): boolean {
  const last = lastOf(street);
  return street !== 0 && number === last + 1 &&
    ((marked | fields.numero) & 1 << number) === 0 &&
    tokens[number]!.segment === tokens[last]!.segment;
}

/** Returns the building number that a token begins, `undefined` without one. */
export function numberAt(
  { tokens, texts, labels }: Query,
  i: number,
): StreetNumber | null | undefined {
  const { field, start, end, text } = tokens[i]!;
  if (tokens[labels[i]!]?.text === "km") {
    const [amount = ""] = KILOMETRES.exec(texts[field].slice(start)) ?? [];
    return parseStreetNumber(`km ${amount}`);
  }
  return parseStreetNumber(texts[field].slice(start, end)) ??
    parseStreetNumber(text);
}
