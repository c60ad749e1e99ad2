/**
 * State in the text of an address.
 *
 * @module
 */
import { STATES } from "../address.ts";
import { stateFacts } from "../states.ts";
import { fold } from "./words.ts";

const ABBREVIATIONS: ReadonlySet<string> = new Set(STATES);

const BY_NAME: ReadonlyMap<string, string> = new Map(
  STATES.map((uf) => [fold(stateFacts(uf)!.name), uf]),
);

/**
 * Returns the abbreviation of a state, from it or from the name, in any letter
 * case; `""` for any other text.
 */
export function toUf(text: string): string {
  const uf = text.trim().toUpperCase();
  return ABBREVIATIONS.has(uf) ? uf : BY_NAME.get(fold(text)) ?? "";
}

/**
 * Splits a text that ends with the abbreviation of a state: `São Paulo/SP`,
 * `Curitiba-PR`, `curitiba pr`.
 *
 * @returns `undefined` for any other text, such as `Praca da Se`.
 */
export function splitUf(
  text: string,
): { before: string; uf: string } | undefined {
  const [, before = "", abbreviation = ""] =
    /^(.*[^\s/-])\s*[\s/-]\s*([A-Za-z]{2})\.?$/.exec(text) ?? [];
  const uf = abbreviation.toUpperCase();
  if (!ABBREVIATIONS.has(uf) || /\bd[aeo]s?$/i.test(before)) return undefined;
  return { before: before.trim(), uf };
}
