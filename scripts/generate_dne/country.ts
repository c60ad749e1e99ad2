import {
  type Locality,
  type NamedPart,
  orderStreets,
  type Places,
  type StateFacts,
  type StreetDraft,
  type World,
} from "./locality.ts";
import {
  apportion,
  Choices,
  COUNTRY,
  LARGE_CITIES,
  mixed,
  NICKNAMES,
  Random,
  WORDS,
} from "./random.ts";
import {
  buildingNames,
  commonName,
  type Family,
  familyNames,
  highway,
  type NameOptions,
  NeighbourhoodNames,
  numberedWords,
  ofTheme,
  ORDINAL,
  rareWords,
  saints,
  streetName,
  streetTypes,
  subdivision,
  type Theme,
  THEMES,
} from "./country_names.ts";
import { RANGES, type Segment } from "./segments.ts";
import { municipalityNames } from "../../cep/record/municipality_names.ts";
import { stateOfIbge } from "../../cep/record/states.ts";
import { abbreviate, unaccent } from "./names.ts";
import { type Block, brasiliaBlocks, palmasBlocks } from "./planned_cities.ts";

/** Street row without the place that it gets. */
interface Row
  extends Omit<StreetDraft, "locality" | "index" | "neighbourhood"> {
  /** Identity of a street that has several rows. */
  readonly street?: symbol;
}

/** Rows of one neighbourhood, each different from the others. */
class Rows {
  readonly #rows: Row[] = [];
  readonly #count: number;
  readonly #streets = new Map<string, symbol | undefined>();
  readonly #complements = new Set<string>();

  constructor(count: number) {
    this.#count = count;
  }

  get list(): readonly Row[] {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#count;
  }

