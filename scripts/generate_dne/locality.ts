import { WELL_KNOWN_STREETS, WELL_KNOWN_USERS } from "./well_known.ts";
import type { Side } from "./segments.ts";
import type { Random } from "./random.ts";

/** Range of five-digit CEP prefixes, both ends included. */
export type Range = readonly [first: number, last: number];

/** Public facts about a state. */
export interface StateFacts {
  readonly uf: string;
  /** Share of the country's streets. */
  readonly weight: number;
  readonly municipalities: number;
  readonly ranges: readonly Range[];
  readonly capital: Capital;
}

/** Capital, the only municipality with its real name and code. */
interface Capital {
  readonly name: string;
  readonly ibge: string;
  readonly ranges: readonly Range[];
}

type Row = [
  uf: string,
  weight: number,
  municipalities: number,
  ranges: Range[],
  capital: string,
  ibge: string,
  capitalRanges: Range[],
];

const BRASILIA: Range[] = [[70000, 72799], [73000, 73699]];

// deno-fmt-ignore
const ROWS: readonly Row[] = [
  ["AC", 5, 22, [[69900, 69999]], "Rio Branco", "1200401", [[69900, 69923]]],
  ["AL", 14, 102, [[57000, 57999]], "Maceió", "2704302", [[57000, 57099]]],
  ["AM", 20, 62, [[69000, 69299], [69400, 69899]], "Manaus", "1302603", [[69000, 69099]]],
  ["AP", 5, 16, [[68900, 68999]], "Macapá", "1600303", [[68900, 68911]]],
  ["BA", 60, 417, [[40000, 48999]], "Salvador", "2927408", [[40000, 42599]]],
  ["CE", 48, 184, [[60000, 63999]], "Fortaleza", "2304400", [[60000, 61599]]],
  ["DF", 20, 1, BRASILIA, "Brasília", "5300108", BRASILIA],
  ["ES", 28, 78, [[29000, 29999]], "Vitória", "3205309", [[29000, 29099]]],
  ["GO", 55, 246, [[72800, 72999], [73700, 76799]], "Goiânia", "5208707", [[74000, 74899]]],
  ["MA", 22, 217, [[65000, 65999]], "São Luís", "2111300", [[65000, 65109]]],
  ["MG", 115, 853, [[30000, 39999]], "Belo Horizonte", "3106200", [[30000, 31999]]],
  ["MS", 22, 79, [[79000, 79999]], "Campo Grande", "5002704", [[79000, 79124]]],
  ["MT", 27, 142, [[78000, 78899]], "Cuiabá", "5103403", [[78000, 78109]]],
  ["PA", 32, 144, [[66000, 68899]], "Belém", "1501402", [[66000, 66999]]],
  ["PB", 22, 223, [[58000, 58999]], "João Pessoa", "2507507", [[58000, 58099]]],
  ["PE", 52, 185, [[50000, 56999]], "Recife", "2611606", [[50000, 52999]]],
  ["PI", 17, 224, [[64000, 64999]], "Teresina", "2211001", [[64000, 64099]]],
  ["PR", 75, 399, [[80000, 87999]], "Curitiba", "4106902", [[80000, 82999]]],
  ["RJ", 90, 92, [[20000, 28999]], "Rio de Janeiro", "3304557", [[20000, 23799]]],
  ["RN", 20, 167, [[59000, 59999]], "Natal", "2408102", [[59000, 59139]]],
  ["RO", 13, 52, [[76800, 76999]], "Porto Velho", "1100205", [[76800, 76834]]],
  ["RR", 5, 15, [[69300, 69399]], "Boa Vista", "1400100", [[69300, 69339]]],
  ["RS", 65, 497, [[90000, 99999]], "Porto Alegre", "4314902", [[90000, 91999]]],
  ["SC", 50, 295, [[88000, 89999]], "Florianópolis", "4205407", [[88000, 88099]]],
  ["SE", 11, 75, [[49000, 49999]], "Aracaju", "2800308", [[49000, 49099]]],
  ["SP", 220, 645, [[1000, 19999]], "São Paulo", "3550308", [[1000, 5999], [8000, 8499]]],
  ["TO", 12, 139, [[77000, 77999]], "Palmas", "1721000", [[77000, 77249]]],
];

/** The 26 states and the Federal District, by their letters. */
export const STATE_FACTS: readonly StateFacts[] = ROWS.map((
  [uf, weight, municipalities, ranges, name, ibge, capitalRanges],
) => ({
  uf,
  weight,
  municipalities,
  ranges,
  capital: { name, ibge, ranges: capitalRanges },
}));

/** Returns every prefix of the ranges, in order. */
function prefixesOf(ranges: readonly Range[]): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );
}

/**
 * Returns the smallest list of ranges with exactly these ascending prefixes.
 */
export function rangesOf(prefixes: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const prefix of prefixes) {
    const last = ranges.at(-1);
    if (last?.[1] === prefix - 1) last[1] = prefix;
    else ranges.push([prefix, prefix]);
  }
  return ranges;
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
  /** Its streets, by their indexes in the locality. */
  readonly streets?: readonly [first: number, end: number];
}

