import { WELL_KNOWN_STREETS, WELL_KNOWN_USERS } from "./well_known.ts";
import { cityName, neighbourhoodName, streetName } from "./names.ts";
import { apportion, Random } from "./random.ts";
import { prefixesOf, STATE_FACTS, type StateFacts } from "./states.ts";
import { Vocabulary } from "./vocabulary.ts";
import { DISTRICTS } from "./words.ts";

/** Options of a directory. */
export interface GenerateOptions {
  /** Street rows of all states, without the well-known ones. */
  readonly rows: number;
  /** Seed of the random numbers. */
  readonly seed: number;
  /**
   * Adds the well-known addresses.
   *
   * @default {false}
   */
  readonly wellKnown?: boolean;
  /**
   * Number of invented words in the names of streets.
   *
   * @default 0, for the few hundred words of samples
   */
  readonly words?: number;
  /**
   * Number of the release; each after 0 changes about a row in a hundred.
   *
   * @default 0, without LEIAME.TXT
   */
  readonly release?: number;
  /** Earlier release; only the delta from it is generated. */
  readonly since?: number;
}

/** LOC_IN_SIT: one CEP, CEPs by street, the CEPs of its parent, or both. */
export type Situation = 0 | 1 | 2 | 3;

/** Municipality, district or village. */
export interface Locality {
  readonly nu: number;
  readonly uf: string;
  readonly name: string;
  readonly situation: Situation;
  /** Municipality, district or village. */
  readonly type: "M" | "D" | "P";
  readonly parent: Locality | undefined;
  /** MUN_NU, as in the file: usually empty for districts. */
  readonly ibge: string;
  /** Number of its rows in the street files. */
  streets: number;
  /** Prefixes of the whole municipality, including districts and reserves. */
  area: readonly number[];
  /** Prefix whose first CEPs serve the locality as a whole. */
  home: number;
  streetPrefixes: readonly number[];
  neighbourhoods: Neighbourhood[];
}

/** Neighbourhood, with the CEPs of its streets if it has any. */
export interface Neighbourhood {
  readonly nu: number;
  readonly name: string;
  readonly locality: Locality;
  readonly ceps?: readonly [first: number, last: number];
}

/** State, with everything except its streets. */
export interface StatePlan {
  readonly uf: string;
  readonly state: StateFacts;
  readonly capital: Locality;
  readonly localities: readonly Locality[];
}

/** Plan of a DNE, before its rows are written. */
export interface Plan {
  readonly seed: number;
  readonly wellKnown: boolean;
  /** Returns the name of a street without its type. */
  readonly streetName: (random: Random) => string;
  readonly states: readonly StatePlan[];
}

// CEPs of a prefix that streets may use; a few remain free.
const STREETS_A_PREFIX = 900;
const USED_OF_PREFIX = 860;
// Number of rows from which all municipalities of the country are generated.
const FULL_SIZE = 1_000_000;
const LEAST_STREETS = 5;
const CODED_SHARE = 0.105;
const STREETS_A_NEIGHBOURHOOD = 20;
const WIDEST_STEP = 5;

// Rare shapes, each of the second or third municipality of some states.
const IN_TRANSITION = ["GO", "MA", "PB"];
const STREETS_IN_DISTRICT = "BA CE MG PA PE PR RS SC SP".split(" ");
const STREETS_IN_VILLAGE = ["RJ"];
const DISTRICT_WITH_CODE = ["MS", "RO", "SE"];
const NEWEST_WITHOUT_CODE = ["MT"];
const QUOTED_VILLAGE: Record<string, string> = { PB: 'Pau D"Óleo' };
const QUOTED_NEIGHBOURHOOD: Record<string, string> = {
  RN: 'Parque das Dunas "Gleba B"',
};

const WELL_KNOWN = [...WELL_KNOWN_STREETS, ...WELL_KNOWN_USERS];

/** Left free in every DNE, so that the well-known addresses fit into any. */
export const WELL_KNOWN_PREFIXES: ReadonlySet<number> = new Set(
  WELL_KNOWN.map((address) => Number(address.cep.slice(0, 5))),
);

/** Plans the localities and neighbourhoods of all states. */
export function planDirectory(options: GenerateOptions): Plan {
  const { rows, seed, wellKnown = false, words = 0 } = options;
  const streets = apportion(
    rows,
    STATE_FACTS.map((it) => it.weight),
    LEAST_STREETS,
  );
  const scale = Math.min(1, rows / FULL_SIZE);
  const numbers = { locality: 1, neighbourhood: 1 };
  const states = STATE_FACTS.map((state, i) => {
    const random = new Random(seed, `${state.uf} localities`);
    const localities = planLocalities({
      state,
      streets: streets[i] ?? 0,
      scale,
      random,
      number: () => numbers.locality++,
    });
    givePrefixes(state, localities);
    for (const locality of localities) {
      locality.neighbourhoods = planNeighbourhoods(
        locality,
        random.int(1000),
        () => numbers.neighbourhood++,
      );
    }
    const capital = localities[0] as Locality;
    if (wellKnown) addWellKnown(capital, () => numbers.neighbourhood++);
    return { uf: state.uf, state, capital, localities };
  });
  const vocabulary = words > 0 ? new Vocabulary(words, seed) : undefined;
  const nameStreet = (random: Random) =>
    vocabulary?.streetName(random) ?? streetName(random);
  return { seed, wellKnown, streetName: nameStreet, states };
}

