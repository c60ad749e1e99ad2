/**
 * Names of the CNEFE, which are in capitals and without accents, as people
 * write them.
 *
 * ```text
 * SAO JOSE DOS CAMPOS -> São José dos Campos
 * VINTE E TRES DE MAIO -> Vinte e Três de Maio
 * OLHO D AGUA -> Olho d'Água
 * ```
 */
import data from "./accents.json" with { type: "json" };
import { municipalityNames } from "../../record/municipality_names.ts";

interface TitleCaseOptions {
  /**
   * Text that follows other words, such as a name after its street type: `DA
   * SE` becomes `da Sé`, not `Da Sé`.
   *
   * @default {false}
   */
  readonly continues?: boolean;
}

/** Words between names, in lower case. */
const PARTICLES: ReadonlySet<string> = new Set(
  "a ao aos as com da das de do dos e em na nas no nos o os".split(" "),
);
/** Particles that may also be the letter of a street or block. */
const LETTERS: ReadonlySet<string> = new Set(["a", "e", "o"]);
/** Words that a letter follows. */
const LETTERED: ReadonlySet<string> = new Set(
  "acesso ala area avenida beco bloco conjunto entrada etapa fase gleba letra "
    .concat("lote modulo passagem projetada quadra rua servidao setor torre ")
    .concat("travessa trecho via vila").split(" "),
);

/** Words before which the letter D stands for "de". */
const ELIDED: ReadonlySet<string> = new Set(
  "abadia abreu agua aguas ajuda alho alva andrea anjou anta anunciacao arc "
    .concat("arco assuncao avila el elboux eramo este eu oeste oliveira ouro")
    .split(" "),
);
/** Words before which SANT stands for "Santa" or "Santo". */
const SANCTIFIED: ReadonlySet<string> = new Set(["ana", "anna", "iago"]);

/** Abbreviations with a vowel, most of them of Brasília, in capitals. */
const CAPITALS: ReadonlySet<string> = new Set(
  "abc ae cdhu eptg epia eqn eqnl eqnm eqnn eqno eqnp eqs eqsw iapc iapi qe qi "
    .concat("qna qne qno qsa qse saan saas safn safs sain sais saun saus scen ")
    .concat("sces scia sen sepn seps ses sgan sgas shces shigs shin shis sia ")
    .concat("sibs sig smas smu acsu arne arno arse arso").split(" "),
);
/** Abbreviations without a vowel that are spoken as words. */
const SHORTENED: ReadonlySet<string> = new Set(
  "cj dr drs jd jr lt mr mrs pq prf qd sgt sr srs st tr trv tv".split(" "),
);
/** Abbreviations of states, which name highways together with a number. */
const HIGHWAYS: ReadonlySet<string> = new Set(
  "ac al am ap ba br ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se "
    .concat("sp to").split(" "),
);
const ROMAN = /^(?=.)x{0,3}(?:ix|iv|v?i{0,3})$/;

/** Words with accents that only their neighbours make certain. */
const IN_CONTEXT: Readonly<
  Record<string, (before: string, after: string) => string>
> = {
  para: (before, after) =>
    before === "do" || before === "grao" ||
      !before && (!after || after === "de")
      ? "pará"
      : "para",
  se: (before, after) =>
    before === "da" || before === "sento" || !before && !after ? "sé" : "se",
  sabia: (before, after) =>
    before === "do" || !before && !after ? "sabiá" : "sabia",
  sabias: (before) => before === "dos" ? "sabiás" : "sabias",
  marques: (before, after) =>
    (!before || before === "do") && /^d[aeo]s?$/.test(after)
      ? "marquês"
      : "marques",
  irma: (before, after) =>
    before === "da" || !before && after ? "irmã" : "irma",
  vi: (before) => before === "te" ? "vi" : "VI",
  caca: (_, after) => after === "e" ? "caça" : "caca",
  cha: (before, after) =>
    /^d[eo]$/.test(before) ? "chá" : before || after ? "chã" : "cha",
  marco: (before) => before === "de" ? "março" : "marco",
  propria: (before, after) => before || after ? "própria" : "propriá",
};

/** Numbers, after which two letters are a code: `VINTE E DOIS PA`. */
const NUMBERS: ReadonlySet<string> = new Set(
  "um dois tres três quatro cinco seis sete oito nove dez onze doze treze quatorze "
    .concat("catorze quinze dezesseis dezessete dezoito dezenove vinte trinta ")
    .concat("quarenta cinquenta sessenta setenta oitenta noventa cem").split(
      " ",
    ),
);
const TWO_LETTERS = /^[a-z]{2}$/;

