import type { AddressParts } from "../record/address_parts.ts";
import type { Agreements } from "../search/reading/understanding.ts";
import type { Address } from "../record/address.ts";
import type { CensusRow } from "../record/census.ts";
import type { SearchLoad } from "../search/search_calls.ts";
import type { SeenNumbers } from "../record/seen_numbers.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../record/entry.ts";
import type { Gazetteer } from "../release/gazetteer.ts";

/** Result of an import: a complete, immutable set of records. */
export interface Release {
  /** Random 32-bit number that identifies the release. */
  readonly id: number;
  /** Version of the DNE in its LEIAME.TXT, `""` if unknown. */
  readonly dneVersion: string;
  /** Time of the import, ISO 8601. */
  readonly seededAt: string;
  /** Number of records. */
  readonly totalCeps: number;
  /** Number of records by state. */
  readonly totalByState: Readonly<Record<string, number>>;
  /** Number of records by source file. */
  readonly totalByFile: Readonly<Record<string, number>>;
  /** Optional files that were imported, e.g. `LOG_NUM_SEC.TXT`. */
  readonly optionalFiles: readonly string[];
  /** Sources of the data. */
  readonly sources: readonly DataSource[];
  /** Number of CEPs in the CNEFE, 0 without it. */
  readonly totalCensus: number;
}

/** Source of data: the DNE of Correios, or the CNEFE of IBGE. */
export type DataSource = "dne" | "cnefe";

/** Addresses of a CEP in the CNEFE. */
export interface Census {
  /** Release that was read. */
  readonly release: Release;
  /** Counted addresses, `undefined` if the release has none for the CEP. */
  readonly row: CensusRow | undefined;
}

/** Age of data that follow another place: a primary, or release files. */
export interface Freshness {
  /**
   * Time of the last comparison with that place, ISO 8601: the data were the
   * current ones then. It is `null` if unknown.
   */
  readonly syncedAt: string | null;
  /** Reason why the last attempt failed; absent after a success. */
  readonly error?: string;
}

/** First records of a prefix, and the number of all. */
export interface Listing {
  /** Number of all records of the prefix. */
  readonly total: number;
  /** First records, in order of CEP. */
  readonly data: Address[];
}

