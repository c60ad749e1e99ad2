import type { Random } from "./random.ts";
import {
  ABBREVIATIONS,
  CITY_HEADS,
  CITY_QUALIFIERS,
  CITY_TAILS,
  DAYS,
  FIRST_NAMES,
  MONTHS,
  NATURE,
  NEIGHBOURHOOD_TYPES,
  NEIGHBOURHOODS,
  PLACES,
  SPELLED,
  SURNAMES,
  TITLES,
} from "./words.ts";

const ROMAN = ["", " II", " III", " IV", " V", " VI", " VII", " VIII"];
const ABBREVIATION_LENGTH = 36;
const SHORT_ENOUGH = 24;
const CORES = [...NEIGHBOURHOODS, ...PLACES];
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
  const total = CITY_HEADS.length * CITY_TAILS.length;
  const i = (start + index * CITY_STEP) % total;
  const head = CITY_HEADS[Math.floor(i / CITY_TAILS.length)] ?? "";
  const word = head + CITY_TAILS[i % CITY_TAILS.length];
  return random.chance(35) ? `${word} ${random.pick(CITY_QUALIFIERS)}` : word;
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
  const title = random.chance(28) ? `${random.pick(TITLES)} ` : "";
  const second = random.chance(35) ? ` ${random.pick(FIRST_NAMES)}` : "";
  const middle = random.chance(30) ? ` ${random.pick(SURNAMES)}` : "";
  const first = random.pick(FIRST_NAMES);
  return `${title}${first}${second}${middle} ${random.pick(SURNAMES)}`;
}

/** Returns a street name without its type. */
export function streetName(random: Random): string {
  const kind = random.int(100);
  if (kind < 52) return personName(random);
  if (kind < 74) return random.pick(NATURE);
  if (kind < 90) return random.pick(PLACES);
  if (kind < 94) return `${random.pick(DAYS)} de ${random.pick(MONTHS)}`;
  if (kind < 97) return random.pick(SPELLED);
  return String(1 + random.int(120));
}

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