  /**
   * Adds a row if there is room. Refuses a street whose name another has, unless
   * the complement names an estate.
   */
  add(row: Row): boolean {
    const name = `${row.type} ${row.name}`;
    const full = `${name} ${row.complement}`;
    if (this.isFull || this.#complements.has(full)) return false;
    if (!row.complement.startsWith("(")) {
      const isOther = this.#streets.has(name) &&
        (row.street === undefined || this.#streets.get(name) !== row.street);
      if (isOther) return false;
      this.#streets.set(name, row.street);
    }
    this.#complements.add(full);
    this.#rows.push(row);
    return true;
  }
}

/** Habits of a city in naming its streets. */
interface Custom {
  /** Families of numbers and letters that begin in a thousand streets. */
  readonly familyPermille: number;
  /** Families of a word and a number that begin in a thousand streets. */
  readonly wordsPermille: number;
  /** Percentage of neighbourhoods with estates, which complements name. */
  readonly subdividedPercent: number;
  readonly families?: Choices<Family>;
  /** Ends of names, one for each side of the city. */
  readonly suffixes?: readonly string[];
}

const USUAL: Custom = {
  familyPermille: 5,
  wordsPermille: 14,
  subdividedPercent: 18,
};

const PLANNED: Custom = {
  familyPermille: 50,
  wordsPermille: 16,
  subdividedPercent: 11,
  families: new Choices<Family>([
    ["codes", 45],
    ["numbers", 30],
    ["suffixed", 12],
    ["letters", 9],
    ["words", 4],
  ]),
};

const OF_STATES: Readonly<Record<string, Partial<Custom>>> = {
  BA: { wordsPermille: 14, familyPermille: 9 },
  CE: { familyPermille: 14, subdividedPercent: 22 },
  DF: PLANNED,
  GO: PLANNED,
  MA: { familyPermille: 18, subdividedPercent: 24 },
  MT: { familyPermille: 16 },
  PA: { wordsPermille: 14, subdividedPercent: 20 },
  PE: { familyPermille: 10, subdividedPercent: 18 },
  RO: { familyPermille: 14 },
  SE: { familyPermille: 14, subdividedPercent: 22 },
  TO: { familyPermille: 40, wordsPermille: 17 },
};

const OF_CITIES: Readonly<Record<string, Partial<Custom>>> = {
  "SC Chapecó": { suffixes: [" - E", " - D"] },
};

/** Returns the habits of a city. */
function customOf(uf: string, city: string): Custom {
  return { ...USUAL, ...OF_STATES[uf], ...OF_CITIES[`${uf} ${city}`] };
}

const THEME_NAMES = Object.keys(THEMES) as Theme[];
const WHOLE: Segment = { complement: "" };

const FAMILIES = new Choices<Family>([
  ["numbers", 50],
  ["letters", 20],
  ["words", 10],
  ["suffixed", 7],
  ["codes", 8],
  ["projectedLetters", 5],
]);

/** Families that all estates of a neighbourhood may have. */
const SHARED: readonly Family[] = ["numbers", "numbers", "letters", "words"];

/** Streets of a city, neighbourhood by neighbourhood. */
class CityStreets {
  readonly #random: Random;
  readonly #locality: Locality;
  readonly #options: NameOptions;
  readonly #custom: Custom;
  readonly #types: Choices<string>;
  readonly #subdivisions: NeighbourhoodNames;
  /** Parts of avenues that reach the next neighbourhoods. */
  #onwards: Row[] = [];

  constructor(
    locality: Locality,
    random: Random,
    options: NameOptions,
    custom: Custom,
  ) {
    this.#locality = locality;
    this.#random = random;
    this.#options = options;
    this.#custom = custom;
    this.#types = streetTypes(locality.uf);
    this.#subdivisions = new NeighbourhoodNames(random, options);
  }

  /** Returns the rows in the order of their CEPs, those of blocks first. */
  drafts(blocks: readonly Row[]): StreetDraft[] {
    const locality = this.#locality;
    return locality.neighbourhoods.flatMap((neighbourhood) => {
      if (neighbourhood.streets === undefined) return [];
      const [first, end] = neighbourhood.streets;
      const rows = end <= blocks.length
        ? blocks.slice(first, end)
        : this.#fill(end - first, neighbourhood.name);
      return rows.map((row, i) => ({
        ...row,
        locality,
        neighbourhood,
        index: first + i,
      }));
    });
  }

  #fill(count: number, name: string): readonly Row[] {
    const random = this.#random;
    const rows = new Rows(count);
    const reaching = this.#onwards.splice(0, Math.ceil(count / 6));
    for (const row of reaching) rows.add(row);
    if (count >= 6 && random.chance(this.#custom.subdividedPercent)) {
      this.#subdivide(rows);
    }
    const theme = name === "Centro"
      ? "common"
      : random.chance(17)
      ? random.pick(THEME_NAMES)
      : undefined;
    for (let tries = 0; !rows.isFull; tries++) {
      if (tries > 4 * count) {
        rows.add({ ...this.#named(`${this.#options.word(random)} ${tries}`) });
      } else this.#addSome(rows, theme);
    }
    return rows.list;
  }

  #addSome(rows: Rows, theme: Theme | "common" | undefined): void {
    const random = this.#random;
    const drawn = random.int(1000);
    const { familyPermille, wordsPermille } = this.#custom;
    if (drawn < familyPermille) {
      this.#addFamily(rows, 3 + random.int(22), "");
    } else if (drawn < familyPermille + wordsPermille) {
      this.#addNumbered(rows, 2 + random.int(12), "");
    } else this.#addStreet(rows, theme);
  }

  /**
   * Adds the streets of estates, which their complements name. In some, the
   * streets of all estates have the same numbers or letters.
   */
  #subdivide(rows: Rows): void {
    const random = this.#random;
    const shared = random.chance(30) ? random.pick(SHARED) : undefined;
    const estates = shared ? 2 + random.int(3) : 1 + random.int(3);
    if (shared && random.chance(40)) {
      this.#addFamily(rows, 3 + random.int(9), "", shared);
    }
    for (let i = 0; i < estates; i++) {
      const complement = subdivision(random, this.#subdivisions);
      const count = 2 + random.int(11);
      const kind = random.int(100);
      if (shared || kind < 12) {
        this.#addFamily(rows, count, complement, shared);
      } else if (kind < 26) this.#addNumbered(rows, count, complement);
      else {
        for (let i = 0; i < count; i++) {
          rows.add({ ...this.#named(this.#name()), complement });
        }
      }
    }
  }

  #addFamily(
    rows: Rows,
    count: number,
    complement: string,
    shared?: Family,
  ): void {
    const random = this.#random;
    const isRua = shared !== undefined || random.chance(88);
    const type = isRua ? "Rua" : this.#types.pick(random);
    const families = this.#custom.families ?? FAMILIES;
    const family = shared ?? families.pick(random);
    const isFar = shared === undefined && random.chance(25);
    for (const name of familyNames(family, random, { count, isFar })) {
      rows.add({ ...this.#named(name, type), complement });
    }
  }

  #addNumbered(rows: Rows, count: number, complement: string): void {
    const random = this.#random;
    const type = random.chance(80) ? "Rua" : this.#types.pick(random);
    for (const name of numberedWords(random, count)) {
      rows.add({ ...this.#named(name, type), complement });
    }
  }

  #addStreet(rows: Rows, theme: Theme | "common" | undefined): void {
    const random = this.#random;
    const type = this.#types.pick(random);
    if (type === "Rodovia") return this.#addHighway(rows);
    const isOrdinal = ORDINAL.test(type) && rows.list.length > 0;
    const base = isOrdinal
      ? random.pick(rows.list).name
      : this.#themedName(theme);
    const { suffixes } = this.#custom;
    const names = suffixes && !base.includes(" - ")
      ? (random.chance(35) ? suffixes : [random.pick(suffixes)])
        .map((suffix) => base + suffix)
      : [base];
    for (const name of names) {
      this.#addParts(rows, this.#named(name, type), this.#cut(type));
    }
  }

  #themedName(theme: Theme | "common" | undefined): string {
    const random = this.#random;
    if (theme === "common" && random.chance(40)) return commonName(random);
    if (theme === undefined || theme === "common" || random.chance(25)) {
      return this.#name();
    }
    return ofTheme(random, theme);
  }

  #addHighway(rows: Rows): void {
    const random = this.#random;
    const { name, others } = highway(this.#options.uf, random);
    const row = { ...this.#named(name, "Rodovia"), others };
    this.#addParts(
      rows,
      row,
      random.chance(60) ? RANGES.kilometres(random) : [WHOLE],
    );
  }

  /** Adds the parts of a street, some of them in the next neighbourhoods. */
  #addParts(rows: Rows, row: Row, parts: readonly Segment[]): void {
    const street = Symbol();
    let reaches = false;
    for (const [i, part] of parts.entries()) {
      reaches ||= i > 0 && this.#random.chance(30);
      const piece = { ...row, ...part, street };
      if (reaches) this.#onwards.push(piece);
      else if (!rows.add(piece)) return;
    }
  }

  #cut(type: string): readonly Segment[] {
    const random = this.#random;
    const percent = type === "Avenida" ? 22 : type === "Rua" ? 4 : 1;
    if (!random.chance(percent)) return [WHOLE];
    return RANGES.usual.pick(random)(random);
  }

  #name(): string {
    return streetName(this.#random, this.#options);
  }

  #named(name: string, type = "Rua"): Row {
    // One in a few hundred lacks its type in the written address.
    const typeIsWritten = this.#random.int(400) > 0;
    return { type, name, typeIsWritten, complement: "" };
  }
}

const CODED_SHARE = 0.107;
// Fewest street rows of a coded city, and the mean from which more are coded.
const LEAST_STREETS = 25;
const MEAN_STREETS = 150;

/** Municipality without a code in the DNE, because it is new. */
const NEWEST = "Boa Esperança do Norte";

/** Districts and villages that a state has first. */
const FIRST_DISTRICTS: Readonly<Record<string, readonly string[]>> = {
  AP: ["Fazendinha", "Bailique", "Maruanum", "Santa Cruz", "Fortaleza"],
  BA: ["Rio Branco", "Brasília"],
  CE: ["Jericoacoara", "Campinas"],
  DF: ["Taguatinga", "Ceilândia", "Gama"],
  MA: ["São Paulo", "Santa Luzia"],
  MG: ["Fortaleza", "Londrina"],
  PA: ["Vitória", "Salvador"],
  RS: ["Planalto", "Rio de Janeiro"],
};

/** Names and codes of the municipalities of a state, the largest first. */
interface Municipality {
  readonly name: string;
  readonly ibge: string;
}

let byState: Map<string, Municipality[]> | undefined;

function municipalitiesOf(uf: string): readonly Municipality[] {
  if (byState === undefined) {
    byState = new Map();
    for (const [ibge, name] of municipalityNames()) {
      const state = stateOfIbge(ibge)!;
      const own = byState.get(state);
      if (own) own.push({ name, ibge });
      else byState.set(state, [{ name, ibge }]);
    }
  }
  return byState.get(uf)!;
}

/** Returns the names of the municipalities of a state. */
function municipalityNamesOf(uf: string): readonly string[] {
  return municipalitiesOf(uf).map(({ name }) => name);
}

/** Returns the municipalities of a state: capital, large ones, the others. */
function realPlaces(
  { uf, capital }: StateFacts,
  streets: number,
  random: Random,
): Places {
  const all = municipalitiesOf(uf);
  const first = [capital.name, ...(LARGE_CITIES[uf] ?? [])];
  const large = first.map((name) => {
    const found = all.find((it) => it.name === name);
    if (found === undefined) throw new Error(`No municipality ${name}/${uf}`);
    return found;
  });
  const others = all.filter((it) => !first.includes(it.name));
  random.shuffle(others, others.length);
  const newest = others.findIndex((it) => it.name === NEWEST);
  if (newest >= 0) others.push(...others.splice(newest, 1));
  const ordered = [...large, ...others];
  const coded = Math.round(all.length * CODED_SHARE);
  const districts = [...(FIRST_DISTRICTS[uf] ?? [])];
  let before = "";
  return {
    count: ordered.length,
    coded: Math.min(
      all.length,
      Math.max(2, Math.min(coded, Math.floor(streets / MEAN_STREETS))),
    ),
    least: Math.min(LEAST_STREETS, Math.floor(streets / 10)),
    municipality: (i) => ordered[i]!,
    district: () => {
      const first = districts.shift();
      if (first !== undefined) return first;
      let name = districtName(random, all);
      while (name === before) name = districtName(random, all);
      return before = name;
    },
  };
}

const districtName = mixed<[all: readonly Municipality[]]>([
  [COUNTRY.districtNamesakes, 4],
  [WORDS.districts, 26],
  [saints, 20],
  [COUNTRY.tupiWords, 10],
  [(random, all) => random.pick(all).name, 10],
  [
    (random) =>
      `${random.pick(COUNTRY.districtHeads)} ${random.pick(COUNTRY.tupiWords)}`,
    30,
  ],
]);

/** Options of {@linkcode country}. */
interface CountryOptions {
  readonly rows: number;
  readonly seed: number;
  /** Number of invented words, 0 for one that suits the rows. */
  readonly words: number;
}

const ROWS_A_WORD = 3;
const STREETS_A_NEIGHBOURHOOD = 18;
// Cities that write the region of a neighbourhood in parentheses.
const WITH_REGIONS_PERCENT = 15;
const IN_A_REGION_PERCENT = 55;
const PLANNED_SHARE_OF_PALMAS = 0.62;

/**
 * Creates a world that looks like Brazil, so that code which works with it works
 * with a real DNE: all municipalities, and the shapes of addresses that occur
 * there.
 */
export function country({ rows, seed, words }: CountryOptions): World {
  const rare = rareWords(words || Math.ceil(rows / ROWS_A_WORD), seed);
  const byState = new Map<string, NameOptions>();
  const options = (uf: string): NameOptions => {
    let own = byState.get(uf);
    if (own === undefined) {
      own = {
        uf,
        word: (random) => rare.pick(random),
        municipalities: municipalityNamesOf(uf),
      };
      byState.set(uf, own);
    }
    return own;
  };
  const blocks = new Map<Locality, readonly Block[]>();
  return {
    places: realPlaces,
    neighbourhoods: (locality, random) => {
      const planned = planBlocks(locality, seed);
      blocks.set(locality, planned);
      return neighbourhoods(locality, planned, random, options(locality.uf));
    },
    streets: (uf, localities, random) =>
      streets(localities, random, (locality) => {
        const own = new Random(seed, `${uf} ${locality.nu} streets`);
        const custom = customOf(uf, locality.name);
        const city = new CityStreets(locality, own, options(uf), custom);
        return city.drafts(blocks.get(locality) ?? []);
      }),
    streetName: (random, uf) => streetName(random, options(uf)),
    localityNames: ({ nu, name, uf, type }) => [
      ...(type === "M" ? NICKNAMES[name] ?? [] : []),
      ...(nu % 5 === 0 ? [`${name} ${uf}`] : []),
    ],
    neighbourhoodNames: otherNames,
    buildings: buildingNames(options),
  };
}

/** Returns the addresses by blocks, of the two cities that have them. */
function planBlocks(locality: Locality, seed: number): readonly Block[] {
  const { uf, name, streets, parent } = locality;
  const random = new Random(seed, `${uf} blocks`);
  if (parent) return [];
  if (name === "Brasília") return brasiliaBlocks(streets, random);
  if (name !== "Palmas" || uf !== "TO") return [];
  return palmasBlocks(Math.floor(streets * PLANNED_SHARE_OF_PALMAS), random);
}

function neighbourhoods(
  locality: Locality,
  blocks: readonly Block[],
  random: Random,
  options: NameOptions,
): NamedPart[] {
  const { streets, situation, type, name } = locality;
  if (streets === 0) {
    const hasOffice = situation === 0 && type !== "P";
    return hasOffice ? [{ name: "Centro", streets: 0 }] : [];
  }
  const planned = new Map<string, number>();
  for (const { neighbourhood } of blocks) {
    planned.set(neighbourhood, (planned.get(neighbourhood) ?? 0) + 1);
  }
  const parts = [...planned].map(([name, streets]) => ({ name, streets }));
  const rest = streets - blocks.length;
  if (rest === 0) return parts;
  const names = new NeighbourhoodNames(random, options);
  for (const { name } of parts) names.take(name);
  const count = Math.min(
    rest,
    Math.max(Math.min(3, rest), Math.round(rest / STREETS_A_NEIGHBOURHOOD)),
  );
  const regions = random.chance(WITH_REGIONS_PERCENT)
    ? Array.from({ length: 2 + random.int(6) }, () => names.draw())
    : [];
  const sizes = apportion(
    rest,
    Array.from({ length: count }, () => 6 + random.int(13) * random.int(13)),
    1,
  );
  sizes.forEach((streets, i) => {
    let drawn = i === 0 && parts.length === 0 ? "Centro" : names.draw();
    if (i === 1 && count > 4) drawn = `Área Rural de ${name}`;
    if (i > 1 && regions.length > 0 && random.chance(IN_A_REGION_PERCENT)) {
      drawn += ` (${random.pick(regions)})`;
    }
    parts.push({ name: drawn, streets });
  });
  return parts;
}

function* streets(
  localities: readonly Locality[],
  random: Random,
  draftsOf: (locality: Locality) => StreetDraft[],
): Iterable<StreetDraft> {
  const drafts = new Map(
    localities.filter((it) => it.streets > 0).map((it) => [it, draftsOf(it)]),
  );
  for (const [locality, index] of orderStreets(localities, random)) {
    yield drafts.get(locality)![index]!;
  }
}

const SHORT_PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^Jardim /, "Jd "],
  [/^Parque /, "Pq "],
  [/^Residencial /, "Res "],
  [/^Loteamento /, "Lot "],
  [/^Conjunto Habitacional /, "Cj "],
  [/^Setor /, "St "],
  [/^Vila /, "V "],
];

/** Returns short and incomplete names of a neighbourhood, as directories do. */
function otherNames(nu: number, name: string): string[] {
  const [, core = name, region] = /^(.*?)(?: \((.*)\))?$/.exec(name)!;
  const short = SHORT_PREFIXES.find(([it]) => it.test(core));
  const names = [
    ...nu % 3 === 0 ? [unaccent(core)] : [],
    ...short && nu % 4 < 2 ? [core.replace(...short)] : [],
    ...short && nu % 4 === 1 ? [core.replace(short[0], "")] : [],
    ...region && nu % 2 === 0 ? [core] : [],
    ...nu % 11 === 0 ? [abbreviate(core)] : [],
  ];
  return [...new Set(names)].filter((it) => it !== name);
}
