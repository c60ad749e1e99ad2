/**
 * Names of streets and places as words that can be compared.
 *
 * @module
 */
import { otherForms, PHRASES } from "../search/abbreviations.ts";
import { fold as foldWords } from "../search/fold.ts";
import { joinNumerals, valueOf } from "../search/numerals.ts";
import { isLooseType, withoutPrepositions } from "../search/word_kinds.ts";

/** Types of streets, in full. */
const STREET_TYPES: ReadonlySet<string> = new Set(
  `rua avenida travessa alameda praca estrada rodovia largo beco servidao
    acesso caminho ladeira viela via passagem passarela viaduto marginal
    calcada galeria escadaria ramal boulevard rotatoria contorno elevado
    vereda ruela tunel vicinal quadra superquadra rotula`.split(/\s+/),
);

/** Types of streets that names of places begin with, too. */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  `parque jardim vila setor conjunto loteamento residencial condominio chacara
    fazenda sitio distrito ponte linha corredor anel esplanada nucleo campo
    recanto retorno quinta porto ilha lago lagoa morro bloco modulo area alto
    balneario bosque estacao granja trecho`.split(/\s+/),
);

/** Titles, which users often leave out. */
const TITLES: ReadonlySet<string> = new Set(
  `doutor doutora professor professora coronel capitao tenente general sargento
    soldado cabo major marechal almirante brigadeiro comandante padre frei irma
    monsenhor dom dona bispo conego presidente governador senador deputado
    vereador prefeito ministro desembargador conselheiro comendador engenheiro
    arquiteto visconde barao baronesa conde duque embaixador expedicionario
    maestro jornalista pastor`.split(/\s+/),
);

/** Weight of a title, or of a type within a name. */
const LIGHT = 0.4;

/** Names and words that are kept, because they recur. */
const MAX_KEPT = 50_000;

/** Word of a name. */
export interface Word {
  readonly text: string;
  /** Its abbreviations, and the words that it abbreviates. */
  readonly forms: readonly string[];
  /** Value of a numeral. */
  readonly value: number | undefined;
  /** Weight in a comparison. */
  readonly weight: number;
}

/** Name of a street or place. */
export interface Name {
  /** Type of the street, `undefined` without one. */
  readonly type: Word | undefined;
  /** Words without prepositions. */
  readonly words: readonly Word[];
}

/**
 * Folds letter case and accents, and turns all else but letters and digits into
 * single spaces.
 */
export function fold(text: string): string {
  return foldWords(text).join(" ");
}

/** Reads the name of a street. */
export const streetName: (text: string) => Name = kept((text) => {
  const words = readWords(text);
  const [first, ...others] = words;
  return first !== undefined && others.length > 0 && isStreetType(first.text)
    ? { type: first, words: others }
    : { type: undefined, words };
});

/** Reads the name of a neighbourhood or city. */
export const placeName: (text: string) => Name = kept((text) => ({
  type: undefined,
  words: readWords(text),
}));

function readWords(text: string): Word[] {
  const words = foldWords(text).flatMap((word) => PHRASES.get(word) ?? [word]);
  return joinNumerals(withoutPrepositions(words)).map(readWord);
}

const readWord: (text: string) => Word = kept((text) => {
  const forms = otherForms(text);
  const isLight = [text, ...forms]
    .some((form) => TITLES.has(form) || isLooseType(form));
  return {
    text,
    forms,
    value: valueOf(text),
    weight: isLight ? LIGHT : 1,
  };
});

/** Keeps the results of a function. */
function kept<T>(read: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= MAX_KEPT) results.clear();
    const result = read(text);
    results.set(text, result);
    return result;
  };
}

/** True if a folded word is a type of streets or places, or abbreviates one. */
export function isType(word: string): boolean {
  return isStreetType(word) || someForm(word, OTHER_TYPES);
}

/** True if a folded word is a street type, in full or abbreviated. */
export function isStreetType(word: string): boolean {
  return someForm(word, STREET_TYPES);
}

function someForm(word: string, words: ReadonlySet<string>): boolean {
  return words.has(word) || otherForms(word).some((form) => words.has(form));
}

/** Every street type, in full. */
export function streetTypes(): Iterable<string> {
  return STREET_TYPES;
}
