import type { Growing } from "../util/growing.ts";
import type { Column } from "./columns.ts";
import { MUNICIPALITY } from "./index_layout.ts";
import type { PlaceNode } from "./place_tree.ts";

/**
 * Rarity of a record that only a census has.
 *
 * A mistyped CEP is that of one address or a few, on a street with another CEP.
 */
/** Addresses of another record of the street for each one of a rare record. */
const MANY = 10;

/** The same for a record with few addresses. */
const SEVERAL = 5;

/** Most addresses that may all have a mistyped CEP. */
const FEW = 3;

/**
 * True if a record has a small share of the addresses of its street, compared
 * with another record of the street.
 */
export function isRare(addresses: number, others: number): boolean {
  return addresses * (isFew(addresses) ? SEVERAL : MANY) <= others;
}

/** True if all addresses of a record may have a mistyped CEP. */
export function isFew(addresses: number): boolean {
  return addresses <= FEW;
}

/**
 * Rarity of the records that only a census has, as a column of the index.
 *
 * Of records that fit equally, the rarest comes last, and all of them after
 * those of the DNE.
 */

/** Rarity of a record with one address, without the bits below. */
const ONE_ADDRESS = 16;

/** Bit of a record with few addresses. */
export const FEW_ADDRESSES = 32;

/** Bit of a record with a small share of the addresses of its street. */
const RARE = 64;

/** Number of rarities. */
export const RARITIES = 128;

/** Records of an index, in the order of the entries. */
export interface RarityRows {
  /** Returns the number of addresses of a record. */
  readonly addressesOf: (record: number) => number;
  /** 1 for each record that only the census has, else 0. */
  readonly ofCensus: Growing;
  /** Name of each record. */
  readonly recordNames: Growing;
  /** Number of names. */
  readonly nameCount: number;
  readonly leaves: readonly PlaceNode[];
  readonly recordLeaves: Growing;
}

/**
 * Returns the rarity of each record in order of place: 0 for a record of the
 * DNE, else the higher, the fewer addresses it has.
 */
export function toRarities(
  rows: RarityRows,
  order: Column,
): Uint8Array<ArrayBuffer> {
  const { addressesOf, ofCensus, recordNames, nameCount } = rows;
  const rarities = new Uint8Array(order.length);
  // Most addresses of a record of each name in the municipality.
  const most = new Uint32Array(nameCount);
  for (let start = 0, end = 0; start < order.length; start = end) {
    const municipality = municipalityOf(rows, order[start]!);
    do {
      const name = recordNames.at(order[end]!);
      most[name] = Math.max(most[name]!, addressesOf(order[end]!));
      end++;
    } while (
      end < order.length && municipalityOf(rows, order[end]!) === municipality
    );
    for (let i = start; i < end; i++) {
      const record = order[i]!;
      if (ofCensus.at(record) === 0) continue;
      const addresses = Math.max(addressesOf(record), 1);
      const others = most[recordNames.at(record)]!;
      const size = Math.min(Math.floor(Math.log2(addresses)), ONE_ADDRESS - 1);
      rarities[i] = (isRare(addresses, others) ? RARE : 0) +
        (isFew(addresses) ? FEW_ADDRESSES : 0) + ONE_ADDRESS - size;
    }
    for (let i = start; i < end; i++) most[recordNames.at(order[i]!)] = 0;
  }
  return rarities;
}

function municipalityOf(
  { leaves, recordLeaves }: RarityRows,
  record: number,
): PlaceNode {
  let node = leaves[recordLeaves.at(record)]!;
  while (node.level > MUNICIPALITY && node.parent) node = node.parent;
  return node;
}
