import { isElided, isElision } from "./word_kinds.ts";

/** Folded character that is not part of a word. */
const BETWEEN = " ";
/** Folded character that is dropped, such as an apostrophe. */
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

function foldCharacter(character: string): string {
  if (MARKS.includes(character)) return DROPPED;
  const letter = character.normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const folded = LETTERS[letter] ?? letter;
  if (/^[a-z0-9]+$/.test(folded)) return folded;
  return /^\p{M}*$/u.test(character) ? DROPPED : BETWEEN;
}

/** Folded forms of the characters of ISO-8859-1, by their codes. */
const FOLDED: readonly string[] = Array.from(
  { length: 0x100 },
  (_, code) => foldCharacter(String.fromCharCode(code)),
);

/** First letter of each folded form, 0 if it is dropped. */
const FIRST = Uint8Array.from(FOLDED, (it) => it.charCodeAt(0) || 0);

/** Second letter of each folded form, 0 if it has none. */
const SECOND = Uint8Array.from(FOLDED, (it) => it.charCodeAt(1) || 0);

const SPACE = 0x20;
const NINE = 0x39;

/** Kind of the last character: other, letter or digit. */
type Kind = 0 | 1 | 2;

/**
 * Words of a text, as the codes of their letters, without a string for each.
 * Folding another text overwrites them.
 */
export class FoldedText {
  /** Letters of all words, in ASCII. */
  letters: Uint8Array = new Uint8Array(256);
  /** End of each word among the letters. */
  ends: Uint32Array = new Uint32Array(256);
  /** Number of words. */
  count = 0;
  #used = 0;

  /** Returns the first letter of a word. */
  startOf(word: number): number {
    return word === 0 ? 0 : this.ends[word - 1]!;
  }

  /** Returns the end of a word. */
  endOf(word: number): number {
    return this.ends[word]!;
  }

  /** Returns a word. */
  at(word: number): string {
    return this.slice(this.startOf(word), this.endOf(word));
  }

  /** Returns some letters. */
  slice(start: number, end: number): string {
    let text = "";
    for (let i = start; i < end; i++) {
      text += String.fromCharCode(this.letters[i]!);
    }
    return text;
  }

  /** Splits a text into words, see {@linkcode fold}. */
  fold(text: string): void {
    this.count = 0;
    this.#used = 0;
    this.#reserve(2 * text.length);
    let last: Kind = 0;
    // True if only spaces precede the word.
    let isSpaced = false;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // Characters beyond ISO-8859-1 are rare.
      const other = code < 0x100 ? undefined : foldOther(text, i);
      const first = other === undefined
        ? FIRST[code]!
        : other.charCodeAt(0) || 0;
      if (first === 0) continue;
      if (first === SPACE) {
        if (isThousands(text, i)) continue;
        if (last !== 0) {
          this.#endWord(isSpaced);
          isSpaced = true;
        }
        if (!isSpace(code)) isSpaced = false;
        last = 0;
        continue;
      }
      const kind: Kind = first <= NINE ? 2 : 1;
      if (last !== 0 && kind !== last && !isOrdinal(text, i, code)) {
        this.#endWord(isSpaced);
        isSpaced = false;
      }
      last = kind;
      if (other === undefined) {
        this.letters[this.#used++] = first;
        if (SECOND[code] !== 0) this.letters[this.#used++] = SECOND[code]!;
      } else {
        this.#reserve(this.#used + other.length + 2 * (text.length - i));
        for (let j = 0; j < other.length; j++) {
          this.letters[this.#used++] = other.charCodeAt(j);
        }
      }
    }
    if (last !== 0) this.#endWord(isSpaced);
  }

  #reserve(size: number): void {
    if (size <= this.letters.length) return;
    const letters = new Uint8Array(2 * size);
    const ends = new Uint32Array(2 * size);
    letters.set(this.letters);
    ends.set(this.ends);
    this.letters = letters;
    this.ends = ends;
  }

  /** Ends a word, or joins it with the one before. */
  #endWord(isSpaced: boolean): void {
    if (isSpaced && this.#isElision()) this.count--;
    this.ends[this.count++] = this.#used;
  }

  #isElision(): boolean {
    const before = this.count - 1;
    const start = this.startOf(before);
    const end = this.endOf(before);
    return isElided(this.letters, start, end) &&
      isElision(
        this.slice(start, end),
        this.slice(end, this.#used),
      );
  }
}

function foldOther(text: string, i: number): string {
  return foldCharacter(String.fromCodePoint(text.codePointAt(i)!));
}

/** True for a space, tab or no-break space. */
function isSpace(code: number): boolean {
  return code === SPACE || code === 0x09 || code === 0xA0;
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
function isOrdinal(text: string, i: number, code: number): boolean {
  return (code === 0x61 || code === 0x6F) && isDigit(text, i - 1) &&
    !/[\p{L}\p{N}]/u.test(text[i + 1] ?? "");
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 0x30 && code <= NINE;
}

const TEXT = new FoldedText();

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
  TEXT.fold(text);
  const words: string[] = [];
  for (let i = 0; i < TEXT.count; i++) words.push(TEXT.at(i));
  return words;
}

/**
 * Folds letter case and accents, and turns all else but letters and digits into
 * single spaces.
 */
export function foldText(text: string): string {
  return fold(text).join(" ");
}