/** Locality before it has its CEPs and neighbourhoods. */
export type LocalityFacts = Omit<
  Locality,
  "area" | "home" | "streetPrefixes" | "neighbourhoods"
>;

/** Creates a locality without CEPs and neighbourhoods. */
export function createLocality(facts: LocalityFacts): Locality {
  return {
    ...facts,
    area: [],
    home: 0,
    streetPrefixes: [],
    neighbourhoods: [],
  };
}

/** Row of a street file without its number. */
export interface StreetDraft {
  readonly locality: Locality;
  /** Index of the street in its locality, in the order of CEPs. */
  readonly index: number;
  readonly neighbourhood: Neighbourhood;
  readonly type: string;
  readonly name: string;
  readonly typeIsWritten: boolean;
  /** LOG_COMPLEMENTO. */
  readonly complement: string;
  /** The same in numbers, for LOG_NUM_SEC. */
  readonly section?: readonly [from: string, to: string, side: Side];
  /** Other names, with their type, instead of drawn ones. */
  readonly others?: readonly string[];
}

// CEPs of a prefix that streets may use; a few remain free.
const STREETS_A_PREFIX = 900;
const WIDEST_STEP = 5;

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

/** Returns the CEP of a locality that has a general one. */
export function generalCep(locality: Locality): number | undefined {
  if (!hasGeneralCep(locality)) return undefined;
  return locality.home * 1000 + (locality.type === "P" ? 500 : 0);
}

/** Existence of a general CEP. */
function hasGeneralCep({ situation }: Locality): boolean {
  return situation === 0 || situation === 3;
}

/** State, with everything except its streets. */
export interface StatePlan {
  readonly uf: string;
  readonly state: StateFacts;
  readonly capital: Locality;
  readonly localities: readonly Locality[];
}

// Streets of a prefix; a few of its CEPs remain free.
const USED_OF_PREFIX = 860;

/** Left free in every DNE, so that the well-known addresses fit into any. */
export const WELL_KNOWN_PREFIXES: ReadonlySet<number> = new Set(
  [...WELL_KNOWN_STREETS, ...WELL_KNOWN_USERS].map((address) =>
    Number(address.cep.slice(0, 5))
  ),
);

/** Gives each municipality a run of prefixes and its CEPs within it. */
export function givePrefixes(
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

const ROWS_A_RUN = 64;
const RUNS_A_WINDOW = 32;

/** Generates all streets of a state, in shuffled runs of one locality each. */
export function* orderStreets(
  localities: readonly Locality[],
  random: Random,
): Iterable<[Locality, number]> {
  const runs: [Locality, number][] = [];
  for (const locality of localities) {
    for (let start = 0; start < locality.streets; start += ROWS_A_RUN) {
      runs.push([locality, start]);
    }
  }
  for (const [locality, start] of random.shuffle(runs, RUNS_A_WINDOW)) {
    const length = Math.min(ROWS_A_RUN, locality.streets - start);
    const run = Array.from({ length }, (_, i) => start + i);
    for (const index of random.shuffle(run, length)) yield [locality, index];
  }
}

/** Names of a DNE, and its streets: miniature or like the country. */
export interface World {
  /** Returns the municipalities of a state with that many street rows. */
  readonly places: (
    state: StateFacts,
    streets: number,
    random: Random,
  ) => Places;
  /**
   * Returns the names of the neighbourhoods of a locality, and how its streets
   * are divided among them.
   */
  readonly neighbourhoods: (
    locality: Locality,
    random: Random,
  ) => readonly NamedPart[];
  /** Generates the streets of a state in the order of their numbers. */
  readonly streets: (
    uf: string,
    localities: readonly Locality[],
    random: Random,
  ) => Iterable<StreetDraft>;
  /** Draws the name of a street without its type. */
  readonly streetName: (random: Random, uf: string) => string;
  /** Other names of a locality, in addition to the usual ones. */
  readonly localityNames: (locality: Locality) => readonly string[];
  /** Other names of a neighbourhood. */
  readonly neighbourhoodNames: (nu: number, name: string) => readonly string[];
  readonly buildings: Buildings;
}

/** Part of a locality. */
export interface NamedPart {
  readonly name: string;
  /** Number of its street rows. */
  readonly streets: number;
}

/** Municipalities and districts of a state. */
export interface Places {
  readonly count: number;
  /** Number of municipalities that are coded by street, the first ones. */
  readonly coded: number;
  /** Fewest streets of one of these. */
  readonly least: number;
  /** Returns the `index`th municipality, the capital being 0. */
  readonly municipality: (
    index: number,
  ) => { readonly name: string; readonly ibge: string };
  /** Draws the name of a district or village. */
  readonly district: () => string;
}

/** Names of buildings that have CEPs, and their addresses. */
export interface Buildings {
  /** Draws the name of a large user. */
  readonly largeUser: (random: Random, uf: string) => string;
  /** Draws the name of a community mailbox. */
  readonly mailbox: (random: Random, uf: string) => string;
  /** Draws a street of a locality that has one CEP. */
  readonly street: (random: Random, uf: string) => string;
  /** Draws the name of the `index`th unit of a prefix. */
  readonly unit: (
    index: number,
    neighbourhood: string,
    locality: string,
  ) => string;
}
