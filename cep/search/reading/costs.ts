/**
 * Costs of what differs between an address and a record. The unit is a rare word
 * of a name that is missing: about three.
 */
export const COSTS = {
  /** Form of a figure that is equal: `XV` for `15`. */
  sameFigure: 0.15,
  /** Numeral of two words for figures, or the reverse. */
  written: 0.1,
  /** Last word that is still being typed. */
  completed: 0.15,
  /** Initial or first letters of a word. */
  initial: 0.45,
  shortened: 0.35,
  /** Figure or single letter of a name that the address lacks. */
  missingIdentifier: 3,
  /** Word of a name that the address lacks, by its weight. */
  missingWord: 2,
  missingBase: 0.8,
  /** Words of a name in another order. */
  order: 0.5,
  /** Word between two words of a name. */
  gap: 0.15,
  /** Comma within a name. */
  beyondSign: 0.3,
  /** Comma before a figure or a letter, which then is that of a building. */
  identifierBeyondSign: 1.2,
  /** Type that the address lacks. */
  missingType: 0.1,
  /** Type that differs. */
  otherType: 0.8,
  /** Type that differs, if one of them is that of a lane. */
  otherLane: 1.2,
  /** Ordinal before a type that the address lacks. */
  otherOrdinal: 1,
  /** Alternative name of a street. */
  alternative: 0.35,
  /** Address of a large user, unit or mailbox, without its name. */
  location: 0.9,
  /** Figure that is left over within a street. */
  extraIdentifier: 2.5,
  extraLetter: 1.5,
  /** Second number after the street. */
  extraNumber: 1,
  /** Figure or letter that is left over elsewhere. */
  extraFigure: 0.15,
  /** Word that is left over, by its weight. */
  extraWord: 2,
  extraBase: 0.9,
  /** Street type where nothing of the street of a CEP is in the address. */
  extraStreet: 1.5,
  /** Street type that is left over. */
  extraType: 0.2,
  /** Word of a unit, or of no name. */
  extraUnit: 0.02,
  /** Word of a unit before a street without its type. */
  blockBefore: 0.12,
  /** Word of a unit where the address names no other street. */
  extraBlock: 0.5,
  /** Word of the name of a building. */
  extraBuilding: 0.3,
  /** Neighbourhood, city and state that differ, at most. */
  otherNeighbourhood: 1.1,
  otherCity: 2.5,
  /** Another city than the one that is certainly named. */
  contradictedCity: 5,
  otherState: 1.5,
  /** Everyday name of a city. */
  nickname: 0.3,
  /** Name of a place without some of its words, at most. */
  partOfPlace: 0.8,
  /** Half of the name of a neighbourhood: A or B of `A (B)`. */
  halfOfPlace: 0.4,
  /** CEP that is given: the same, of the same sector, another. */
  sameCep: -1,
  sameSector: 0.1,
  otherCep: 0.6,
  /** Number that is not on the stretch of a record. */
  otherNumber: 1.5,
  /** Number on a stretch, the widest at most. */
  wideStretch: 0.3,
  /** Number of a record about whose numbers nothing is known. */
  unknownNumber: 0.25,
  /** Number beyond those that a census saw, the nearest. */
  unseenNumber: 0.6,
  /** Number that may be the end of the street's name. */
  bareNumber: 0.4,
  /** Complement of a record that the address has, too. */
  sameComplement: -0.5,
  /** Neighbourhood that stands in the column of the complement or number. */
  placeInComplement: -0.8,
  /** Record that only a census has, beside those of the DNE. */
  ofCensus: 1,
  /** The rarest record of a census, at most. */
  rarity: 1.5,
  /** District or village within the place that is named. */
  otherDistrict: 1.5,
  /** Word after a street type that is no part of the street. */
  notAfterType: 0.8,
  /** District or village that an address names without its city. */
  district: 0.1,
  /** Street that is named elsewhere than where the address names its street. */
  notHead: 0.6,
  /** Name of a record that no word of the address matches. */
  wholeName: 0.05,
  /** Street, if the record is the general CEP of a place. */
  generalCep: 0.5,
  /** Smaller municipalities come later, by the rank of their size. */
  size: 0.01,
} as const;
