import type { Random } from "../random.ts";
import { Choices, Zipf } from "../zipf.ts";
import { COUNTRIES, STATES, WORLD_CITIES } from "./geography.ts";
import { COMMON_NAMES, SAINTS } from "./namesakes.ts";
import {
  ANIMALS,
  FLOWERS,
  PRECIOUS,
  RIVERS,
  TREES,
  TUPI_WORDS,
} from "./nature.ts";
import { givenName, personName, type PersonOptions } from "./people.ts";
import { list } from "../list.ts";
import { inWords } from "./numerals.ts";

const MONTHS = list(`
  Janeiro, Fevereiro, Março, Abril, Maio, Junho, Julho, Agosto, Setembro,
  Outubro, Novembro, Dezembro`);
const common = new Zipf(COMMON_NAMES, 6);
const saints = new Zipf(SAINTS, 6);
const tupi = new Zipf(TUPI_WORDS, 10);

/** Kinds of names that all streets of a neighbourhood may share. */
export const THEMES = {
  flowers: FLOWERS,
  trees: TREES,
  animals: ANIMALS,
  precious: PRECIOUS,
  tupi: TUPI_WORDS,
  rivers: RIVERS,
  states: STATES,
  countries: COUNTRIES,
  worldCities: WORLD_CITIES,
  saints: SAINTS,
} as const;

/** Name of a theme. */
export type Theme = keyof typeof THEMES;

const KINDS = new Choices(
  [
    ["person", 56],
    ["common", 14],
    ["saint", 6],
    ["nature", 8],
    ["tupi", 4],
    ["geography", 4],
    ["municipality", 4],
    ["given", 2],
    ["words", 1],
    ["date", 1],
  ] as const,
);

/** Options of {@linkcode streetName}. */
export interface NameOptions extends PersonOptions {
  /** Names of municipalities. */
  readonly municipalities: readonly string[];
}

/** Draws the name of a street without its type. */
export function streetName(random: Random, options: NameOptions): string {
  switch (KINDS.pick(random)) {
    case "person":
      return personName(random, options);
    case "common":
      return common.pick(random);
    case "saint":
      return saints.pick(random);
    case "nature":
      return ofTheme(random, random.pick(NATURAL));
    case "tupi":
      return tupi.pick(random);
    case "geography":
      return random.pick(THEMES[random.pick(GEOGRAPHICAL)]);
    case "municipality":
      return random.pick(options.municipalities);
    case "given":
      return givenName(random);
    case "words":
      return `${options.word(random)} ${options.word(random)}`;
    case "date":
      return date(random);
  }
}

/** Draws a name that streets have in hundreds of cities. */
export function commonName(random: Random): string {
  return common.pick(random);
}

const NATURAL = ["flowers", "trees", "animals", "precious"] as const;
const GEOGRAPHICAL = ["states", "countries", "worldCities", "rivers"] as const;
const PLURAL = /s$/;
const FEMININE = /(?:as|Perdizes)$/;
const SINGULAR = ["Íris", "Amarílis", "Flor-de-lis"];

/** Draws a name of a theme, with an article in some cases. */
export function ofTheme(random: Random, theme: Theme): string {
  const name = random.pick(THEMES[theme]);
  const hasArticle = theme === "flowers" || theme === "trees" ||
    theme === "animals";
  if (!hasArticle || !PLURAL.test(name) || SINGULAR.includes(name)) {
    return name;
  }
  if (random.chance(25)) return name;
  return `${FEMININE.test(name) ? "das" : "dos"} ${name}`;
}

/** Draws a day of the year, its day in digits or words. */
function date(random: Random): string {
  const day = 1 + random.int(28);
  const month = random.pick(MONTHS);
  if (day === 1) return `${random.pick(["1º", "Primeiro"])} de ${month}`;
  return `${random.chance(50) ? day : inWords(day)} de ${month}`;
}