/**
 * Returns the CEP of the `index`th street of a locality: close together, in
 * order.
 */
export function streetCep(locality: Locality, index: number): number {
  const room = locality.streetPrefixes.length * STREETS_A_PREFIX;
  const step = Math.min(WIDEST_STEP, room / locality.streets);
  const slot = Math.floor(index * step);
  const prefix = locality.streetPrefixes[Math.floor(slot / STREETS_A_PREFIX)];
  return (prefix ?? 0) * 1000 + slot % STREETS_A_PREFIX;
}

/** Returns the neighbourhood of the `index`th street of a locality. */
export function streetNeighbourhood(
  locality: Locality,
  index: number,
): Neighbourhood {
  const count = neighbourhoodCount(locality);
  const i = Math.floor(index * count / locality.streets);
  return locality.neighbourhoods[i] as Neighbourhood;
}

/** Returns the CEP of a locality that has a general one. */
export function generalCep(locality: Locality): number | undefined {
  if (!hasGeneralCep(locality)) return undefined;
  return locality.home * 1000 + (locality.type === "P" ? 500 : 0);
}

function hasGeneralCep({ situation }: Locality): boolean {
  return situation === 0 || situation === 3;
}

/**
 * Returns the well-known addresses of a state, if requested, with their places.
 */
export function wellKnownOf<T extends { uf: string; neighbourhood: string }>(
  plan: Plan,
  { uf, capital }: StatePlan,
  addresses: readonly T[],
): [T, Neighbourhood][] {
  if (!plan.wellKnown) return [];
  return addresses.filter((it) => it.uf === uf).map((address) => {
    const found = capital.neighbourhoods.find((it) =>
      it.name === address.neighbourhood
    );
    return [address, found as Neighbourhood];
  });
}

interface LocalityOptions {
  state: StateFacts;
  streets: number;
  scale: number;
  random: Random;
  number: () => number;
}

/**
 * Plans the municipalities, the capital first, each followed by its districts.
 */
function planLocalities(options: LocalityOptions): Locality[] {
  const { state, streets, scale, random, number } = options;
  const { uf, municipalities, capital } = state;
  const count = Math.min(
    municipalities,
    Math.max(3, Math.round(municipalities * scale)),
  );
  const coded = Math.min(count, Math.max(2, Math.round(count * CODED_SHARE)));
  const shares = apportion(
    streets,
    Array.from({ length: coded }, (_, i) => 1 / (i + 1.5)),
    2,
  );
  const firstName = random.int(1000);
  const localities: Locality[] = [];
  for (let i = 0; i < count; i++) {
    const newest = NEWEST_WITHOUT_CODE.includes(uf) && i === count - 1;
    const transition = IN_TRANSITION.includes(uf) && i === 1;
    const municipality = createLocality({
      nu: number(),
      uf,
      name: i === 0 ? capital.name : cityName(i, firstName, random),
      situation: i >= coded ? 0 : transition ? 3 : 1,
      type: "M",
      parent: undefined,
      ibge: newest ? "" : i === 0 ? capital.ibge : inventedCode(capital, i),
      streets: shares[i] ?? 0,
    });
    localities.push(municipality);
    for (const district of planDistricts(i, municipality, random, number)) {
      municipality.streets -= district.streets;
      localities.push(district);
    }
  }
  return localities;
}

type LocalityFacts = Omit<
  Locality,
  "area" | "home" | "streetPrefixes" | "neighbourhoods"
>;

function createLocality(facts: LocalityFacts): Locality {
  return {
    ...facts,
    area: [],
    home: 0,
    streetPrefixes: [],
    neighbourhoods: [],
  };
}

/**
 * Creates an invented IBGE code: no real one has a 9 after the two digits of
 * its state.
 */
function inventedCode(capital: StateFacts["capital"], index: number): string {
  return capital.ibge.slice(0, 2) + String(90000 + index);
}

/**
 * Plans the districts and villages of a municipality: every kind for the first
 * three municipalities, random kinds for the others.
 */
