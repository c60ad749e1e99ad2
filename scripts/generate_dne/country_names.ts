import { inWords } from "./names.ts";
import {
  Choices,
  choices,
  COUNTRY,
  mixed,
  Random,
  ranked,
  weights,
} from "./random.ts";
import type { Buildings } from "./locality.ts";

/** Returns a number from 1 to 99 in words, as on street signs. */
function onSign(number: number): string {
  return inWords(number).replace(
    /(?<!\p{L})\p{Ll}(?=\p{L})/gu,
    (it) => it.toUpperCase(),
  );
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns the letter of a number from 1 to 26. */
export function letter(number: number): string {
  return ALPHABET.charAt((number - 1) % ALPHABET.length);
}

/** A few thousand rare surnames, made of parts. */
const RARE_SURNAMES = [
  [COUNTRY.germanHeads, COUNTRY.germanTails],
  [COUNTRY.italianHeads, COUNTRY.italianTails],
  [COUNTRY.polishHeads, COUNTRY.polishTails],
  [COUNTRY.japaneseHeads, COUNTRY.japaneseTails],
].flatMap(([heads, tails]) =>
  tails!.flatMap((tail) => heads!.map((head) => head + tail))
);

const men = ranked(COUNTRY.men, 12);
const women = ranked(COUNTRY.women, 12);
const surnames = ranked(COUNTRY.surnames, 10);
const immigrants = ranked(COUNTRY.immigrants, 10);
const rareSurnames = ranked(RARE_SURNAMES, 300);
const titles = ranked(COUNTRY.titles, 3);
const WOMENS_TITLES = ["Dona", "Professora", "Doutora", "Irmã", "Madre"];
const GENERATIONS = ["Filho", "Júnior", "Neto"];
const OLD_SPELLINGS = [["ph", "f"], ["y", "i"], ["th", "t"], ["ll", "l"]]
  .map(([old, now]) => [now!, old!] as const);

/** Share of immigrants' surnames in the states of the south, in percent. */
const IMMIGRANTS_PERCENT: Readonly<Record<string, number>> = {
  SC: 45,
  RS: 40,
  PR: 38,
  SP: 28,
  ES: 24,
};

/** Options of {@linkcode personName}. */
interface PersonOptions {
  readonly uf: string;
  /** Returns an invented word, for names that occur nowhere else. */
  readonly word: (random: Random) => string;
}

/** Draws the name of a person with a title in some cases. */
function personName(random: Random, options: PersonOptions): string {
  const isWoman = random.chance(27);
  const given = isWoman ? women : men;
  const title = random.chance(38) ? titleFor(isWoman, random) : "";
  const parts = [
    random.chance(5) ? options.word(random) : firstName(given, random),
  ];
  if (random.chance(30)) parts.push(given.pick(random));
  if (random.chance(48)) parts.push(surname(random, options));
  parts.push(surname(random, options));
  if (!isWoman && random.chance(3)) parts.push(random.pick(GENERATIONS));
  return title + parts.join(" ");
}

function titleFor(isWoman: boolean, random: Random): string {
  const title = titles.pick(random);
  if (WOMENS_TITLES.includes(title) === isWoman) return `${title} `;
  return isWoman ? `${random.pick(WOMENS_TITLES)} ` : "Doutor ";
}

/** Draws a given name; a few have an old spelling. */
function firstName(names: Choices<string>, random: Random): string {
  const name = names.pick(random);
  if (!random.chance(2)) return name;
  const [now, old] = random.pick(OLD_SPELLINGS);
  return name.replace(now, old);
}

/** Draws a surname. */
function surname(random: Random, { uf, word }: PersonOptions): string {
  if (random.chance(IMMIGRANTS_PERCENT[uf] ?? 7)) {
    return random.chance(45)
      ? immigrants.pick(random)
      : rareSurnames.pick(random);
  }
  return random.chance(17) ? word(random) : surnames.pick(random);
}

/** Draws a given name alone. */
function givenName(random: Random): string {
  return (random.chance(50) ? men : women).pick(random);
}

/** Federal highways of each state. */
const FEDERAL: Readonly<Record<string, string>> = {
  AC: "364 317",
  AL: "101 104 316 416",
  AM: "174 319 230",
  AP: "156 210",
  BA: "101 116 242 324 407",
  CE: "116 222 020 304",
  DF: "020 040 060 070 251",
  ES: "101 262 259",
  GO: "060 153 040 364 452",
  MA: "135 010 222 230",
  MG: "040 381 262 116 050 365",
  MS: "163 262 060 267",
  MT: "163 364 070 158",
  PA: "010 316 230 163",
  PB: "101 230 104 412",
  PE: "101 232 104 408",
  PI: "343 316 135 020",
  PR: "277 376 116 369 476",
  RJ: "101 116 040 393",
  RN: "101 304 406 226",
  RO: "364 425 429",
  RR: "174 401 210",
  RS: "116 290 386 471 101",
  SC: "101 282 280 470 116",
  SE: "101 235 349",
  SP: "116 381 153 050",
  TO: "153 010 235",
};
const ROADS = ["", "", "", " Km 7", " Km 12", " (Anel Viário)"];

/** Name of a highway without its type, and the others that it has. */
interface Highway {
  readonly name: string;
  readonly others: readonly string[];
}

/** Draws a highway of a state: a number with a name, or only one of them. */
export function highway(uf: string, random: Random): Highway {
  const federal = FEDERAL[uf]!.split(" ");
  const number = random.chance(45)
    ? `BR-${random.pick(federal)}`
    : `${uf}-${String(10 + random.int(480)).padStart(3, "0")}`;
  const named = random.pick(COUNTRY.highways);
  const kind = random.int(100);
  if (kind < 40) {
    return { name: number + random.pick(ROADS), others: [`Rodovia ${named}`] };
  }
  if (kind < 55) return { name: `${number} ${named}`, others: [] };
  return { name: named, others: [`Rodovia ${number}`, number] };
}

const common = ranked(COUNTRY.commonNames, 6);
/** Saints, the most frequent first. */
export const saints = ranked(COUNTRY.saints, 6);
const tupi = ranked(COUNTRY.tupiWords, 10);

/** Kinds of names that all streets of a neighbourhood may share. */
export const THEMES = {
  flowers: COUNTRY.flowers,
  trees: COUNTRY.trees,
  animals: COUNTRY.animals,
  precious: COUNTRY.precious,
  tupi: COUNTRY.tupiWords,
  rivers: COUNTRY.rivers,
  states: COUNTRY.states,
  countries: COUNTRY.countries,
  worldCities: COUNTRY.worldCities,
  saints: COUNTRY.saints,
} as const;

/** Name of a theme. */
export type Theme = keyof typeof THEMES;

/** Options of {@linkcode streetName}. */
export interface NameOptions extends PersonOptions {
  /** Names of municipalities. */
  readonly municipalities: readonly string[];
}

/** Draws the name of a street without its type. */
export const streetName = mixed<[options: NameOptions]>([
  [personName, 56],
  [common, 14],
  [saints, 6],
  [(random) => ofTheme(random, random.pick(NATURAL)), 8],
  [tupi, 4],
  [(random) => random.pick(THEMES[random.pick(GEOGRAPHICAL)]), 4],
  [(random, { municipalities }) => random.pick(municipalities), 4],
  [givenName, 2],
  [(random, { word }) => `${word(random)} ${word(random)}`, 1],
  [date, 1],
]);

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
  const month = random.pick(COUNTRY.months);
  if (day === 1) return `${random.pick(["1º", "Primeiro"])} de ${month}`;
  return `${random.chance(50) ? day : onSign(day)} de ${month}`;
}

