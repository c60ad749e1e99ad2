import type { Address } from "@carteiro/cep";
import { toFigures } from "./noise/numerals.ts";

/** Folds letter case and accents. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Folds a name to words of letters and digits, with numerals as figures. */
export function keyOf(text: string): string {
  const words = fold(text).replace(/[^a-z0-9]+/g, " ").trim();
  return toFigures(words);
}

const PREPOSITIONS: ReadonlySet<string> = new Set([
  "de",
  "da",
  "do",
  "das",
  "dos",
  "e",
]);

/** Drops prepositions from a key. */
export function looseKey(text: string): string {
  return keyOf(text).split(" ").filter((word) => !PREPOSITIONS.has(word))
    .join(" ");
}

/** True for a preposition between the words of a name. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(fold(word));
}

/** Returns the name of a street without its type. */
export function nameOf({ logradouro, tipo_logradouro: type }: Address): string {
  const isTyped = type !== "" && logradouro.startsWith(`${type} `);
  return isTyped ? logradouro.slice(type.length + 1) : logradouro;
}

/** Returns the written type of a street, `""` without one. */
export function typeOf(record: Address): string {
  const { logradouro } = record;
  return logradouro.slice(0, logradouro.length - nameOf(record).length).trim();
}

/**
 * Key of a name by its sound, coarser than any misspelling that the evaluation
 * makes by ear.
 */
export function soundKey(text: string): string {
  return looseKey(text.replaceAll(/ç/gi, "ss"))
    .replaceAll(/ph/g, "f")
    .replaceAll(/lh/g, "li")
    .replaceAll(/nh/g, "ni")
    .replaceAll(/[ck]h|sh|x/g, "x")
    .replaceAll(/(?<=[tcrdgkm])h|\bh/g, "")
    .replaceAll(/w/g, "v")
    .replaceAll(/y/g, "i")
    .replaceAll(/k|qu|q/g, "c")
    .replaceAll(/g(?=[ei])/g, "j")
    .replaceAll(/c(?=[ei])|z/g, "s")
    .replaceAll(/n(?=[bcdfgjlpqrstv])|m(?=[bcdfgjlpqrstv])/g, "m")
    .replaceAll(/n\b/g, "m")
    .replaceAll(/([a-z])\1+/g, "$1");
}
