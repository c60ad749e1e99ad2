import type { Address } from "../../record/address.ts";
import type { CensusRow, CensusStreet } from "../../record/census.ts";
import { stateOfIbge } from "../../record/states.ts";
import { otherForms } from "../../search/abbreviations.ts";
import { fold } from "../../search/fold.ts";
import { joinNumerals } from "../../search/numerals.ts";
import { countEdits } from "../../util/edits.ts";
import { spellingKey } from "../../search/spelling_key.ts";
import {
  isLightWord,
  isType,
  withoutPrepositions,
} from "../../search/word_kinds.ts";

/** Kind of a difference, as the report names it. */
export type DifferenceKind =
  | "somente_dne"
  | "somente_cnefe"
  | "municipio"
  | "logradouro";

/** CEP of the DNE, of the CNEFE or of both. */
export interface Compared {
  /** Eight digits. */
  readonly cep: string;
  /** Abbreviation of the state, that of the DNE if it has the CEP. */
  readonly uf: string;
  /** Record of the DNE, `undefined` without one. */
  readonly record: Address | undefined;
  /** Row of the CNEFE, `undefined` without one. */
  readonly row: CensusRow | undefined;
  /** Difference, `null` if both agree. */
  readonly kind: DifferenceKind | null;
  /**
   * Street of the CNEFE that is most similar to that of the DNE, otherwise the
   * most frequent one; `undefined` without one.
   */
  readonly street: CensusStreet | undefined;
  /** Similarity of the streets from 0 to 1, `null` if one has none. */
  readonly similarity: number | null;
}

/**
 * Similarity of two names of one street: other words for the type, a title left
 * out, a misspelling.
 */
const SAME_STREET = 0.75;

/**
 * Compares what both sources have of a CEP. Streets are compared if the DNE has
 * the CEP of a street, with each street of the CNEFE: census takers write the
 * CEP of a street on its side streets, too.
 *
 * @param record Record of the release, which may be made from the CNEFE.
 */
export function compareSources(
  cep: string,
  record: Address | undefined,
  row: CensusRow | undefined,
): Compared {
  const own = record?.tipo_origem === "cnefe" ? undefined : record;
  const uf = own?.uf ?? stateOfIbge(row?.ibge ?? "") ?? "";
  const compared = { cep, uf, record: own, row };
  const street = row?.streets[0];
  if (own === undefined || row === undefined) {
    const kind = own === undefined ? "somente_cnefe" : "somente_dne";
    return { ...compared, kind, street, similarity: null };
  }
  if (own.codigo_ibge !== "" && own.codigo_ibge !== row.ibge) {
    return { ...compared, kind: "municipio", street, similarity: null };
  }
  if (own.tipo_origem !== "logradouro" || street === undefined) {
    return { ...compared, kind: null, street, similarity: null };
  }
  const nearest = mostSimilar(own.logradouro, row.streets);
  const kind = nearest.similarity < SAME_STREET ? "logradouro" : null;
  return { ...compared, kind, ...nearest };
}

function mostSimilar(
  name: string,
  streets: readonly CensusStreet[],
): { street: CensusStreet | undefined; similarity: number } {
  let best = { street: streets[0], similarity: 0 };
  for (const street of streets) {
    const score = streetSimilarity(name, nameOf(street));
    if (score > best.similarity) best = { street, similarity: score };
  }
  return best;
}

export function nameOf({ type, name }: CensusStreet): string {
  return [type, name].filter((it) => it !== "").join(" ");
}

/** Similarity of words with a letter wrong, with two, or cut off. */
const EDITED = [1, 0.85, 0.7] as const;
const SHORTENED = 0.75;
/** Factor for another type. */
const OTHER_TYPE = 0.9;
/** Weight of a title or a type within a name. */
const LIGHT = 0.4;

/** Compares two names, with their types. Returns 1 for equal ones, else less. */
export function streetSimilarity(one: string, other: string): number {
  const [[type, words], [otherType, others]] = [split(one), split(other)];
  if (words.length === 0 || others.length === 0) return 0;
  const left = [...others];
  let shared = 0;
  for (const word of words) {
    let [best, at] = [0, -1];
    left.forEach((candidate, i) => {
      const similarity = wordSimilarity(word, candidate);
      if (similarity > best) [best, at] = [similarity, i];
    });
    if (at < 0) continue;
    shared += best * (weightOf(word) + weightOf(left[at]!));
    left.splice(at, 1);
  }
  const total = [...words, ...others].reduce(
    (sum, it) => sum + weightOf(it),
    0,
  );
  const hasOtherType = type !== undefined && otherType !== undefined &&
    wordSimilarity(type, otherType) < 1;
  return shared / total * (hasOtherType ? OTHER_TYPE : 1);
}

function split(name: string): [type: string | undefined, words: string[]] {
  const words = [...joinNumerals(withoutPrepositions(fold(name)))];
  const [first = ""] = words;
  const hasType = words.length > 1 &&
    [first, ...otherForms(first)].some(isType);
  return hasType ? [first, words.slice(1)] : [undefined, words];
}

function weightOf(word: string): number {
  return [word, ...otherForms(word)].some(isLightWord) ? LIGHT : 1;
}

function wordSimilarity(one: string, other: string): number {
  if (spellingKey(one) === spellingKey(other)) return 1;
  if (otherForms(one).includes(other)) return 1;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (/^\d/.test(one) || /^\d/.test(other) || short.length < 3) return 0;
  if (long.startsWith(short)) return SHORTENED;
  const most = long.length < 8 ? 1 : 2;
  const edits = countEdits(short, long, most);
  return edits > most ? 0 : EDITED[edits]!;
}
