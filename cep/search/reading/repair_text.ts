import { foldText } from "../fold.ts";
import type { Interval } from "../search_index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Characters that windows-1252 has for the bytes from 0x80 on: those of
 * ISO-8859-1, and others in place of its control characters.
 */
const WINDOWS_1252 = new TextDecoder("windows-1252")
  .decode(Uint8Array.from({ length: 0x80 }, (_, i) => 0x80 + i));

/** UTF-8 of an accented letter that was read as one byte a character: `Ã£`. */
const MISREAD = RegExp(
  `([\u00C2\u00C3])([\u0080-\u00BF${WINDOWS_1252.slice(0, 0x20)}])`,
  "g",
);

/** Most times that a text was misread. */
const MAX_MISREAD = 3;

/** Combining mark of each accent in HTML. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: "\u0301",
  grave: "\u0300",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  cedil: "\u0327",
};

/** Tag of a web page: `<br>`. */
const TAG = /<\/?[a-z]{1,10} ?\/?>/gi;

const ENTITY = /&([A-Za-z])(acute|grave|circ|tilde|uml|cedil);/g;

/**
 * Restores the accents of a text, and drops the tags of a web page. Returns the
 * same text if nothing is damaged.
 */
export function repairText(text: string): string {
  return decodeUtf8(text).replaceAll(
    ENTITY,
    (_, letter: string, accent: string) => letter + ACCENTS[accent],
  ).replaceAll("&amp;", "&").replaceAll("&nbsp;", " ").replaceAll(TAG, " ")
    .normalize("NFC");
}

function decodeUtf8(text: string): string {
  for (let i = 0; i < MAX_MISREAD && text.search(MISREAD) >= 0; i++) {
    text = text.replaceAll(MISREAD, (_, lead: string, trail: string) => {
      const byte = trail.charCodeAt(0) < 0x100
        ? trail.charCodeAt(0)
        : 0x80 + WINDOWS_1252.indexOf(trail);
      return String.fromCharCode(
        (lead.charCodeAt(0) & 0x1F) << 6 | byte & 0x3F,
      );
    });
  }
  return text;
}

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
