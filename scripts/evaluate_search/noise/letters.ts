/**
 * Slips of the fingers: wrong, missing and swapped letters.
 */
import type { Random } from "../../generate_dne/random.ts";
import { fold } from "../text.ts";

/** Misspells a word at one of its letters. */
export type Slip = (word: string, at: number, random: Random) => string;

const NEIGHBOURS: Readonly<Record<string, string>> = {
  a: "sqz",
  b: "vnh",
  c: "xvd",
  d: "sfe",
  e: "wrd",
  f: "dgr",
  g: "fht",
  h: "gjy",
  i: "uok",
  j: "hkn",
  k: "jli",
  l: "kop",
  m: "nj",
  n: "bmh",
  o: "ipl",
  p: "ol",
  q: "wa",
  r: "etf",
  s: "adw",
  t: "ryg",
  u: "yij",
  v: "cbf",
  w: "qes",
  x: "zcs",
  y: "tuh",
  z: "xas",
};

/** Slips by name. */
export const SLIPS: Readonly<
  Record<"wrong" | "missing" | "swapped" | "doubled", Slip>
> = {
  wrong: (word, at, random) => {
    const letter = fold(word[at]!);
    const near = NEIGHBOURS[letter] ?? "e";
    return word.slice(0, at) + near[random.int(near.length)] +
      word.slice(at + 1);
  },
  missing: (word, at) => word.slice(0, at) + word.slice(at + 1),
  swapped: (word, at) => {
    let i = Math.min(at, word.length - 2);
    // Equal letters would not change the word.
    while (i > 0 && fold(word[i]!) === fold(word[i + 1]!)) i--;
    return word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
  },
  doubled: (word, at) => word.slice(0, at) + word[at] + word.slice(at),
};

/** Letters of a word that may be misspelt, and of one with two slips. */
const LEAST_LETTERS = 4;
const LEAST_FOR_TWO = 9;

/**
 * Misspells as many words of a name, each once; a long word twice if there are
 * too few. Returns `undefined` without a word of four letters.
 */
export function misspell(
  name: string,
  random: Random,
  { times = 1, slip }: { times?: number; slip?: Slip } = {},
): string | undefined {
  const words = name.split(" ");
  const long = words.flatMap((word, i) =>
    word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word) ? [i] : []
  );
  const left = [...long];
  for (let i = 0; i < times; i++) {
    // The second slip in one word needs a long one.
    const from = left.length > 0
      ? left
      : long.filter((at) => words[at]!.length >= LEAST_FOR_TWO);
    if (from.length === 0) return undefined;
    const at = random.pick(from);
    const word = words[at]!;
    const how = slip ?? random.pick(Object.values(SLIPS));
    // First letters are seldom mistyped.
    const position = random.chance(85)
      ? 1 + random.int(word.length - 1)
      : random.int(word.length);
    words[at] = how(word, position, random);
    left.splice(left.indexOf(at), 1);
  }
  const misspelt = words.join(" ");
  return fold(misspelt) === fold(name) ? undefined : misspelt;
}