/** Street before it gets its CEPs. */
interface StreetName {
  readonly type: string;
  readonly name: string;
}

const flatSaints = ranked(COUNTRY.saints, 8);

const NUMBERED_WORDS = choices(COUNTRY.numberedWords);

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

const baseWord = mixed([
  [NUMBERED_WORDS, 50],
  [flatSaints, 16],
  [(random) => onSign(1 + random.int(12)), 10],
  [givenName, 8],
  [COUNTRY.precious, 8],
  [COUNTRY.tupiWords, 8],
]);

/** Family of streets with numbers or letters for names. */
export type Family =
  | "numbers"
  | "words"
  | "letters"
  | "codes"
  | "suffixed"
  | "projectedLetters";

/** Options of {@linkcode familyNames}. */
interface FamilyOptions {
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
        return onSign(1 + i % 99);
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

/** Frequent names without a word in front of them. */
const PLAIN = ranked(COUNTRY.plainNeighbourhoods, 8);
const CORES = ranked(COUNTRY.neighbourhoodCores, 10);

/** Draws a name without a word in front of it. */
const plainName = mixed<[options: NameOptions]>([
  [PLAIN, 55],
  [saints, 15],
  [COUNTRY.tupiWords, 10],
  [(random, { municipalities }) => random.pick(municipalities), 10],
  [COUNTRY.trees, 10],
]);

/** Draws the name after a word such as `Jardim`. */
const coreName = mixed<[options: NameOptions]>([
  [CORES, 40],
  [saints, 16],
  [givenName, 12],
  [
    (random, options) => surname(random, options).replace(/^d[aoe]s? /, ""),
    10,
  ],
  [COUNTRY.worldCities, 6],
  [COUNTRY.tupiWords, 4],
  [COUNTRY.countries, 3],
  [COUNTRY.flowers, 3],
  [COUNTRY.precious, 2],
  [COUNTRY.states, 1],
  [(random, { municipalities }) => random.pick(municipalities), 3],
]);

const PREFIXES = choices(COUNTRY.neighbourhoodPrefixes);
/** Words in front of names in Goiás and Tocantins. */
const SECTORS = choices(COUNTRY.sectorPrefixes);
const WITH_SECTORS = ["GO", "TO"];
const ROMAN = ["II", "III", "IV"];

/** Names of the neighbourhoods of one locality, none of them twice. */
export class NeighbourhoodNames {
  readonly #used = new Set<string>();
  readonly #random: Random;
  readonly #options: NameOptions;

