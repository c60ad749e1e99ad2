import type { Address } from "../record/address.ts";
import type { CensusRow } from "../record/census.ts";
import type { Gazetteer } from "../release/gazetteer.ts";
import type {
  AddressPage,
  AddressQuery,
  Census,
  CepChange,
  CepHistory,
  Listing,
  NearestPage,
  NearestQuery,
  ReleaseReader,
  Rendered,
  SearchPage,
  SearchQuery,
} from "../release/queries.ts";
import type { Release } from "../release/release.ts";
import type { Staging } from "../release/staging.ts";
import type { SearchLoad } from "../search/search_calls.ts";

export {
  BusyError,
  DatabaseError,
  OutdatedError,
  UnreachableError,
} from "../release/errors.ts";
export type * from "../release/queries.ts";
export type { DataSource, Release, ReleaseFacts } from "../release/release.ts";
export type * from "../release/staging.ts";
export type { SearchLoad };

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

/** Part of a release that is loaded into memory. */
export type MemoryPart = "snapshot" | "search" | "points";

/**
 * Reads records. Every call reads from one release; a new release is noticed
 * within a second.
 */
export interface Reader {
  /**
   * Reads from one release: all queries of `action` see the same records, even
   * if another release is published meanwhile. The result is synchronous if
   * that of `action` is and no server must be asked for a new release.
   *
   * ```ts
   * import { openStore } from "@carteiro/cep/store";
   *
   * const store = await openStore({ path: ":memory:" });
   * const names = await store.read(async (release) => {
   *   const places = await release.gazetteer();
   *   return places.municipalities("SP").map(({ name }) => name);
   * });
   * console.assert(names === undefined); // Nothing has been imported.
   * await store.close();
   * ```
   *
   * @param action Reads from the release. It is called again with the new
   * release if it fails after the other one was replaced.
   * @returns The result of `action`, `undefined` before the first import.
   * @throws {DatabaseError} If the database cannot be read.
   */
  read<T>(
    action: (release: ReleaseReader) => T | Promise<T>,
  ): T | undefined | Promise<T | undefined>;
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
