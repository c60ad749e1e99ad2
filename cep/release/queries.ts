import type { Address } from "../record/address.ts";
import type { AddressParts } from "../record/address_parts.ts";
import type { CensusRow } from "../record/census.ts";
import type { SeenNumbers } from "../record/seen_numbers.ts";
import type { Agreements } from "../search/reading/understanding.ts";
import type { Gazetteer } from "./gazetteer.ts";
import type { Release } from "./release.ts";

/**
 * Reads one release, which never changes. Every query throws a `DatabaseError`
 * if the database cannot be read.
 */
export interface ReleaseReader {
  /** Id, version, time and totals of the release. */
  readonly facts: Release;
  /** Finds the record of a CEP in one of its written forms. */
  find(cep: string): Promise<Address | undefined>;
  /**
   * Finds the record of eight digits as JSON text: synchronously from memory or
   * from a file.
   */
  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined>;
  /** Returns the first records of a prefix of up to eight digits. */
  list(prefix: string, limit: number): Promise<Listing>;
  /** Returns the places, which the first call reads into memory. */
  gazetteer(): Promise<Gazetteer>;
  /** Finds the changes of a CEP of eight digits. */
  history(cep: string): Promise<CepHistory>;
  /** Finds the last change of a CEP of eight digits. */
  lastChange(cep: string): Promise<CepChange | undefined>;
  /** Finds the addresses of a CEP of eight digits in the CNEFE. */
  census(cep: string): Promise<Census>;
  /**
   * Finds the records nearest to a place: none without the CNEFE.
   *
   * @throws {RangeError} If the place is not on the globe, or `limit` is not a
   * whole number.
   */
  nearest(query: NearestQuery): Promise<NearestPage>;
  /**
   * Searches for records by the words of their addresses.
   *
   * @throws {RangeError} If `after` is not a position of such a search.
   */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Finds the records of an address. */
  findAddress(query: AddressQuery): Promise<AddressPage>;
}

/** Record as JSON text. */
export interface Rendered {
  /** JSON of the record, with its fields in the order of `FIELDS`. */
  readonly json: string;
  /** Release of the record. */
  readonly release: Release;
  /** True if the record is from the snapshot in memory, not from a query. */
  readonly fromMemory: boolean;
}

/** First records of a prefix, and the number of all. */
export interface Listing {
  /** Number of all records of the prefix. */
  readonly total: number;
  /** First records, in order of CEP. */
  readonly data: Address[];
}

/** Addresses of a CEP in the CNEFE. */
export interface Census {
  /** Release that was read. */
  readonly release: Release;
  /** Counted addresses, `undefined` if the release has none for the CEP. */
  readonly row: CensusRow | undefined;
}

/** Change of a CEP between two releases. */
export interface CepChange {
  /** Changed CEP, eight digits. */
  readonly cep: string;
  /** CEP that replaced it, `null` if it was removed. */
  readonly successor: string | null;
  /** Version of the DNE that changed it, `""` if unknown. */
  readonly dneVersion: string;
  /** Time of the import that changed it, ISO 8601. */
  readonly seededAt: string;
}

/** Changes of a CEP, and those that led to it. */
export interface CepHistory {
  /** Release that was read. */
  readonly release: Release;
  /** True if the release has a record of the CEP. */
  readonly isCurrent: boolean;
  /**
   * Changes of the CEP, of its successors and of the CEPs that it replaced, in
   * order of time.
   */
  readonly changes: readonly CepChange[];
  /**
   * Last change of the CEP, with its successor in this release; `undefined` if
   * the CEP never changed.
   */
  readonly last: CepChange | undefined;
}

/** Position in a list: the values by which it is sorted. */
export type Position = readonly (string | number)[];

/** Search for records. */
export interface SearchQuery {
  /** Words of an address in any order, or the first digits of a CEP. */
  readonly text: string;
  /** Abbreviation of the state of the records. */
  readonly uf?: string;
  /** Municipality, district or village of the records. */
  readonly city?: string;
  /** Neighbourhood of the records. */
  readonly neighbourhood?: string;
  /** Building number, which must be on the stretch of a record with one. */
  readonly number?: string;
  /** Maximum number of results. */
  readonly limit: number;
  /** Position after which the results begin: `next` of the previous page. */
  readonly after?: Position;
  /**
   * Completes the last word, for a query that is still being typed.
   *
   * @default {true}
   */
  readonly prefix?: boolean;
  /**
   * Finds only streets with all words in their names.
   *
   * @default {false}
   */
  readonly streets?: boolean;
}

/** Results of a search. */
export interface SearchPage {
  /** Release that was searched. */
  readonly release: Release;
  /** Number of all results, `null` if it is not cheap to count them. */
  readonly total: number | null;
  /** Results, best first. */
  readonly data: readonly SearchResult[];
  /** Position of the last result, `null` on the last page. */
  readonly next: Position | null;
}

/** Result of a search. */
export interface SearchResult {
  /** Eight digits. */
  readonly cep: string;
  /** JSON of the record, with its fields in the order of `FIELDS`. */
  readonly json: string;
  /**
   * Building numbers that the census saw, absent if the DNE has a stretch or
   * nothing is known.
   */
  readonly seen?: SeenNumbers;
  /** Alternative name by which the street was found, e.g. an old one. */
  readonly foundName?: string;
}

/** Query for the record of an address. */
export interface AddressQuery {
  /** Free text, `""` if all parts are known. */
  readonly text: string;
  /** Parts that are known. */
  readonly parts: Partial<AddressParts>;
  /** CEP that replaced that of the address. */
  readonly successor?: string;
  /** Maximum number of other records. */
  readonly limit: number;
  /**
   * True for one of many addresses, which takes turns with searches.
   *
   * @default {false}
   */
  readonly inBulk?: boolean;
}

/** Records of an address. */
export interface AddressPage {
  /** Release that was searched. */
  readonly release: Release;
  /** The address, as it was read. */
  readonly parts: AddressParts;
  /** Probability that {@linkcode best} is meant, from 0 to 1. */
  readonly probability: number;
  /** Work of the search, as a share of the most that one may take: 0 to 1. */
  readonly work: number;
  /** The record that is most likely meant, `undefined` if none is. */
  readonly best: AddressResult | undefined;
  /** CEPs of other records that may be meant, the likeliest first. */
  readonly others: readonly string[];
}

/** Record of an address. */
export interface AddressResult extends SearchResult {
  /** Parts of the address that agree with the record, and that do not. */
  readonly agreements: Agreements;
}

/** Query for the records nearest to a place. */
export interface NearestQuery {
  /** Latitude in degrees, from -90 to 90. */
  readonly latitude: number;
  /** Longitude in degrees, from -180 to 180. */
  readonly longitude: number;
  /** Maximum number of records. */
  readonly limit: number;
}

/** Records nearest to a place. */
export interface NearestPage {
  /** Release that was read. */
  readonly release: Release;
  /**
   * Records with a place, the nearest one first; those at the same distance in
   * order of CEP.
   */
  readonly data: readonly NearestRecord[];
}

/** Record, and its distance from a place. */
export interface NearestRecord {
  /** Eight digits. */
  readonly cep: string;
  /** JSON of the record, with its fields in the order of `FIELDS`. */
  readonly json: string;
  /** Distance in metres on the mean sphere. */
  readonly distance: number;
}