/** All records of one release, as JSON texts. */
export interface Dump {
  /** Release of the records. */
  readonly release: Release;
  /** Records in batches, in order of CEP. It can be iterated over once. */
  readonly pages: AsyncIterable<string[]>;
  /**
   * Rows of the CNEFE in batches, in order of CEP. It can be iterated over once.
   */
  readonly census: AsyncIterable<CensusRow[]>;
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

export type { SearchLoad };

/** Part of a release that is loaded into memory. */
export type MemoryPart = "snapshot" | "search" | "points";

/**
 * Reads records. Every call reads from one release; a new release is noticed
 * within a second.
 */
export interface Reader {
  /**
   * Returns the current release, `undefined` before the first import. Cheap
   * enough to call on every request.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  release(): Promise<Release | undefined>;
  /**
   * Returns the age of the data, `undefined` if they follow no other place.
   */
  freshness?(): Freshness | undefined;
  /**
   * Returns the parts of the current release that are damaged or missing.
   * Without the snapshot, records are read by queries; without the search,
   * searches fail. The points are read by the first call of `nearest`, which
   * fails if they are damaged.
   */
  missingParts?(): readonly MemoryPart[];
  /** Returns the load of the searches, of all releases so far. */
  searchLoad?(): SearchLoad;
  /**
   * Finds the record of a CEP in one of its written forms. It is `undefined`
   * for an unknown CEP and for any other text.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  find(cep: string): Promise<Address | undefined>;
  /**
   * Finds the record of eight digits as JSON text. The result may be
   * synchronous, because a promise would make a response a tenth slower.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined>;
  /**
   * Returns the first records of a prefix of up to eight digits, `""` for all.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  list(prefix: string, limit: number): Promise<Listing>;
  /**
   * Iterates over all records of the current release, in batches and in order
   * of CEP.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  scan(): AsyncIterable<Address[]>;
  /**
   * Returns all records of the current release as JSON texts, to be read in
   * batches, `undefined` before the first import.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  dump(): Promise<Dump | undefined>;
  /**
   * Returns the places of the current release, `undefined` before the first
   * import. The first call of a release reads them into memory.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  gazetteer(): Promise<Gazetteer | undefined>;
  /**
   * Finds the changes of a CEP of eight digits. The result is `undefined` before
   * the first import.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  history(cep: string): Promise<CepHistory | undefined>;
  /**
   * Finds the last change of a CEP of eight digits, with its successor in the
   * current release. The result is `undefined` if the CEP never changed.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  lastChange(cep: string): Promise<CepChange | undefined>;
  /**
   * Finds the addresses of a CEP of eight digits in the CNEFE. The result is
   * `undefined` before the first import.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  census(cep: string): Promise<Census | undefined>;
  /**
   * Finds the records nearest to a place: none in a release without the CNEFE.
   * The first call of a release reads all points into memory.
   *
   * @returns The records, `undefined` before the first import.
   * @throws {RangeError} If the place is not on the globe, or `limit` is not a
   * whole number.
   * @throws {DatabaseError} If the database cannot be read, or its points are
   * damaged.
   */
  nearest(query: NearestQuery): Promise<NearestPage | undefined>;
  /**
   * Searches for records by the words of their addresses.
   *
   * @returns The results, `undefined` before the first import.
   * @throws {RangeError} If `after` is not a position of such a search.
   * @throws {DatabaseError} If the database cannot be read, or if it was opened
   * without the search index.
   */
  search(query: SearchQuery): Promise<SearchPage | undefined>;
  /**
   * Finds the records of an address.
   *
   * @returns The records, `undefined` before the first import.
   * @throws {DatabaseError} As `search` does.
   */
  findAddress(query: AddressQuery): Promise<AddressPage | undefined>;
  /**
   * Checks that records can be read. Without it, `list` does.
   *
   * @throws {DatabaseError} If they cannot.
   */
  check?(): Promise<void>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Replaces the data. */
export interface Writer {
  /**
   * Begins a new release. The current one stays in use until the new one is
   * published.
   *
   * @param holder Name of this import, shown if another one is started while it
   * runs.
   * @throws {DatabaseError} If another import is running, or the database
   * cannot be written or belongs to another program.
   */
  stage(holder: string): Promise<Staging>;
}

/** Database of CEPs. */
export interface Store extends Reader, Writer {}

/** Rows of the current release, from which an update makes the next one. */
export interface PresentRows {
  /** Checks the database, and describes the first damage. */
  findDamage(): Promise<string | undefined>;
  /** Returns all localities, in the order of their file. */
  localities(): Promise<Locality[]>;
  /** Returns all neighbourhoods. */
  neighbourhoods(): Promise<Neighbourhood[]>;
  /** Iterates over the rows of an optional file, in batches. */
  details(table: DetailTable): AsyncIterable<DetailRow[]>;
  /** Iterates over the rows of the CNEFE, in batches and in order of CEP. */
  census(): AsyncIterable<CensusRow[]>;
  /** Iterates over all entries, in batches and in order of CEP. */
  entries(): AsyncIterable<Entry[]>;
  /**
   * Iterates over the CEPs that the DNE has or had, in batches: those of its
   * entries, and those that were replaced or removed.
   */
  dneCodes(): AsyncIterable<number[]>;
  /** Returns the entries whose CEP belongs to another one. */
  duplicates(): Promise<Entry[]>;
  /** Finds the entries of all origins with these numbers. */
  findEntries(numbers: readonly number[]): Promise<Entry[]>;
  /** Returns the highest `order` of all entries, 0 without one. */
  lastOrder(): Promise<number>;
  /** Returns the changes of CEPs that are not known to the release. */
  unknownMoves(moves: readonly Move[], dneVersion: string): Promise<Move[]>;
}

/**
 * State of the current release at an import: `complete`; `partial` if it is
 * damaged or an older version of this program wrote it, so that some of its
 * rows may be read; `unreadable` if nothing of it can be read; or `missing`
 * before the first import.
 */
export type PresentState = "complete" | "partial" | "unreadable" | "missing";

/** New release that is being written. */
export interface Staging {
  /** State of the current release. */
  readonly presentState: PresentState;
  /** The current release, `undefined` if it is unreadable or missing. */
  readonly present: Release | undefined;
  /**
   * Rows of the current release, `undefined` if it is unreadable or missing.
   */
  readonly rows: PresentRows | undefined;
  /** Adds localities. All must be added before the first entry. */
  addLocalities(localities: readonly Locality[]): Promise<void>;
  /** Adds neighbourhoods. All must be added before the first entry in one. */
  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void>;
  /**
   * Adds rows of an optional file. All must be added before the first entry
   * with a neighbourhood.
   *
   * @returns The number of rows whose key an earlier row has.
   */
  addDetails(table: DetailTable, rows: readonly DetailRow[]): Promise<number>;
  /**
   * Adds rows of the CNEFE, in order of CEP. All must be added before the first
   * entry.
   */
  addCensus(rows: readonly CensusRow[]): Promise<void>;
  /** Adds entries with distinct CEPs. */
  addEntries(entries: readonly Entry[]): Promise<void>;
  /**
   * Adds entries whose CEP belongs to an entry with precedence, in order of
   * precedence, to replace an entry that an update deletes.
   */
  addDuplicates(entries: readonly Entry[]): Promise<void>;
  /**
   * Adds changes of CEPs. `publish` adds those that follow from the entries: a
   * CEP that the new release lacks was replaced by the CEP that its number in
   * the DNE has now, or was removed.
   */
  addMoves(moves: readonly Move[]): Promise<void>;
  /**
   * Checks the new release and makes it the current one.
   *
   * @param facts Facts to compare with the content of the release. The CNEFE
   * must be one of its sources if and only if rows of it were added.
   * @param report Report of the import, stored as JSON.
   * @throws {DatabaseError} If the content differs from the facts or cannot be
   * written. The current release stays in use.
   */
  publish(facts: ReleaseFacts, report: unknown): Promise<void>;
  /** Removes the new release. Has no effect after `publish`. */
  discard(): Promise<void>;
}

/** Facts of a release that the importer provides. */
export type ReleaseFacts = Pick<
  Release,
  "dneVersion" | "seededAt" | "totalByFile" | "optionalFiles" | "sources"
>;

/** Failure of the database. The error of the driver is the `cause`. */
export class DatabaseError extends Error {
  /** Always `DatabaseError`. */
  override readonly name = "DatabaseError";
}

/**
 * Failure to reach the database. A later call may succeed, and data in memory
 * stay in use.
 */
export class UnreachableError extends DatabaseError {}

/** Refusal of a search, because too many others wait. */
export class BusyError extends DatabaseError {}
