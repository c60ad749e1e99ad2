/**
 * Similarity of names, from 0 to 1.
 *
 * @module
 */
import type { Name, Word } from "./words.ts";

/** Similarity of words with one letter wrong, missing, added or swapped. */
const ONE_EDIT = 0.85;
/** Similarity of long words with two such letters. */
const TWO_EDITS = 0.7;
/** Similarity of a word and its first letters. */
const SHORTENED = 0.9;
/** Similarity of a word and its first letter, too little for a whole name. */
const INITIAL = 0.45;
/** Factor for two different types. */
const OTHER_TYPE = 0.85;

/** Compares two names. An empty name is similar to none. */
export function similarity(one: Name, other: Name): number {
  if (one.words.length === 0 || other.words.length === 0) return 0;
  const names = joined(one) === joined(other)
    ? 1
    : sharedWeight(one.words, other.words) /
      (weightOf(one.words) + weightOf(other.words));
  return isOtherType(one.type, other.type) ? names * OTHER_TYPE : names;
}

function isOtherType(one: Word | undefined, other: Word | undefined): boolean {
  return one !== undefined && other !== undefined && !isSame(one, other);
}

function joined({ words }: Name): string {
  return words.map(({ text }) => text).join("");
}

function weightOf(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/** Pairs each word with the most similar one that is left. */
function sharedWeight(words: readonly Word[], others: readonly Word[]): number {
  const left: (Word | undefined)[] = [...others];
  let shared = 0;
  for (const word of words) {
    let [best, at] = [0, -1];
    for (let i = 0; i < left.length && best < 1; i++) {
      const other = left[i];
      const score = other === undefined ? 0 : wordSimilarity(word, other);
      if (score > best) [best, at] = [score, i];
    }
    if (at < 0) continue;
    shared += best * (word.weight + left[at]!.weight);
    left[at] = undefined;
  }
  return shared;
}

function isSame(one: Word, other: Word): boolean {
  return one.text === other.text || one.forms.includes(other.text) ||
    one.value !== undefined && one.value === other.value;
}

/** Compares two words. */
function wordSimilarity(one: Word, other: Word): number {
  if (isSame(one, other)) return 1;
  return textSimilarity(one.text, other.text);
}

/** Compares two words by their letters. */
export function textSimilarity(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  // A letter or a figure that names a street must be equal.
  if (isFigure(short) || isFigure(long)) return 0;
  if (long.startsWith(short)) return short.length < 3 ? INITIAL : SHORTENED;
  if (short.length < 3 || long.length - short.length > 2) return 0;
  const most = long.length < 8 ? 1 : 2;
  const edits = countEdits(short, long, most);
  if (edits > most) return 0;
  return edits === 1 ? ONE_EDIT : TWO_EDITS;
}

function isFigure(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

/**
 * Counts the letters that are wrong, missing, added or swapped with the next
 * (restricted Damerau-Levenshtein distance).
 *
 * @returns A number above `most` if there are more.
 */
function countEdits(one: string, other: string, most: number): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let edits = Math.min(
        above[j]! + 1,
        row[j - 1]! + 1,
        above[j - 1]! + (same ? 0 : 1),
      );
      if (
        i > 1 && j > 1 && one[i - 1] === other[j - 2] &&
        one[i - 2] === other[j - 1]
      ) {
        edits = Math.min(edits, before[j - 2]! + 1);
      }
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return least;
    [before, above] = [above, row];
  }
  return above[other.length]!;
}
