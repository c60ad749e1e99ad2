import { mixed, type Random, WORDS } from "./random.ts";

const ROMAN = ["", " II", " III", " IV", " V", " VI", " VII", " VIII"];
const ABBREVIATION_LENGTH = 36;
const SHORT_ENOUGH = 24;
const CORES = [...WORDS.neighbourhoods, ...WORDS.places];
// Primes that divide neither product, so that each combination occurs once.
const CITY_STEP = 353;
const NEIGHBOURHOOD_STEP = 389;

/**
 * Returns the name of the `index`th municipality of a state, unique in the
 * state.
 */
export function cityName(
  index: number,
  start: number,
  random: Random,
): string {
  const total = WORDS.cityHeads.length * WORDS.cityTails.length;
  const i = (start + index * CITY_STEP) % total;
  const head = WORDS.cityHeads[Math.floor(i / WORDS.cityTails.length)] ?? "";
  const word = head + WORDS.cityTails[i % WORDS.cityTails.length];
  return random.chance(35)
    ? `${word} ${random.pick(WORDS.cityQualifiers)}`
    : word;
}

/**
 * Returns the name of the `index`th neighbourhood of a locality, unique in it.
 */
export function neighbourhoodName(index: number, start: number): string {
  if (index === 0) return "Centro";
  const total = CORES.length * NEIGHBOURHOOD_TYPES.length;
  const i = (start + index * NEIGHBOURHOOD_STEP) % total;
  const type = NEIGHBOURHOOD_TYPES[i % NEIGHBOURHOOD_TYPES.length] ?? "";
  const core = CORES[Math.floor(i / NEIGHBOURHOOD_TYPES.length)] ?? "";
  return type + core + (ROMAN[Math.floor(index / total)] ?? ` ${index}`);
}

/**
 * Returns the name of a person, with title and middle names as on street signs.
 */
export function personName(random: Random): string {
  const title = random.chance(28) ? `${random.pick(WORDS.titles)} ` : "";
  const second = random.chance(35) ? ` ${random.pick(WORDS.firstNames)}` : "";
  const middle = random.chance(30) ? ` ${random.pick(WORDS.surnames)}` : "";
  const first = random.pick(WORDS.firstNames);
  return `${title}${first}${second}${middle} ${random.pick(WORDS.surnames)}`;
}

/** Returns a street name without its type. */
export const streetName = mixed([
  [personName, 52],
  [WORDS.nature, 22],
  [WORDS.places, 16],
  [
    (random) => `${random.pick(WORDS.days)} de ${random.pick(WORDS.months)}`,
    4,
  ],
  [WORDS.spelled, 3],
  [(random) => String(1 + random.int(120)), 3],
]);

/** Shortens known words and, if the name is still too long, middle names. */
export function abbreviate(name: string): string {
  const words = name.split(" ").map((word) => ABBREVIATIONS.get(word) ?? word);
  let length = words.reduce((sum, word) => sum + word.length + 1, -1);
  for (let i = 2; i < words.length - 1 && length > SHORT_ENOUGH; i++) {
    const word = words[i] ?? "";
    if (word.length < 4 || word.startsWith("(")) continue;
    words[i] = word.charAt(0);
    length -= word.length - 1;
  }
  return words.join(" ").slice(0, ABBREVIATION_LENGTH).trimEnd();
}

/** Returns the name without accents. */
export function unaccent(name: string): string {
  return name.normalize("NFD").replace(/[\u0300-\u036f´`]/g, "");
}

const NEIGHBOURHOOD_TYPES = ["", "Vila ", "Jardim ", "Parque ", "Nova "]
  .concat(["Alto ", "Conjunto ", "Residencial "]);

/** Abbreviations that the DNE uses for words. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  WORDS.shortForms.map((pair) => pair.split(" ") as [string, string]),
);

/** Code, longer code, and the Portuguese, English and French names. */
export const COUNTRIES: readonly (readonly string[])[] = [
  ["BR", "BRA", "Brasil", "Brazil", "Brésil"],
  ["AR", "ARG", "Argentina", "Argentina", "Argentine"],
  ["CL", "CHL", "Chile", "Chile", "Chili"],
  ["FR", "FRA", "França", "France", "France"],
  ["JP", "JPN", "Japão", "Japan", "Japon"],
  ["MZ", "MOZ", "Moçambique", "Mozambique", "Mozambique"],
  ["PT", "PRT", "Portugal", "Portugal", "Portugal"],
  ["US", "USA", "Estados Unidos", "United States", ""],
];

const ONES =
  ("zero um dois três quatro cinco seis sete oito nove dez onze doze " +
    "treze quatorze quinze dezesseis dezessete dezoito dezenove").split(" ");
const TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
  .split(" ");

/** Writes a number from 0 to 99 in words: `vinte e um`. */
export function inWords(number: number): string {
  const ten = TENS[Math.floor(number / 10) - 2];
  if (ten === undefined) return ONES[number]!;
  return number % 10 === 0 ? ten : `${ten} e ${ONES[number % 10]}`;
}
