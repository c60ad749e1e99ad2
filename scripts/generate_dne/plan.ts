import { country } from "./country.ts";
import {
  createLocality,
  givePrefixes,
  type Locality,
  type LocalityFacts,
  type NamedPart,
  type Neighbourhood,
  type Places,
  type Situation,
  STATE_FACTS,
  type StateFacts,
  type StatePlan,
  streetCep,
  type World,
} from "./locality.ts";
import { WELL_KNOWN_STREETS, WELL_KNOWN_USERS } from "./well_known.ts";
import { miniature } from "./miniature.ts";
import { apportion, Random } from "./random.ts";
import { planShapes, type Shapes } from "./shapes.ts";

/** Number of street rows from which a DNE is like the country. */
export const COUNTRY_ROWS = 20_000;

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
   * Adds streets of every shape that is hard to find, in a DNE that is too small
   * to have them all.
   *
   * @default {false}
   */
  readonly shapes?: boolean;
  /**
   * Number of invented words in the names of streets of a DNE like the country;
   * a small one has the few hundred words of the samples.
   *
   * @default 0, for a number that suits the rows
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

/** Plan of a DNE, before its rows are written. */
export interface Plan {
  readonly seed: number;
  readonly wellKnown: boolean;
  readonly world: World;
  readonly states: readonly StatePlan[];
  readonly shapes: Shapes | undefined;
}

const LEAST_STREETS = 5;

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

/** Plans the localities and neighbourhoods of all states. */
export function planDirectory(options: GenerateOptions): Plan {
  const { rows, seed, wellKnown = false, words = 0 } = options;
  const streets = apportion(
    rows,
    STATE_FACTS.map((it) => it.weight),
    LEAST_STREETS,
  );
  const world = rows < COUNTRY_ROWS
    ? miniature(rows)
    : country({ rows, seed, words });
  const numbers = { locality: 1, neighbourhood: 1 };
  const states = STATE_FACTS.map((state, i) => {
    const random = new Random(seed, `${state.uf} localities`);
    const own = streets[i] ?? 0;
    const localities = planLocalities({
      state,
      streets: own,
      places: world.places(state, own, random),
      random,
      number: () => numbers.locality++,
    });
    givePrefixes(state, localities);
    for (const locality of localities) {
      locality.neighbourhoods = planNeighbourhoods(
        locality,
        world.neighbourhoods(locality, random),
        () => numbers.neighbourhood++,
      );
    }
    const capital = localities[0] as Locality;
    if (wellKnown) addWellKnown(capital, () => numbers.neighbourhood++);
    return { uf: state.uf, state, capital, localities };
  });
  const hasShapes = options.shapes && rows < COUNTRY_ROWS;
  const shapes = hasShapes ? planShapes(states, numbers) : undefined;
  return { seed, wellKnown, world, states, shapes };
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
  places: Places;
  random: Random;
  number: () => number;
}

/**
 * Plans the municipalities, the capital first, each followed by its districts.
 */
function planLocalities(options: LocalityOptions): Locality[] {
  const { state, streets, places, number } = options;
  const { uf } = state;
  const { count, coded } = places;
  const shares = apportion(
    streets,
    Array.from({ length: coded }, (_, i) => 1 / (i + 1.5)),
    places.least,
  );
  const localities: Locality[] = [];
  for (let i = 0; i < count; i++) {
    const newest = NEWEST_WITHOUT_CODE.includes(uf) && i === count - 1;
    const transition = IN_TRANSITION.includes(uf) && i === 1;
    const { name, ibge } = places.municipality(i);
    const municipality = createLocality({
      nu: number(),
      uf,
      name,
      situation: i >= coded ? 0 : transition ? 3 : 1,
      type: "M",
      parent: undefined,
      ibge: newest ? "" : ibge,
      streets: shares[i] ?? 0,
    });
    localities.push(municipality);
    for (const district of planDistricts(i, municipality, options)) {
      municipality.streets -= district.streets;
      localities.push(district);
    }
  }
  return localities;
}

/**
 * Plans the districts and villages of a municipality: every kind for the first
 * three municipalities, random kinds for the others.
 */
function planDistricts(
  index: number,
  parent: Locality,
  { places, random, number }: LocalityOptions,
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
      name: places.district(),
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

function planNeighbourhoods(
  locality: Locality,
  parts: readonly NamedPart[],
  number: () => number,
): Neighbourhood[] {
  const { streets, parent, name, uf } = locality;
  let end = 0;
  return parts.map((part, i) => {
    const quoted = i === 1 && !parent ? QUOTED_NEIGHBOURHOOD[uf] : undefined;
    const own = parent && i === 0 ? name : part.name;
    const facts = { nu: number(), name: quoted ?? own, locality };
    if (streets === 0) return facts;
    const first = end;
    end += part.streets;
    const ceps = [
      streetCep(locality, first),
      streetCep(locality, end - 1),
    ] as const;
    return { ...facts, ceps, streets: [first, end] as const };
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
