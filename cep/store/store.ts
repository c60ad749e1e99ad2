/**
 * What a database of postal codes does, wherever it lies.
 *
 * @module
 */
import type { Address, Entry, Locality, Neighbourhood } from "../address.ts";

/** What the database holds, as one import left it. */
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
}

/** A page of records and how many there are in all. */
export interface Listing {
  /** Number of all records that match. */
  readonly total: number;
  /** The first of them in the order of their codes. */
  readonly data: Address[];
}

/** The database of postal codes. */
export interface Store {
  /**
   * What the database holds now, `undefined` before the first import. Cheap
   * enough to be asked on every request; tells of an import by another process
   * within 250 ms.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  release(): Promise<Release | undefined>;
  /**
   * The record of eight digits.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  find(cep: string): Promise<Address | undefined>;
  /**
   * The first records whose code begins with 1 to 8 digits.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  list(prefix: string, limit: number): Promise<Listing>;
  /**
   * Begins to replace all data. What is staged shows only once it is
   * published; until then, and if it never is, the present data answers.
   *
   * @param holder Who does it, for whoever comes second.
   * @throws {DatabaseError} If another import is running or the database cannot
   * be written.
   */
  stage(holder: string): Promise<Staging>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** New data on its way into the database. */
export interface Staging {
  /** Adds localities. */
  addLocalities(localities: readonly Locality[]): Promise<void>;
  /** Adds neighbourhoods. */
  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void>;
  /** Adds records. Codes must not repeat. */
  addEntries(entries: readonly Entry[]): Promise<void>;
  /**
   * Replaces the present data with what was added, at once.
   *
   * @param report What is to be remembered of the import, as JSON.
   * @throws {DatabaseError} If the database cannot be written, with the present
   * data left as it is.
   */
  publish(
    release: Pick<Release, "dneVersion" | "seededAt">,
    report: unknown,
  ): Promise<void>;
  /** Forgets what was added. Harmless after `publish`. */
  discard(): Promise<void>;
}

/** A failure of the database. The driver's own error is the `cause`. */
export class DatabaseError extends Error {
  /** Always `DatabaseError`. */
  override readonly name = "DatabaseError";
}
