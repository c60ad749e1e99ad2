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
