import type { Locality, StreetDraft } from "./locality.ts";
import type { Random } from "./random.ts";
import type { StateFacts } from "./states.ts";

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
