import type { Address } from "@carteiro/cep";
import { inWords } from "../generate_dne/names.ts";

const ROMAN_TENS = ["", "X", "XX", "XXX", "XL", "L"];
const ROMAN_ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

/** Writes a number from 1 to 59 as a Roman numeral. */
function inRoman(number: number): string {
  return ROMAN_TENS[Math.floor(number / 10)]! + ROMAN_ONES[number % 10]!;
}

const VALUES = new Map<string, number>([["catorze", 14], ["primeiro", 1]]);
for (let number = 1; number < 100; number++) {
  VALUES.set(withoutAccents(inWords(number)), number);
}
for (let number = 2; number < 30; number++) {
  VALUES.set(inRoman(number).toLowerCase(), number);
}
// More often letters than numerals.
for (const letter of ["v", "x"]) VALUES.delete(letter);

/** Removes accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}

/** Folded words, with numerals as figures without leading zeros. */
export function toFigures(words: string): string {
  const read = words.split(" ");
  const written: string[] = [];
  for (let i = 0; i < read.length; i++) {
    const three = VALUES.get(read.slice(i, i + 3).join(" "));
    const one = VALUES.get(read[i]!);
    if (three !== undefined && read.length >= i + 3) {
      written.push(`${three}`);
      i += 2;
    } else {
      written.push(
        one === undefined ? read[i]!.replace(/^0+(?=\d)/, "") : `${one}`,
      );
    }
  }
  return written.join(" ");
}

/** Months in small letters. */
export const MONTHS: readonly string[] =
  ("janeiro fevereiro março abril maio junho julho agosto setembro outubro " +
    "novembro dezembro").split(" ");
const DATE = new RegExp(`^(.+) de (${MONTHS.join("|")})$`, "i");

/** Numbers that people write in words, or know as Roman numerals. */
const MOST_IN_WORDS = 31;
const KNOWN_ROMAN: ReadonlySet<number> = new Set([15, 20]);

/** Returns other ways to write the numeral of a name: none without one. */
export function otherNumerals(name: string): string[] {
  const [, start = name, month] = DATE.exec(name) ?? [];
  const key = withoutAccents(start.toLowerCase());
  const value = /^\d{1,2}$/.test(key) ? Number(key) : VALUES.get(key);
  if (value === undefined || value === 0) return popeNumerals(name);
  const others = [`${value}`];
  const isFirst = month !== undefined && value === 1;
  if (isFirst) others.push("primeiro", "1º");
  else if (value <= MOST_IN_WORDS) others.push(inWords(value));
  if (month !== undefined && !isFirst && KNOWN_ROMAN.has(value)) {
    others.push(inRoman(value));
  }
  const tail = month === undefined ? "" : ` de ${month}`;
  return others.map((it) => it + tail)
    .filter((it) => it.toLowerCase() !== name.toLowerCase());
}

/** `João XXIII` → `João 23`. */
function popeNumerals(name: string): string[] {
  const [, start, roman = ""] = /^(.+) ([IVX]{2,})$/.exec(name) ?? [];
  const value = VALUES.get(roman.toLowerCase());
  return value === undefined ? [] : [`${start} ${value}`];
}

/** Folds letter case and accents. */
export function fold(text: string): string {
  return withoutAccents(text).toLowerCase();
}

/** Folds a name to words of letters and digits, with numerals as figures. */
export function keyOf(text: string): string {
  const words = fold(text).replace(/[^a-z0-9]+/g, " ").trim();
  return toFigures(words);
}

const PREPOSITIONS: ReadonlySet<string> = new Set(
  "de da do das dos e".split(" "),
);

/** Drops prepositions from a key. */
export function looseKey(text: string): string {
  return keyOf(text).split(" ").filter((word) => !PREPOSITIONS.has(word))
    .join(" ");
}

/** True for a preposition between the words of a name. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(fold(word));
}

/** Returns the name of a street without its type. */
export function nameOf({ logradouro, tipo_logradouro: type }: Address): string {
  const isTyped = type !== "" && logradouro.startsWith(`${type} `);
  return isTyped ? logradouro.slice(type.length + 1) : logradouro;
}

/** Returns the written type of a street, `""` without one. */
export function typeOf(record: Address): string {
  const { logradouro } = record;
  return logradouro.slice(0, logradouro.length - nameOf(record).length).trim();
}

/**
 * Key of a name by its sound, coarser than any misspelling that the evaluation
 * makes by ear.
 */
export function soundKey(text: string): string {
  return looseKey(text.replaceAll(/ç/gi, "ss"))
    .replaceAll(/ph/g, "f")
    .replaceAll(/lh/g, "li")
    .replaceAll(/nh/g, "ni")
    .replaceAll(/[ck]h|sh|x/g, "x")
    .replaceAll(/(?<=[tcrdgkm])h|\bh/g, "")
    .replaceAll(/w/g, "v")
    .replaceAll(/y/g, "i")
    .replaceAll(/k|qu|q/g, "c")
    .replaceAll(/g(?=[ei])/g, "j")
    .replaceAll(/c(?=[ei])|z/g, "s")
    .replaceAll(/n(?=[bcdfgjlpqrstv])|m(?=[bcdfgjlpqrstv])/g, "m")
    .replaceAll(/n\b/g, "m")
    .replaceAll(/([a-z])\1+/g, "$1");
}
