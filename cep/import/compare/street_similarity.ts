import { otherForms } from "../../search/abbreviations.ts";
import { fold } from "../../search/fold.ts";
import { joinNumerals } from "../../search/numerals.ts";
import { countEdits } from "../../search/reading/edits.ts";
import { spellingKey } from "../../search/spelling_key.ts";
import {
  isLightWord,
  isType,
  withoutPrepositions,
} from "../../search/word_kinds.ts";

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
