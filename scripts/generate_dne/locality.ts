import type { Side } from "./segments.ts";

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
export function hasGeneralCep({ situation }: Locality): boolean {
  return situation === 0 || situation === 3;
}