/** Words whose form depends on their neighbours. */
const CONTEXTUAL: ReadonlySet<string> = new Set([
  ...PARTICLES,
  ...HIGHWAYS,
  ...Object.keys(IN_CONTEXT),
  "d",
  "sant",
]);

/**
 * Limit of the forms that are remembered, against input in which no word occurs
 * twice.
 */
const MAX_REMEMBERED = 200_000;
const remembered = new Map<string, string>();

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII = /^[a-z]+$/;
const HAS_DIGIT = /\p{N}/u;
const HAS_VOWEL = /[aeiouy]/;

/**
 * Returns a name of the CNEFE in title case, with the accents that are certain.
 * Without accents and in capitals it is the given name again, except for the
 * apostrophe of `d'Água`, a blank in the CNEFE.
 */
export function titleCase(
  name: string,
  { continues = false }: TitleCaseOptions = {},
): string {
  const words: string[] = [];
  const ends: number[] = [];
  const text = name.toLowerCase();
  for (const match of text.matchAll(WORD)) {
    words.push(match[0]);
    ends.push(match.index + match[0].length);
  }
  let result = "";
  let start = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const next = words[i + 1] ?? "";
    const before = words[i - 1] ?? (continues ? " " : "");
    let gap = text.slice(start, ends[i]! - word.length);
    if (gap === " " && isElision(before, word)) gap = "'";
    result += gap + written(word, before, next);
    start = ends[i]!;
  }
  return result + text.slice(start);
}

/** Returns a word as it is written between two others. */
function written(word: string, before: string, next: string): string {
  if (isCode(word, before)) return word.toUpperCase();
  if (CONTEXTUAL.has(word)) return writtenBetween(word, before, next);
  let form = remembered.get(word);
  if (form === undefined) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    form = writtenAlone(word);
    remembered.set(word, form);
  }
  return form;
}

function writtenBetween(word: string, before: string, next: string): string {
  if (isElision(word, next)) {
    return word === "d" && before ? "d" : capital(word);
  }
  if (PARTICLES.has(word)) {
    // "Nossa Senhora do Ó".
    if (word === "o" && before === "do" && !next) return "Ó";
    const isLetter = LETTERS.has(word) && (!next || LETTERED.has(before));
    return before && !isLetter ? word : capital(word);
  }
  if (HIGHWAYS.has(word) && HAS_DIGIT.test(next)) return word.toUpperCase();
  if (Object.hasOwn(IN_CONTEXT, word)) {
    return capital(IN_CONTEXT[word]!(before.trim(), next));
  }
  return writtenAlone(word);
}

function writtenAlone(word: string): string {
  if (HAS_DIGIT.test(word) || ROMAN.test(word) || CAPITALS.has(word)) {
    return word.toUpperCase();
  }
  if (!ASCII.test(word)) return capital(word);
  if (!HAS_VOWEL.test(word)) {
    return SHORTENED.has(word) ? capital(word) : word.toUpperCase();
  }
  return capital(accented(word));
}

/** True for two letters after a number, unless they are a known word. */
function isCode(word: string, before: string): boolean {
  return TWO_LETTERS.test(word) && !PARTICLES.has(word) &&
    !SHORTENED.has(word) && (NUMBERS.has(before) || HAS_DIGIT.test(before));
}

function isElision(word: string, next: string): boolean {
  return word === "d" && ELIDED.has(unaccented(next)) ||
    word === "sant" && SANCTIFIED.has(next);
}

function capital(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length);
}

/**
 * Endings with their accents, which the CNEFE does not have; the first that fits
 * is the right one. Other sources are a list written by hand (`accents.json`)
 * and the names of the municipalities. Ambiguous words are in none of them: a
 * missing accent is better than a wrong one.
 */
const ENDINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?<=[aceinopru])cao$/, "ção"],
  [/(?<=.)ao$/, "ão"],
  [/(?<=[aeiounpr])coes$/, "ções"],
  [/(?<=...)oes$/, "ões"],
  [/opolis$/, "ópolis"],
  [/apolis$/, "ápolis"],
  [/landia$/, "lândia"],
  [/encia(?=s?$)/, "ência"],
  [/ancia(?=s?$)/, "ância"],
  [/encio$/, "êncio"],
  [/ancio$/, "âncio"],
  [/(?<=.)ario(?=s?$)/, "ário"],
  [/(?<=.)orio(?=s?$)/, "ório"],
  [/(?<=.)erio(?=s?$)/, "ério"],
  [/acio(?=s?$)/, "ácio"],
  [/icio(?=s?$)/, "ício"],
  [/icia(?=s?$)/, "ícia"],
  [/(?<!f)ilia(?=s?$)/, "ília"],
  [/inia(?=s?$)/, "ínia"],
  [/inio(?=s?$)/, "ínio"],
  [/onio(?=s?$)/, "ônio"],
  [/enio(?=s?$)/, "ênio"],
  [/elio$/, "élio"],
  [/elia$/, "élia"],
  [/ulio$/, "úlio"],
  [/ulia$/, "úlia"],
  [/issim(?=[ao]s?$)/, "íssim"],
  [/guacu$/, "guaçu"],
  [/logic(?=[ao]s?$)/, "lógic"],
  [/grafic(?=[ao]s?$)/, "gráfic"],
  [/istic(?=[ao]s?$)/, "ístic"],
  [/(?<=..)avel$/, "ável"],
  [/(?<=..)ivel$/, "ível"],
  [/(?<!a)udio(?=s?$)/, "údio"],
  [/avio(?=s?$)/, "ávio"],
  [/ivio(?=s?$)/, "ívio"],
  [/esio$/, "ésio"],
  [/isio$/, "ísio"],
  [/osio$/, "ósio"],
  [/asio(?=s?$)/, "ásio"],
  [/idio(?=s?$)/, "ídio"],
  [/edio(?=s?$)/, "édio"],
  [/adio(?=s?$)/, "ádio"],
  [/odio(?=s?$)/, "ódio"],
  [/(?<!h)avia$/, "ávia"],
  [/alia$/, "ália"],
  [/idia$/, "ídia"],
  [/(?<=..)ania$/, "ânia"],
  [/enia$/, "ênia"],
  [/egio(?=s?$)/, "égio"],
  [/igio(?=s?$)/, "ígio"],
  [/ucia$/, "úcia"],
  [/ucio$/, "úcio"],
  [/ocio(?=s?$)/, "ócio"],
  [/(?<!r)acia(?=s?$)/, "ácia"],
  [/ecio$/, "écio"],
  [/ecia$/, "écia"],
  [/emio(?=s?$)/, "êmio"],
  [/atic(?=[ao]s?$)/, "átic"],
  [/etic(?=[ao]s?$)/, "étic"],
  [/otic(?=[ao]s?$)/, "ótic"],
  [/itic(?=[ao]s?$)/, "ític"],
  [/onic(?=[ao]s?$)/, "ônic"],
  [/anic(?=[ao]s?$)/, "ânic"],
  [/amic(?=[ao]s?$)/, "âmic"],
  [/omic(?=[ao]s?$)/, "ômic"],
  [/ane(?=[ao]s?$)/, "âne"],
  [/(?<=..)ois$/, "óis"],
];

let words: ReadonlyMap<string, string> | undefined;
/** Words that have an ending without its accent, or have several meanings. */
const plain: ReadonlySet<string> = new Set(data.plain.join(" ").split(" "));

/**
 * Returns a word with its accents where they are certain, else as it is. The
 * letters are `a` to `z`.
 */
export function accented(word: string): string {
  words ??= readWords();
  const known = words.get(word);
  if (known !== undefined) return known;
  if (plain.has(word)) return word;
  for (const [pattern, replacement] of ENDINGS) {
    if (pattern.test(word)) return word.replace(pattern, replacement);
  }
  return word;
}

/** Returns a lower-case word without accents. */
export function unaccented(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

function readWords(): ReadonlyMap<string, string> {
  const found = wordsOfMunicipalities();
  for (const word of data.words.join(" ").split(" ")) {
    found.set(unaccented(word), word);
  }
  return found;
}

/** Words that the names of municipalities always write in the same way. */
function wordsOfMunicipalities(): Map<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const name of municipalityNames().values()) {
    for (const [word] of name.toLowerCase().matchAll(/\p{L}{3,}/gu)) {
      const key = unaccented(word);
      const other = found.get(key);
      if (other === undefined) found.set(key, word);
      else if (other !== word) several.add(key);
    }
  }
  for (const key of several) found.delete(key);
  for (const key of plain) found.delete(key);
  return found;
}
