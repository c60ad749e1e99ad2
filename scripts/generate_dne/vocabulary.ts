import { personName } from "./names.ts";
import { Random } from "./random.ts";
import {
  DAYS,
  FIRST_NAMES,
  LETTERS,
  MONTHS,
  SPELLED,
  TITLES,
} from "./words.ts";

const STARTS = "B Br C Cl Cr D F Fl G Gr J L M N P Pr R S T Tr V X Z Ch Qu"
  .split(" ").concat([""]);
const MIDDLES = "b br c d f g j l lh m n nh p r rr s ss t tr v x z ç"
  .split(" ");
const VOWELS = "a a a e e i i o o u ai ei ia io ão á ê í ó ú ã".split(" ");
const ENDS = [
  "",
  "",
  "",
  "s",
  "l",
  "r",
  "n",
  "nte",
  "ndo",
  "sco",
  "ski",
  "tti",
];
const ORDINALS = ["Primeira", "Segunda", "Terceira", "Quarta", "Quinta"];

/** First words of nearly the same frequency, so that none is in every street. */
const FLATTENED = 40;

/**
 * Invented words, the first ones the most frequent, as in a language: names of
 * streets with the variety of a real DNE, of which nine in ten words are rare.
 */
export class Vocabulary {
  readonly #words: readonly string[];

  constructor(size: number, seed: number) {
    const random = new Random(seed, "words");
    this.#words = Array.from({ length: size }, () => inventWord(random));
  }

  /** Returns the name of a street without its type. */
  streetName(random: Random): string {
    const kind = random.int(100);
    if (kind < 12) return personName(random);
    if (kind < 50) return this.#person(random);
    if (kind < 70) return this.#word(random);
    if (kind < 80) return `${this.#word(random)} ${this.#word(random)}`;
    if (kind < 84) return `d${random.pick(["a", "o"])} ${this.#word(random)}`;
    if (kind < 88) return `${random.pick(DAYS)} de ${random.pick(MONTHS)}`;
    if (kind < 90) return random.pick([...SPELLED, ...ORDINALS]);
    if (kind < 94) return String(1 + random.int(120));
    if (kind < 96) return random.pick(LETTERS);
    return numbered(random);
  }

  #person(random: Random): string {
    const title = random.chance(20) ? `${random.pick(TITLES)} ` : "";
    const middle = random.chance(45) ? ` ${this.#word(random)}` : "";
    const of = random.chance(20) ? " de" : "";
    const first = random.chance(75)
      ? random.pick(FIRST_NAMES)
      : this.#word(random);
    return `${title}${first}${middle}${of} ${this.#word(random)}`;
  }

  /** Returns a word; the nth with a frequency of about 1 / (n + FLATTENED). */
  #word(random: Random): string {
    const range = Math.log(1 + this.#words.length / FLATTENED);
    const share = random.int(100_000) / 100_000;
    return this.#words[Math.floor(FLATTENED * (Math.exp(share * range) - 1))]!;
  }
}

function inventWord(random: Random): string {
  let word = random.pick(STARTS) + random.pick(VOWELS);
  const syllables = 1 + random.int(3);
  for (let i = 0; i < syllables; i++) {
    word += random.pick(MIDDLES) + random.pick(VOWELS);
  }
  word += random.pick(ENDS);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `N-25`, `12 B`, `Projetada 03`, `1A`. */
function numbered(random: Random): string {
  const number = 1 + random.int(99);
  const letter = random.pick(LETTERS);
  const padded = String(number).padStart(2, "0");
  return random.pick([
    `${letter}-${padded}`,
    `${number} ${letter}`,
    `Projetada ${padded}`,
    `${number}${letter}`,
  ]);
}
