/**
 * Places of a release: ranges of states, municipalities, districts and
 * neighbourhoods.
 */
import type { Release } from "./release.ts";

/** Range of CEPs, including both ends. */
export interface CepRange {
  /** First CEP, as a number. */
  readonly first: number;
  /** Last CEP, as a number. */
  readonly last: number;
}

/** Range of CEPs of a locality. */
export interface LocalityRange extends CepRange {
  /** LOC_TIPO_FAIXA: `T` for the whole municipality, `C` for its seat. */
  readonly type: string;
}

/** Municipality, or one of its districts and villages. */
export interface GazetteerLocality {
  /** LOC_NU. */
  readonly number: number;
  /** LOC_NO. */
  readonly name: string;
  /** UFE_SG. */
  readonly uf: string;
  /** IBGE code of the municipality, `""` where the DNE has none. */
  readonly ibge: string;
  /** LOC_IN_TIPO_LOC: `M`, `D` or `P`. */
  readonly type: string;
  /** General CEP, `""` for a locality that is coded by street. */
  readonly cep: string;
  /** Ranges, in order of CEP. */
  readonly ranges: readonly LocalityRange[];
}

/** Neighbourhood of a municipality. */
export interface GazetteerNeighbourhood {
  /** BAI_NU. */
  readonly number: number;
  /** BAI_NO. */
  readonly name: string;
  /** District or village that it lies in, `""` in the municipality's seat. */
  readonly district: string;
  /** Ranges, in order of CEP. */
  readonly ranges: readonly CepRange[];
}

/**
 * Places of one release. Ranges are empty if the file of the DNE that contains
 * them was not imported, see {@linkcode Release.optionalFiles}.
 */
export interface Gazetteer {
  /** Release of the places. */
  readonly release: Release;
  /** Returns the ranges of a state, in order of CEP. */
  stateRanges(uf: string): readonly CepRange[];
  /** Returns the municipalities of a state, in order of name. */
  municipalities(uf: string): readonly GazetteerLocality[];
  /** Finds a municipality by its IBGE code. */
  municipality(ibge: string): GazetteerLocality | undefined;
  /**
   * Finds the municipality in whose range (of type `T`) a CEP lies, existing or
   * not; in the narrowest one if ranges overlap.
   */
  municipalityOf(cep: string): GazetteerLocality | undefined;
  /** Returns the districts and villages of a municipality, in order of name. */
  districts(municipality: GazetteerLocality): readonly GazetteerLocality[];
  /**
   * Returns the neighbourhoods of a municipality and of its districts, in order
   * of name.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  neighbourhoods(
    municipality: GazetteerLocality,
  ): Promise<readonly GazetteerNeighbourhood[]>;
}
