import type { CensusRow } from "../record/census.ts";
import type { Entry } from "../record/entry.ts";

/** Place of an entry. */
export type CensusPlace = Pick<Entry, "uf" | "locality" | "neighbourhood">;

/** Members of a row that its place depends on. */
export type PlacedRow = Pick<
  CensusRow,
  "ibge" | "locality" | "addresses" | "streets"
>;

/** Places of a release. */
export interface CensusPlaces {
  /**
   * Finds the place of a CEP, `undefined` if the municipality is unknown.
   */
  find(row: PlacedRow): CensusPlace | undefined;
}