function planDistricts(
  index: number,
  parent: Locality,
  random: Random,
  number: () => number,
): Locality[] {
  const inherited = parent.situation === 1 ? 2 : 0;
  const district = (
    type: "D" | "P",
    situation: Situation,
    facts: Partial<LocalityFacts> = {},
  ) =>
    createLocality({
      nu: number(),
      uf: parent.uf,
      name: random.pick(DISTRICTS),
      situation,
      type,
      parent,
      ibge: "",
      streets: 0,
      ...facts,
    });
  // The same name twice in one state.
  const name = "Santa Cruz";
  if (index === 0) {
    return [district("D", 2), district("P", 2), district("D", 0)];
  }
  if (index === 1) {
    const type = STREETS_IN_VILLAGE.includes(parent.uf) ? "P" : "D";
    const hasStreets = type === "P" || STREETS_IN_DISTRICT.includes(parent.uf);
    const streets = Math.max(1, Math.floor(parent.streets / 20));
    const first = hasStreets
      ? district(type, 3, { name, streets })
      : district(type, inherited, { name });
    return [first, district("P", 0)];
  }
  if (index === 2) {
    const ibge = DISTRICT_WITH_CODE.includes(parent.uf) ? parent.ibge : "";
    const quoted = QUOTED_VILLAGE[parent.uf];
    return [
      district("D", inherited, { name, ibge }),
      district("P", inherited, quoted === undefined ? {} : { name: quoted }),
    ];
  }
  return Array.from(
    { length: random.int(3) },
    () =>
      district(
        random.chance(18) ? "P" : "D",
        random.chance(50) ? inherited : 0,
      ),
  );
}

/** Gives each municipality a run of prefixes and its CEPs within it. */
function givePrefixes(
  state: StateFacts,
  localities: readonly Locality[],
): void {
  const area = prefixesOf(state.capital.ranges);
  const inCapital = new Set(area);
  const rest = prefixesOf(state.ranges).filter((it) => !inCapital.has(it));
  const families = localities.filter((it) => it.type === "M").map((it) =>
    localities.filter((other) => other === it || other.parent === it)
  );
  const needs = families.map((family) =>
    family.reduce((sum, locality) => sum + prefixesNeeded(locality), 0)
  );
  const needed = needs.slice(1).reduce((left, right) => left + right, 0);
  const others = Math.max(1, families.length - 1);
  const spare = Math.floor((rest.length - needed) / others);
  let taken = 0;
  families.forEach((family, i) => {
    const size = (needs[i] ?? 0) + spare;
    const block = i === 0 ? area : rest.slice(taken, taken + size);
    if (i > 0) taken += size;
    const free = block.filter((prefix) => !WELL_KNOWN_PREFIXES.has(prefix));
    if (spare < 0 || free.length < (needs[i] ?? 0)) {
      throw new RangeError(`Cannot place all streets of ${state.uf}: too many`);
    }
    (family[0] as Locality).area = block;
    for (const locality of family) {
      const own = free.splice(0, prefixesNeeded(locality));
      locality.home = own[0] ?? 0;
      locality.streetPrefixes = own.slice(hasGeneralCep(locality) ? 1 : 0);
    }
  });
}

function prefixesNeeded(locality: Locality): number {
  const general = hasGeneralCep(locality) ? 1 : 0;
  return general + Math.ceil(locality.streets / USED_OF_PREFIX);
}

function neighbourhoodCount(locality: Locality): number {
  const { streets, situation, type } = locality;
  // Without streets, offices still need a neighbourhood.
  if (streets === 0) return situation === 0 && type !== "P" ? 1 : 0;
  const usual = Math.round(streets / STREETS_A_NEIGHBOURHOOD);
  return Math.min(streets, Math.max(3, usual));
}

function planNeighbourhoods(
  locality: Locality,
  firstName: number,
  number: () => number,
): Neighbourhood[] {
  const { streets, parent, name, uf } = locality;
  const count = neighbourhoodCount(locality);
  return Array.from({ length: count }, (_, i) => {
    const quoted = i === 1 && !parent ? QUOTED_NEIGHBOURHOOD[uf] : undefined;
    const own = parent && i === 0 ? name : neighbourhoodName(i, firstName);
    const facts = { nu: number(), name: quoted ?? own, locality };
    if (streets === 0) return facts;
    const first = Math.ceil(i * streets / count);
    const last = Math.ceil((i + 1) * streets / count) - 1;
    const ceps = [
      streetCep(locality, first),
      streetCep(locality, last),
    ] as const;
    return { ...facts, ceps };
  });
}

/** Adds the neighbourhoods of the well-known addresses that are missing. */
function addWellKnown(capital: Locality, number: () => number): void {
  const known = WELL_KNOWN.filter((it) => it.uf === capital.uf);
  for (const { neighbourhood: name } of known) {
    if (capital.neighbourhoods.some((it) => it.name === name)) continue;
    capital.neighbourhoods.push({ nu: number(), name, locality: capital });
  }
}