  constructor(random: Random, options: NameOptions) {
    this.#random = random;
    this.#options = options;
  }

  /** Takes a name, if it is free. */
  take(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }

  /** Draws a name. */
  draw(): string {
    for (let tries = 0; tries < 20; tries++) {
      const name = this.#invent();
      if (this.take(name)) return name;
      const next = ROMAN.map((it) => `${name} ${it}`).find((it) =>
        !this.#used.has(it)
      );
      if (next && this.#random.chance(40) && this.take(next)) return next;
    }
    const name = `Jardim ${
      this.#options.word(this.#random)
    } ${this.#used.size}`;
    this.take(name);
    return name;
  }

  #invent(): string {
    const random = this.#random;
    if (random.chance(32)) return plainName(random, this.#options);
    const { uf } = this.#options;
    const prefixes = WITH_SECTORS.includes(uf) ? SECTORS : PREFIXES;
    return `${prefixes.pick(random)} ${coreName(random, this.#options)}`;
  }
}

const FORMS = choices(COUNTRY.estateForms);
const WHOLE = choices(COUNTRY.otherComplements);

/** Draws a complement such as `(Lot Esplanada do Farol)`. */
export function subdivision(random: Random, names: NeighbourhoodNames): string {
  if (random.chance(3)) return WHOLE.pick(random);
  const name = names.draw().replace(
    /^(?:Jardim|Vila|Parque|Residencial|Loteamento|Conjunto(?: Habitacional)?|Setor) /,
    "",
  );
  return `(${FORMS.pick(random)} ${name})`;
}

/** Types that are more frequent in a state. */
const LOCAL: Readonly<Record<string, readonly (readonly [string, number])[]>> =
  {
    AM: [["Beco", 90]],
    BA: [
      ["Travessa", 60],
      ["1ª Travessa", 40],
      ["2ª Travessa", 25],
      ["3ª Travessa", 12],
      ["4ª Travessa", 5],
      ["Ladeira", 12],
    ],
    CE: [["Vila", 25], ["Travessa", 20]],
    MG: [["Beco", 25]],
    PA: [["Passagem", 140], ["Travessa", 50], ["Alameda", 40]],
    PE: [["1ª Travessa", 25], ["2ª Travessa", 15], ["Córrego", 5]],
    RJ: [["Estrada", 25], ["Ladeira", 5], ["Caminho", 8]],
    SC: [["Servidão", 70]],
    SP: [["Viela", 20], ["Praça", 15], ["Estrada Municipal", 8]],
  };

/** Returns the types of a state. */
export function streetTypes(uf: string): Choices<string> {
  return new Choices([...weights(COUNTRY.streetTypes), ...(LOCAL[uf] ?? [])]);
}

/** `1ª Travessa`, of a street that has the same name. */
export const ORDINAL = /^\dª /;

/** Returns words that occur in few names: given names, surnames, places. */
export function rareWords(size: number, seed: number): Choices<string> {
  const random = new Random(seed, "rare words");
  const words = Array.from({ length: size }, () => inventWord(random));
  return ranked([...new Set(words)], 2000);
}

function inventWord(random: Random): string {
  let word = random.pick(COUNTRY.wordStarts);
  for (let i = random.int(3); i > 0; i--) {
    word += random.pick(COUNTRY.wordMiddles);
  }
  return word + random.pick(COUNTRY.wordEnds);
}

const LARGE_USERS = choices(COUNTRY.largeUserKinds);
const MAILBOXES = choices(COUNTRY.mailboxes);

/** Creates the names of buildings. */
export function buildingNames(
  options: (uf: string) => NameOptions,
): Buildings {
  const own = mixed<[uf: string]>([
    [(random, uf) => personName(random, options(uf)), 35],
    [COUNTRY.saints, 20],
    [COUNTRY.tupiWords, 15],
    [
      (random) => random.pick(COUNTRY.commonNames).replace(/^d[aoe]s? /, ""),
      30,
    ],
  ]);
  const company = (random: Random, uf: string): string => {
    const name = surname(random, options(uf)).replace(/^d[aoe]s? /, "");
    return `${name} ${random.pick(COUNTRY.companies)}`;
  };
  return {
    largeUser: mixed<[uf: string]>([
      [COUNTRY.institutions, 18],
      [company, 13],
      [
        (random, uf) => LARGE_USERS.pick(random).replace("*", own(random, uf)),
        69,
      ],
    ]),
    mailbox: (random, uf) =>
      MAILBOXES.pick(random).replace("*", own(random, uf)),
    street: (random, uf) => `Rua ${streetName(random, options(uf))}`,
    unit: (index, neighbourhood, locality) => {
      if (index > 1) return `AGF ${neighbourhood}`;
      if (index === 1) return `CDD ${neighbourhood}`;
      const isCentre = neighbourhood === "Centro";
      return isCentre ? `AC Central de ${locality}` : `AC ${neighbourhood}`;
    },
  };
}
