/**
 * Words that say little: street types and prepositions.
 *
 * @module
 */

/** Street types, which rank a result but never exclude one. */
const TYPES: ReadonlySet<string> = new Set([
  "rua",
  "avenida",
  "travessa",
  "alameda",
  "praca",
  "estrada",
  "rodovia",
  "via",
  "viela",
  "beco",
  "largo",
  "ladeira",
  "passagem",
  "servidao",
  "rotatoria",
  "logradouro",
]);

/** Their abbreviations that mean nothing else. */
const ABBREVIATED_TYPES: ReadonlySet<string> = new Set([
  "av",
  "aven",
  "avd",
  "tv",
  "trav",
  "trv",
  "estr",
  "rod",
  "lgo",
  "pca",
  "bc",
]);

/** Their abbreviations that are types only before a name. */
const LEADING_TYPES: ReadonlySet<string> = new Set([
  "r",
  "al",
  "est",
  "pc",
  "tr",
  "lad",
  "psg",
  "srv",
  "v",
  "lg",
]);

/** Types of streets and places that are often left out. */
const LOOSE_TYPES: ReadonlySet<string> = new Set([
  "acesso",
  "area",
  "bairro",
  "b",
  "bo",
  "caminho",
  "chacara",
  "condominio",
  "cond",
  "conjunto",
  "cj",
  "conj",
  "distrito",
  "estancia",
  "fazenda",
  "habitacional",
  "hab",
  "jardim",
  "jd",
  "loteamento",
  "lot",
  "municipal",
  "nucleo",
  "parque",
  "pq",
  "prq",
  "povoado",
  "residencial",
  "res",
  "setor",
  "st",
  "sitio",
  "trecho",
  "vila",
  "vl",
  "vla",
  "viaduto",
  "cidade",
  "municipio",
]);

const PREPOSITIONS: ReadonlySet<string> = new Set([
  "de",
  "da",
  "do",
  "das",
  "dos",
  "e",
]);

/** True for a street type. */
export function isType(word: string): boolean {
  return TYPES.has(word);
}

/** Returns all street types. */
export function listTypes(): string[] {
  return [...TYPES];
}

/** True for a street type or its abbreviation in a query. */
export function isWrittenType(word: string, isFirst: boolean): boolean {
  return TYPES.has(word) || ABBREVIATED_TYPES.has(word) ||
    isFirst && LEADING_TYPES.has(word);
}

/** True for a type of street or place that is often left out. */
export function isLooseType(word: string): boolean {
  return LOOSE_TYPES.has(word);
}

/** True for a preposition. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/**
 * Returns the words of a name without its prepositions. In `Rua E`, the `e` is
 * not one.
 */
export function withoutPrepositions(words: readonly string[]): string[] {
  return words.filter((word, i) =>
    !isPreposition(word) ||
    word === "e" && (i === words.length - 1 || words.length === 1)
  );
}
