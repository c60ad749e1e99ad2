/**
 * Costs of what differs between a query and a record.
 *
 * @module
 */

/** Costs of what differs between a query and a record. */
export const DIFFERENCES = {
  /** Word of the name that the query lacks. */
  missingWord: 6,
  /** Word of the type that the query lacks. */
  missingTypeWord: 1,
  /** Type that differs from that of the query. */
  otherType: 5,
  /** Type that is abbreviated or misspelt, at most. */
  writtenType: 2,
  /** Words in another order. */
  order: 2,
  /** First word of the name that the query lacks. */
  start: 1,
  /** Term that is found in the place. */
  inPlace: 1,
  /** Word of the place that the query lacks. */
  missingPlaceWord: 2,
  /** Term that is found nowhere else. */
  extraTerm: 4,
  /** Term that may be missing, and is. */
  missingLooseTerm: 8,
  /** State that is named in full, which may mean its capital. */
  stateInFull: 3,
  /** Name that has no term, although the record has a name. */
  wholeName: 10,
  /** Address of a large user, unit or mailbox. */
  location: 3,
} as const;

/** Score of one unit of cost; the sizes of municipalities are below it. */
export const UNIT = 32;
