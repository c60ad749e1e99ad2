import type { Random } from "../random.ts";
import { Choices, Zipf } from "../zipf.ts";
import { SAINTS } from "./namesakes.ts";
import { PRECIOUS, TUPI_WORDS } from "./nature.ts";
import { inWords, letter } from "./numerals.ts";
import { givenName } from "./people.ts";

/** Street before it gets its CEPs. */
export interface StreetName {
  readonly type: string;
  readonly name: string;
}

const saints = new Zipf(SAINTS, 8);

const NUMBERED_WORDS = new Choices<string>([
  ["Projetada", 46],
  ["Perimetral", 6],
  ["Marginal", 5],
  ["Particular", 8],
  ["Interna", 4],
  ["Vicinal", 3],
  ["Coletora", 2],
  ["Local", 2],
  ["Sem Denominação", 4],
  ["Acesso", 3],
]);

/** Draws a family of streets whose names are a word and a number. */
export function numberedWords(random: Random, count: number): string[] {
  const base = baseWord(random);
  const isPadded = random.chance(8);
  const first = random.chance(80) ? 1 : 1 + random.int(30);
  const names = Array.from({ length: count }, (_, i) => {
    const number = String(first + i);
    return `${base} ${isPadded ? number.padStart(2, "0") : number}`;
  });
  return random.chance(35) ? [base, ...names] : names;
}

function baseWord(random: Random): string {
  const kind = random.int(100);
  if (kind < 50) return NUMBERED_WORDS.pick(random);
  if (kind < 66) return saints.pick(random);
  if (kind < 76) return inWords(1 + random.int(12));
  if (kind < 84) return givenName(random);
  if (kind < 92) return random.pick(PRECIOUS);
  return random.pick(TUPI_WORDS);
}

/** Family of streets with numbers or letters for names. */
export type Family =
  | "numbers"
  | "words"
  | "letters"
  | "codes"
  | "suffixed"
  | "projectedLetters";

/** Options of {@linkcode familyNames}. */
export interface FamilyOptions {
  readonly count: number;
  /** Numbers begin above 1. */
  readonly isFar: boolean;
}

/** Returns the names of a family, in order. */
export function familyNames(
  family: Family,
  random: Random,
  { count, isFar }: FamilyOptions,
): string[] {
  const far = isFar ? random.int(random.chance(30) ? 1000 : 60) : 0;
  const code = letter(1 + random.int(26)) +
    (random.chance(25) ? letter(1 + random.int(26)) : "");
  const hyphen = random.chance(70) ? "-" : "";
  const from = random.chance(40) ? random.int(150) : 0;
  return Array.from({ length: count }, (_, i) => {
    switch (family) {
      case "numbers":
        return String(1 + far + i);
      case "words":
        return inWords(1 + i % 99);
      case "letters":
        return letter(1 + i) + (i < 26 ? "" : String(Math.floor(i / 26)));
      case "codes":
        return `${code}${hyphen}${1 + from + i}`;
      case "suffixed":
        return `${1 + Math.floor(i / 2)}${i % 2 ? `${hyphen}A` : ""}`;
      case "projectedLetters":
        return `Projetada ${letter(1 + i)}`;
    }
  });
}
