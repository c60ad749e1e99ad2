/**
 * Interface of a store of CEPs, independent of the database.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { Entry, Locality, Neighbourhood } from "../entry.ts";

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
}

/** First records of a prefix, and the number of all. */
export interface Listing {
  /** Number of all records of the prefix. */
  readonly total: number;
  /** First records, in order of CEP. */
  readonly data: Address[];
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

/** New release that is being written. */
export interface Staging {
  /** The current release, `undefined` without one. */
  readonly present: Release | undefined;
  /** Adds localities. All must be added before the first entry. */
  addLocalities(localities: readonly Locality[]): Promise<void>;
  /** Adds neighbourhoods. All must be added before the first entry in one. */
  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void>;
  /** Adds entries with distinct CEPs. */
  addEntries(entries: readonly Entry[]): Promise<void>;
  /**
   * Adds entries whose CEP belongs to an entry with precedence, in order of
   * precedence, to replace an entry that an update deletes.
   */
  addDuplicates(entries: readonly Entry[]): Promise<void>;
  /**
   * Checks the new release and makes it the current one.
   *
   * @param facts Facts to compare with the content of the release.
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
  "dneVersion" | "seededAt" | "totalByFile"
>;

/** Failure of the database. The error of the driver is the `cause`. */
export class DatabaseError extends Error {
  /** Always `DatabaseError`. */
  override readonly name = "DatabaseError";
}
