import { valueOf } from "./numerals.ts";

/** Numeral in digits, also an ordinal: `3`, `03`, `3a`. */
const FIGURES = /^0*(\d+)[ao]?$/;

/** Letters that only have another form. */
const PLAIN: Readonly<Record<string, string>> = {
  w: "v",
  y: "i",
  z: "s",
};

/**
 * Returns the key of a folded word: the value of a numeral, else its letters
 * as they sound. A single letter is its own key.
 *
 * ```text
 * souza, sousa  ->  sousa
 * xv, quinze, 015  ->  15
 * ```
 */
export function spellingKey(word: string): string {
  const figures = FIGURES.exec(word);
  if (figures !== null) return figures[1]!;
  if (word.length < 2) return word;
  const value = valueOf(word);
  return value === undefined ? soundOf(word) : `${value}`;
}

/** Returns the letters of a folded word as they sound, even of a numeral. */
export function soundOf(word: string): string {
  const letters = withoutDoubles(word);
  let key = "";
  for (let i = 0; i < letters.length;) {
    const [sound, length] = soundAt(letters, i);
    // A letter that follows its own sound is a double one: `acqua`, `filhinho`.
    if (sound !== "" && sound !== key.at(-1)) {
      key += sound[0] === key.at(-1) ? sound.slice(1) : sound;
    }
    i += length;
  }
  return key === "" ? letters : key;
}

function withoutDoubles(word: string): string {
  let letters = "";
  for (let i = 0; i < word.length; i++) {
    if (word[i] !== word[i - 1]) letters += word[i];
  }
  return letters;
}

/** Returns the sound at a letter, and the number of letters that it has. */
function soundAt(word: string, i: number): readonly [string, number] {
  const letter = word[i]!;
  const next = word[i + 1];
  switch (letter) {
    case "h":
      return ["", 1];
    case "c":
      if (next === "h") return ["x", 2];
      return [isFront(next) ? "s" : "k", 1];
    case "s":
      if (next === "h") return ["x", 2];
      return ["s", next === "c" && isFront(word[i + 2]) ? 2 : 1];
    case "x":
      return next === "c" && isFront(word[i + 2]) ? ["s", 2] : ["x", 1];
    case "g":
      if (next === "u" && isFront(word[i + 2])) return ["g", 2];
      return [isFront(next) ? "j" : "g", 1];
    case "q":
      return ["k", next === "u" && isFront(word[i + 2]) ? 2 : 1];
    case "p":
      return next === "h" ? ["f", 2] : ["p", 1];
    case "l":
    case "n":
      return next === "h" ? [`${letter}i`, 2] : [letter, 1];
    case "m":
      return [isVowel(next) || next === "h" ? "m" : "n", 1];
    default:
      return [PLAIN[letter] ?? letter, 1];
  }
}

/** True for a vowel before which `c` and `g` are soft. */
function isFront(letter: string | undefined): boolean {
  return letter === "e" || letter === "i" || letter === "y";
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && "aeiouy".includes(letter);
}

/**
 * Returns the bit of a letter or digit in the signature of a key. Digits share
 * the bits above those of the letters.
 */
export function signatureBit(code: number): number {
  return code >= 0x61 ? code - 0x61 : 26 + (code - 0x30) % 6;
}

/** Returns the signature of a key: one bit per letter that it contains. */
export function keySignature(key: string): number {
  let signature = 0;
  for (let i = 0; i < key.length; i++) {
    signature |= 1 << signatureBit(key.charCodeAt(i));
  }
  return signature >>> 0;
}
