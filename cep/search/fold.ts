import { isElision } from "./elisions.ts";

/** Kind of a character that is not part of a word. */
const BETWEEN = " ";
/** Kind of a character that is dropped, such as an apostrophe. */
const DROPPED = "";

/** Letters without a decomposition. */
const LETTERS: Readonly<Record<string, string>> = {
  "æ": "ae",
  "ø": "o",
  "ß": "ss",
  "ð": "d",
  "þ": "th",
  "œ": "oe",
  "ł": "l",
  "đ": "d",
};

/** Apostrophes as the DNE writes them (`D"Água`), and ordinal marks. */
const MARKS = "'\"`´’‘“”ªº°";

/** Folded forms of the characters of ISO-8859-1, by their codes. */
const FOLDED: readonly string[] = Array.from(
  { length: 0x100 },
  (_, code) => foldCharacter(String.fromCharCode(code)),
);

function foldCharacter(character: string): string {
  if (MARKS.includes(character)) return DROPPED;
  const letter = character.normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const folded = LETTERS[letter] ?? letter;
  if (/^[a-z0-9]+$/.test(folded)) return folded;
  return /^\p{M}*$/u.test(character) ? DROPPED : BETWEEN;
}

/** Kind of the last character: other, letter or digit. */
type Kind = 0 | 1 | 2;

/**
 * Splits a text into words of the letters a to z and digits. A word never
 * contains both, except `3a` and `3o`, which may be ordinals. A space in place of
 * an apostrophe is left out, too: `D Água`.
 *
 * ```text
 * Praça D'Água, 3ª BR-364  ->  praca dagua 3 br 364
 * ```
 */
export function fold(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let last: Kind = 0;
  // True if only spaces precede the word.
  let isSpaced = false;
  const add = () => {
    const before = words.length - 1;
    if (isSpaced && isElision(words[before]!, word)) words[before] += word;
    else words.push(word);
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const folded = code < 0x100
      ? FOLDED[code]!
      : foldCharacter(String.fromCodePoint(text.codePointAt(i)!));
    if (folded === DROPPED) continue;
    if (folded === BETWEEN) {
      if (isThousands(text, i)) continue;
      if (word !== "") {
        add();
        isSpaced = true;
      }
      if (!isSpace(code)) isSpaced = false;
      word = "";
      last = 0;
      continue;
    }
    const kind: Kind = folded <= "9" ? 2 : 1;
    if (last !== 0 && kind !== last && !isOrdinal(text, i, folded)) {
      add();
      isSpaced = false;
      word = "";
    }
    word += folded;
    last = kind;
  }
  if (word !== "") add();
  return words;
}

/**
 * Folds letter case and accents, and turns all else but letters and digits into
 * single spaces.
 */
export function foldText(text: string): string {
  return fold(text).join(" ");
}

/** True for a space, tab or no-break space. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0xA0;
}

/** True for the dot of a number such as `1.578`. */
function isThousands(text: string, i: number): boolean {
  return text[i] === "." && isDigit(text, i - 1) && isDigit(text, i + 1) &&
    isDigit(text, i + 2) && isDigit(text, i + 3) && !isDigit(text, i + 4);
}

/**
 * True for the letter of `3a` or `3o` at the end of a word. A capital, as in
 * `Rua 3A`, is a letter of its own.
 */
function isOrdinal(text: string, i: number, folded: string): boolean {
  return (folded === "a" || folded === "o") && text[i] === folded &&
    isDigit(text, i - 1) &&
    !/[\p{L}\p{N}]/u.test(text[i + 1] ?? "");
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 0x30 && code <= 0x39;
}
