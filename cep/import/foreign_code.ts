import { stateOfCep } from "./cnefe/state_ranges.ts";
import type { CensusRow } from "../record/census.ts";

/**
 * Number of addresses from which a CEP of another state is believed. Almost all
 * of them are misread CEPs with one or two addresses, such as 31317 for 13317.
 * A village beyond the border of its state, which has the CEP of its
 * neighbours, has more.
 */
export const MIN_FOREIGN_ADDRESSES = 10;

/**
 * True for a CEP outside the ranges of the state of its municipality that has
 * too few addresses to be believed.
 */
export function isForeignCode(
  { cep, ibge, addresses }: Pick<CensusRow, "cep" | "ibge" | "addresses">,
): boolean {
  return addresses < MIN_FOREIGN_ADDRESSES &&
    stateOfCep(Number(cep)) !== Number(ibge.slice(0, 2));
}
