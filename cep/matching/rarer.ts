/**
 * Records that only a census has beside others of the same street: a mistyped
 * CEP is that of one address or a few.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { Origin } from "../entry.ts";
import { isFew, isRare } from "../search/rarity.ts";
import type { Comparison } from "./comparison.ts";
import type { Part } from "./parts.ts";

/** Origins of the records of streets and places. */
const OF_PLACES: readonly Origin[] = ["logradouro", "localidade", "cnefe"];

/** Differences of similarities that are due to rounding. */
const EPSILON = 1e-6;

/**
 * True if a record gives way to another one that fits the street and the place
 * of the address as well: one of the DNE, or one with many more addresses.
 */
export function givesWay(one: Comparison, other: Comparison): boolean {
  if (one.record.tipo_origem !== "cnefe" || one.similarities.cep === 1) {
    return false;
  }
  // A large user has its own CEP in the street of others.
  if (!OF_PLACES.includes(other.record.tipo_origem)) return false;
  if (isNamed(one) !== isNamed(other)) return false;
  if (!fitsAsWell("logradouro", one, other)) return false;
  if (!fitsAsWell("cidade", one, other)) return false;
  if (!fitsAsWell("uf", one, other)) return false;
  const isOfCensus = other.record.tipo_origem === "cnefe";
  const addresses = addressesOf(one.record);
  const rare = isRare(addresses, addressesOf(other.record));
  const isElsewhere = other.similarities.numero === 0;
  // A part of a street that the DNE lacks.
  if (isElsewhere && !rare) return false;
  // A short part of a street may have a CEP of its own.
  if ((isOfCensus || isElsewhere) && !isFew(addresses)) {
    if (hasNumber(one, other)) return false;
  }
  if (rare && one.similarities.bairro === undefined) return true;
  return fitsAsWell("bairro", one, other) && (rare || !isOfCensus);
}

/** True if the census saw the number at one record, and not at another. */
function hasNumber(one: Comparison, other: Comparison): boolean {
  return one.seen !== undefined &&
    (one.similarities.numero ?? 0) > (other.similarities.numero ?? 0);
}

function fitsAsWell(
  part: Part,
  { similarities: one }: Comparison,
  { similarities: other }: Comparison,
): boolean {
  // A record without a neighbourhood may be in the given one.
  const unknown = part === "bairro" ? 1 : 0;
  const fit = one[part] ?? unknown;
  return (other[part] ?? unknown) > fit - EPSILON;
}

/** True for a record with the street of the address, or a similar one. */
function isNamed({ similarities }: Comparison): boolean {
  return similarities.logradouro !== undefined;
}

/** Returns the addresses of a record, 1 if they were not counted. */
export function addressesOf({ enderecos }: Address): number {
  return Math.max(Number(enderecos), 1);
}
