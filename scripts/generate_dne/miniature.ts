import { choices, Random, WORDS } from "./random.ts";
import {
  cityName,
  neighbourhoodName,
  personName,
  streetName,
  unaccent,
} from "./names.ts";
import {
  type Locality,
  type NamedPart,
  type Neighbourhood,
  orderStreets,
  type Places,
  type StateFacts,
  type StreetDraft,
  type World,
} from "./locality.ts";
import { CUTS, kilometres, type Segment, USUAL_CUTS } from "./segments.ts";

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
class Vocabulary {
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
    if (kind < 88) {
      return `${random.pick(WORDS.days)} de ${random.pick(WORDS.months)}`;
    }
    if (kind < 90) return random.pick([...WORDS.spelled, ...ORDINALS]);
    if (kind < 94) return String(1 + random.int(120));
    if (kind < 96) return random.pick(WORDS.letters);
    return numbered(random);
  }

  #person(random: Random): string {
    const title = random.chance(20) ? `${random.pick(WORDS.titles)} ` : "";
    const middle = random.chance(45) ? ` ${this.#word(random)}` : "";
    const of = random.chance(20) ? " de" : "";
    const first = random.chance(75)
      ? random.pick(WORDS.firstNames)
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
  const letter = random.pick(WORDS.letters);
  const padded = String(number).padStart(2, "0");
  return random.pick([
    `${letter}-${padded}`,
    `${number} ${letter}`,
    `Projetada ${padded}`,
    `${number}${letter}`,
  ]);
}

// Number of rows from which all municipalities of the country would be there.
const FULL_SIZE = 1_000_000;
const CODED_SHARE = 0.105;
const STREETS_A_NEIGHBOURHOOD = 20;
const USUAL_TYPES = choices(WORDS.streetTypes);
/** States with planned blocks, and their percentage of the streets. */
const PLANNED: Record<string, number> = { DF: 75, TO: 12, GO: 8 };

/** Street, which may have several rows. */
interface Street {
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  readonly segments: Segment[];
}

/** Options of {@linkcode miniature}. */
interface MiniatureOptions {
  readonly rows: number;
  readonly seed: number;
  /** Number of invented words in the names of streets. */
  readonly words: number;
}

/** Creates the world of samples: few invented places, of every shape. */
export function miniature({ rows, seed, words }: MiniatureOptions): World {
  const vocabulary = words > 0 ? new Vocabulary(words, seed) : undefined;
  const nameStreet = (random: Random) =>
    vocabulary?.streetName(random) ?? streetName(random);
  return {
    places: (state, _streets, random) =>
      places(state, Math.min(1, rows / FULL_SIZE), random),
    neighbourhoods,
    streets: (uf, localities, random) =>
      streets(uf, localities, random, nameStreet),
    streetName: nameStreet,
    localityNames: () => [],
    neighbourhoodNames: (nu, name) => nu % 10 < 7 ? [unaccent(name)] : [],
    buildings: {
      largeUser: (random) =>
        random.pick(WORDS.largeUsers).replace("*", ownName(random)),
      mailbox: (random) =>
        random.pick(WORDS.postKeepers).replace("*", ownName(random)),
      street: (random) => `Rua ${random.pick(WORDS.nature)}`,
      unit: (index, neighbourhood) =>
        `${index === 0 ? "AC" : index === 1 ? "CDD" : "AGF"} ${neighbourhood}`,
    },
  };
}

function ownName(random: Random): string {
  if (random.chance(40)) return personName(random);
  return neighbourhoodName(1 + random.int(500), 0);
}

function places(state: StateFacts, scale: number, random: Random): Places {
  const { municipalities, capital } = state;
  const count = Math.min(
    municipalities,
    Math.max(3, Math.round(municipalities * scale)),
  );
  const firstName = random.int(1000);
  return {
    count,
    coded: Math.min(count, Math.max(2, Math.round(count * CODED_SHARE))),
    least: 2,
    municipality: (i) =>
      i === 0 ? capital : {
        name: cityName(i, firstName, random),
        ibge: inventedCode(capital, i),
      },
    district: () => random.pick(WORDS.districts),
  };
}

/**
 * Creates an invented IBGE code: no real one has a 9 after the two digits of
 * its state.
 */
function inventedCode(capital: StateFacts["capital"], index: number): string {
  return capital.ibge.slice(0, 2) + String(90000 + index);
}

function neighbourhoods(locality: Locality, random: Random): NamedPart[] {
  const { streets } = locality;
  const firstName = random.int(1000);
  const count = neighbourhoodCount(locality);
  return Array.from({ length: count }, (_, i) => ({
    name: neighbourhoodName(i, firstName),
    streets: Math.ceil((i + 1) * streets / count) -
      Math.ceil(i * streets / count),
  }));
}

function neighbourhoodCount(locality: Locality): number {
  const { streets, situation, type } = locality;
  // Without streets, offices still need a neighbourhood.
  if (streets === 0) return situation === 0 && type !== "P" ? 1 : 0;
  const usual = Math.round(streets / STREETS_A_NEIGHBOURHOOD);
  return Math.min(streets, Math.max(3, usual));
}

function* streets(
  uf: string,
  localities: readonly Locality[],
  random: Random,
  nameStreet: (random: Random) => string,
): Iterable<StreetDraft> {
  const cuts = CUTS.map(([cut]) => cut);
  let street: Street | undefined;
  let before: Locality | undefined;
  for (const [locality, index] of orderStreets(localities, random)) {
    if (!street?.segments.length || before !== locality) {
      // A capital has every cut once before it draws at random.
      const cut = locality === localities[0] ? cuts.shift() : undefined;
      street = createStreet(nameStreet, uf, random, cut);
    }
    before = locality;
    const { segments, ...facts } = street;
    const segment = segments.shift() as Segment;
    const neighbourhood = neighbourhoodAt(locality, index);
    yield { locality, index, neighbourhood, ...facts, ...segment };
  }
}

/** Returns the neighbourhood of the `index`th street of a locality. */
function neighbourhoodAt(locality: Locality, index: number): Neighbourhood {
  const count = neighbourhoodCount(locality);
  const i = Math.floor(index * count / locality.streets);
  return locality.neighbourhoods[i] as Neighbourhood;
}

function createStreet(
  nameStreet: (random: Random) => string,
  uf: string,
  random: Random,
  cut = USUAL_CUTS.pick(random),
): Street {
  if (random.chance(PLANNED[uf] ?? 0)) return createBlock(random);
  const isHighway = cut === kilometres;
  return {
    type: isHighway ? "Rodovia" : USUAL_TYPES.pick(random),
    name: isHighway ? random.pick(WORDS.highways) : nameStreet(random),
    typeIsWritten: true,
    segments: cut(random),
  };
}

/**
 * Creates `SQS 308 Bloco K`, which is complete without its type, or `Quadra
 * 12`.
 */
function createBlock(random: Random): Street {
  const number = 1 + random.int(716);
  const part = `${random.pick(WORDS.plannedParts)} ${
    random.pick(WORDS.letters)
  }`;
  const complement = random.chance(8) ? "Comércio" : "";
  const typeIsWritten = random.chance(10);
  const block = typeIsWritten ? "" : `${random.pick(WORDS.plannedBlocks)} `;
  return {
    type: "Quadra",
    name: `${block}${number} ${part}`,
    typeIsWritten,
    segments: [{ complement }],
  };
}
