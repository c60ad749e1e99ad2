import { foldText } from "../fold.ts";
import type { Interval } from "../search_index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Word with the sign of letters that a character set lacks: `S?o`, `Jos?`. */
const DAMAGED = /\p{L}*(?:[?\uFFFD]+\p{L}+)+[?\uFFFD]*|\p{L}{2,}[?\uFFFD]+/gu;
/** Letters that have accents in Portuguese. */
const ACCENTED = "aeiouc";
/** Most signs of a word that are restored. */
const MAX_SIGNS = 6;
/** Most letters and signs of such a word; longer ones take too long to match. */
const MAX_LETTERS = 32;

/**
 * Restores the letters of a chunk in whose place are signs: one for each letter,
 * or for each byte of it. A word becomes the most frequent one that it may be.
 */
export function restoreLetters(text: string, vocabulary: Vocabulary): string {
  if (text.length > MAX_LETTERS || !/[?\uFFFD]/.test(text)) return text;
  return text.replaceAll(DAMAGED, (word) => {
    const signs = word.match(/[?\uFFFD]/g)!.length;
    if (signs > MAX_SIGNS || !vocabulary.mayLookUp()) return word;
    const asked = /^(\p{L}+)\?+$/u.exec(word)?.[1];
    // "Rua das Flores?" is a question.
    if (asked && vocabulary.read(foldText(asked)).isKnown) return word;
    let best = { text: word, count: 0 };
    for (const it of readingsOf(word, vocabulary)) {
      if (it.count > best.count) best = it;
    }
    return word === word.toUpperCase() ? best.text.toUpperCase() : best.text;
  });
}

/** Yields the words of the index that a damaged one may be. */
function* readingsOf(
  word: string,
  vocabulary: Vocabulary,
  start = "",
  words?: Interval,
): Generator<{ text: string; count: number }> {
  if (words && words[0] === words[1]) return;
  const [sign = ""] = word;
  if (sign === "") {
    const count = vocabulary.countOfText(foldText(start), words!);
    if (count > 0) yield { text: start, count };
    return;
  }
  const isLost = sign === "?" || sign === "\uFFFD";
  for (const letter of isLost ? ACCENTED : [sign]) {
    const longer = start + letter;
    const among = vocabulary.findPrefix(foldText(longer), words);
    yield* readingsOf(word.slice(1), vocabulary, longer, among);
    if (isLost && word[1] === sign) {
      yield* readingsOf(word.slice(2), vocabulary, longer, among);
    }
  }
}
