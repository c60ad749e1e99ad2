import type { CensusRow } from "../record/census.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../record/entry.ts";
import type { Release, ReleaseFacts } from "./release.ts";

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
