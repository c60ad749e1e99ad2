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
  "avda",
  "tv",
  "trav",
  "trv",
  "estr",
  "rod",
  "lgo",
  "pca",
  "bc",
]);

/** Words and abbreviations that are types only before a name. */
const LEADING_TYPES: ReadonlySet<string> = new Set([
  "acesso",
  "caminho",
  "escadaria",
  "viaduto",
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

/** Titles, which are often left out. */
const TITLES: ReadonlySet<string> = new Set(
  `doutor doutora professor professora coronel capitao tenente general sargento
    soldado cabo major marechal almirante brigadeiro comandante padre frei irma
    monsenhor dom dona bispo conego presidente governador senador deputado
    vereador prefeito ministro desembargador conselheiro comendador engenheiro
    arquiteto visconde barao baronesa conde duque embaixador expedicionario
    maestro jornalista pastor`.split(/\s+/),
);

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

/** Words that say little about a name: types and titles. */
export const LIGHT_WORDS: ReadonlySet<string> = new Set([
  ...TYPES,
  ...LOOSE_TYPES,
  ...TITLES,
]);

/** True for a word that says little about a name. */
export function isLightWord(word: string): boolean {
  return LIGHT_WORDS.has(word);
}

/** True for a preposition. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/**
 * True for a word that is left out of a name: a preposition. In `Rua E`, the `e`
 * is not one.
 */
export function isDropped(word: string, isLast: boolean): boolean {
  return isPreposition(word) && !(isLast && word === "e");
}

/** Returns the words of a name without its prepositions. */
export function withoutPrepositions(words: readonly string[]): string[] {
  return words.filter((word, i) => !isDropped(word, i === words.length - 1));
}

/**
 * Words by the one before their apostrophe. Others are not joined, because `D`
 * is the name of many streets: `Rua D, Atibaia`.
 */
const ELISIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "d",
    new Set(
      `abadia abreu agostini agostino agosto agua aguas ajuda alessandro alho
        alincourt alva ambrosio amico andrea angelo anta antas anunciacao aquino
        arc artagnan assumpcao avila avilla elboux eca estaing este eu incao
        italia oeste oliveira onofrio orbigny ornelas ornellas orto ouro urso`
        .split(/\s+/),
    ),
  ],
  [
    "sant",
    new Set(
      "ago ana anna andrea angelo elena elia eli elmo helena iago".split(" "),
    ),
  ],
]);

const BEFORE = Array.from(
  ELISIONS.keys(),
  (word) => new TextEncoder().encode(word),
);

/** True for the letters of a word that may have an apostrophe after it. */
export function isElided(
  letters: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (const word of BEFORE) {
    if (word.length !== end - start) continue;
    if (word.every((letter, i) => letters[start + i] === letter)) return true;
  }
  return false;
}

/** True if two words are one with an apostrophe between them. */
export function isElision(word: string, next: string): boolean {
  return ELISIONS.get(word)?.has(next) ?? false;
}
