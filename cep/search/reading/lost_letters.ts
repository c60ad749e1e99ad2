import { foldText } from "../fold.ts";
import type { Interval } from "../search_index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Word with the sign of letters that a character set lacks: `S?o`, `Jos?`. */
const DAMAGED = /\p{L}*(?:[?\uFFFD]+\p{L}+)+[?\uFFFD]*|\p{L}{2,}[?\uFFFD]+/gu;
/** Word with digits in place of letters like them: `R0berto`, `5ão`. */
const SCANNED = /^(?=(?:.*\p{L}){2})\p{L}*(?:[015]{1,2}\p{L}+)+$/u;
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
  if (text.length > MAX_LETTERS) return text;
  if (SCANNED.test(text)) return withoutDigits(text, vocabulary);
  if (!/[?\uFFFD]/.test(text)) return text;
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

/** Returns the known word that a scanned one with digits is, or the same text. */
function withoutDigits(text: string, vocabulary: Vocabulary): string {
  if (!vocabulary.mayLookUp()) return text;
  const letters = text.replaceAll("0", "o").replaceAll("5", "s");
  const words = [letters.replaceAll("1", "l"), letters.replaceAll("1", "i")];
  return words.find((it) => vocabulary.read(foldText(it)).isKnown) ?? text;
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
