/**
 * Contract of a store of postal codes, wherever it lies.
 *
 * @module
 */
import type { Address } from "../address.ts";
import type { Entry, Locality, Neighbourhood } from "../entry.ts";

/** Result of one import: a complete, immutable set of records. */
export interface Release {
  /** 32 random bits that name this data; another import has others. */
  readonly id: number;
  /** Version of the directory as its LEIAME.TXT tells it, else `""`. */
  readonly dneVersion: string;
  /** Time of the import, ISO 8601. */
  readonly seededAt: string;
  /** Number of records. */
  readonly totalCeps: number;
  /** Number of records by state. */
  readonly totalByState: Readonly<Record<string, number>>;
  /** Number of records by the directory's file they come from. */
  readonly totalByFile: Readonly<Record<string, number>>;
}

/** A page of records and how many there are in all. */
export interface Listing {
  /** Number of all records that match. */
  readonly total: number;
  /** The first of them in the order of their codes. */
  readonly data: Address[];
}

/** A record as JSON text. */
export interface Rendered {
  /** The record, its fields in the order of the answer. */
  readonly json: string;
  /** The release that the record is from. */
  readonly release: Release;
  /** True if it came from the snapshot in memory, without a query. */
  readonly fromMemory: boolean;
}

/**
 * Reads postal codes. Every call answers from one release; a new one is noticed
 * within a second.
 */
export interface Reader {
  /**
   * The present release, `undefined` before the first import. Cheap enough to
   * be asked on every request.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  release(): Promise<Release | undefined>;
  /**
   * The record of a code in one of its written forms; `undefined` for a code
   * that the release does not have, and for any other text.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  find(cep: string): Promise<Address | undefined>;
  /**
   * The record of eight digits as the text that HTTP answers; at once if it is
   * at hand, for a promise would cost a tenth of the time of an answer.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined>;
  /**
   * The first records whose code begins with up to 8 digits, `""` for all.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  list(prefix: string, limit: number): Promise<Listing>;
  /**
   * All records of the present release in the order of their codes, some at a
   * time.
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
   * Begins a new release beside the present one, which answers until the new
   * one is published, and stays if it never is.
   *
   * @param holder Name of the import, for the message to a second one.
   * @throws {DatabaseError} If another import is running, or the database
   * cannot be written or belongs to another program.
   */
  stage(holder: string): Promise<Staging>;
}

/** The database of postal codes. */
export interface Store extends Reader, Writer {}

/** A release in the making. */
export interface Staging {
  /** The release that the new one will replace, `undefined` without one. */
  readonly present: Release | undefined;
  /** Adds localities; all of them, before the first entry. */
  addLocalities(localities: readonly Locality[]): Promise<void>;
  /** Adds neighbourhoods; all of them, before the first entry in one. */
  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void>;
  /** Adds entries. Their codes must not repeat. */
  addEntries(entries: readonly Entry[]): Promise<void>;
  /**
   * Keeps entries whose code another entry has already, in the order of
   * precedence, so that an update which deletes the one can restore the other.
   */
  addDuplicates(entries: readonly Entry[]): Promise<void>;
  /**
   * Checks the new release and makes it the present one, at once.
   *
   * @param facts What the release is said to hold, which is compared with what
   * it holds.
   * @param report What is to be remembered of the import, as JSON.
   * @throws {DatabaseError} If the release does not hold what it should or
   * cannot be written. The present one stays.
   */
  publish(facts: ReleaseFacts, report: unknown): Promise<void>;
  /** Removes the release in the making. Harmless after `publish`. */
  discard(): Promise<void>;
}

/** Facts of a release that its import knows. */
export type ReleaseFacts = Pick<
  Release,
  "dneVersion" | "seededAt" | "totalByFile"
>;

/** A failure of the database. The driver's own error is the `cause`. */
export class DatabaseError extends Error {
  /** Always `DatabaseError`. */
  override readonly name = "DatabaseError";
}
