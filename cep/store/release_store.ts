import type { Address } from "../record/address.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { attempt, failure } from "../release/connection.ts";
import { LocalSearches, type SearchPlace } from "../search/search_calls.ts";
import { Turns } from "../util/turns.ts";
import type { Gazetteer } from "../release/gazetteer.ts";
import type { OpenRelease } from "../release/open_release.ts";
import type { EndSignal, SharedParts } from "../release/release_parts.ts";
import type { Present } from "../release/release_staging.ts";
import { requireNearestQuery } from "../release/release_points.ts";
import {
  type AddressPage,
  type AddressQuery,
  type Census,
  type CepChange,
  type CepHistory,
  DatabaseError,
  type Dump,
  type Listing,
  type MemoryPart,
  type NearestPage,
  type NearestQuery,
  type Release,
  type ReleaseReader,
  type Rendered,
  type SearchLoad,
  type SearchPage,
  type SearchQuery,
  type Staging,
  type Store,
} from "./store.ts";

const CANNOT_READ = "Cannot read the database";

/** Releases of which a read is tried, if each replaces the one before. */
const MAX_READS = 3;

/** Reads from a release. */
type ReleaseAction<T> = (release: ReleaseReader) => T | Promise<T>;

/** Options of every store. */
export interface ReleaseStoreOptions {
  /**
   * Serves records from a snapshot in memory, of about 40 MB per million.
   *
   * @default {true}
   */
  readonly snapshot?: boolean;
  /**
   * Loads the search index into memory, of about 30 MB per million.
   *
   * @default {true}
   */
  readonly search?: boolean;
  /**
   * Parts of releases that other threads read, too.
   *
   * @default {parts of this store alone}
   */
  readonly parts?: SharedParts | undefined;
  /**
   * Logger of new releases, and of releases that cannot be used.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
}

/** Options of every store that are not public. */
export interface SearchOptions {
  /**
   * Place where searches run.
   *
   * @default {the thread of the caller, in turns}
   */
  readonly searches?: SearchPlace | undefined;
}

/** Store that reads every call from one release. */
export abstract class ReleaseStore implements Store {
  protected readonly logger: Logger;
  protected current: OpenRelease | undefined;
  readonly #useSnapshot: boolean;
  readonly #useSearch: boolean;
  readonly #parts: SharedParts | undefined;
  readonly #searches: SearchPlace;
  #closed = false;
  /** Not an `AbortSignal`, which belongs to a single request in workerd. */
  readonly #closing: EndSignal = {
    throwIfAborted: () => this.requireOpen(),
  };
  #problem: DatabaseError | undefined;
  #missing: readonly MemoryPart[] = [];

  constructor(
    {
      snapshot = true,
      search = true,
      parts,
      searches = localSearches(),
      logger = defaultLogger(),
    }: ReleaseStoreOptions & SearchOptions,
  ) {
    this.#searches = searches;
    this.#parts = parts;
    this.#useSnapshot = snapshot;
    this.#useSearch = search;
    this.logger = logger;
  }

  /** True after {@linkcode close}, and during it. */
  protected get closed(): boolean {
    return this.#closed;
  }

  /** Fails the calls from now on, and ends the loading of a release. */
  protected beginClose(): void {
    this.#closed = true;
  }

  abstract stage(holder: string): Promise<Staging>;

  /**
   * Prepares a read. It is synchronous, `undefined`, if there is nothing to do.
   */
  protected prepareRead(): Promise<void> | undefined {
    return undefined;
  }

  /** Looks for a new release if a read failed because it was replaced. */
  protected recover(_error: unknown): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Returns true if a part of a release that could not be loaded is damaged, not
   * out of reach.
   */
  protected isDamage(_error: unknown): boolean {
    return true;
  }

  /**
   * Switches to another release. The parts that it lacks are logged, and
   * returned by {@linkcode missingParts}.
   *
   * @param options Refuses a release without a search index, if the current
   * one can be searched; `admit`, called when the release is loaded, keeps the
   * current one with `false`.
   */
  protected async adopt(
    release: OpenRelease,
    { keepsSearch = false, admit = () => true }: {
      readonly keepsSearch?: boolean;
      readonly admit?: () => boolean;
    } = {},
  ): Promise<void> {
    if (this.#parts) release.shareParts(this.#parts);
    const missing: MemoryPart[] = [];
    if (this.#useSnapshot && !await this.#loadSnapshot(release)) {
      missing.push("snapshot");
    }
    if (this.#useSearch) {
      const canSearch = this.current && !this.#missing.includes("search");
      const isNeeded = keepsSearch && canSearch === true;
      if (!await this.#loadSearch(release, isNeeded)) missing.push("search");
    }
    if (!admit()) return;
    const previous = this.current;
    this.current = release;
    this.#missing = missing;
    this.#problem = undefined;
    // It is not closed, because calls in progress still read it.
    if (previous !== release) previous?.retire();
  }

  async #loadSnapshot(release: OpenRelease): Promise<boolean> {
    try {
      await release.loadSnapshot(this.#closing);
      return true;
    } catch (error) {
      this.requireOpen();
      if (!this.isDamage(error)) throw error;
      this.logger.warn("Cannot use the snapshot, records are read by queries", {
        error: reasonOf(error),
      });
      return false;
    }
  }

  async #loadSearch(release: OpenRelease, isNeeded: boolean): Promise<boolean> {
    try {
      await release.loadSearch(this.#searches, this.#closing);
      return true;
    } catch (error) {
      this.requireOpen();
      if (!this.isDamage(error)) throw error;
      if (isNeeded) throw failure("Cannot use the search index", error);
      this.logger.warn("Cannot use the search index, searches will fail", {
        error: reasonOf(error),
      });
      return false;
    }
  }

  missingParts(): readonly MemoryPart[] {
    return this.current?.hasDamagedPoints
      ? [...this.#missing, "points"]
      : this.#missing;
  }

  searchLoad(): SearchLoad {
    return this.#searches.load;
  }

  /**
   * Sets the reason why the newest release cannot be used, `undefined` if it can.
   * The previous release stays in use.
   *
   * @returns True if the reason has changed.
   */
  protected setProblem(problem: DatabaseError | undefined): boolean {
    const isNew = problem?.message !== this.#problem?.message;
    this.#problem = problem;
    return isNew;
  }

  /** Reason why the newest release cannot be used, `undefined` if it can. */
  protected get problem(): DatabaseError | undefined {
    return this.#problem;
  }

  /**
   * Throws after `close`, because the statements of the driver would still
   * work.
   */
  protected requireOpen(): void {
    if (this.#closed) throw new Error("it is closed");
  }

  read<T>(
    action: ReleaseAction<T>,
  ): T | undefined | Promise<T | undefined> {
    const prepared = this.prepareRead();
    return prepared === undefined
      ? this.#readCurrent(action)
      : prepared.then(() => this.#readCurrent(action));
  }

  #readCurrent<T>(
    action: ReleaseAction<T>,
  ): T | undefined | Promise<T | undefined> {
    const release = this.#requireCurrent();
    if (release === undefined) return undefined;
    try {
      const result = action(release);
      return result instanceof Promise
        ? result.catch((error) => this.#readAgain(action, release, error))
        : result;
    } catch (error) {
      return this.#readAgain(action, release, error);
    }
  }

  /** Reads from the release that has replaced the one where a read failed. */
  async #readAgain<T>(
    action: ReleaseAction<T>,
    failed: OpenRelease,
    error: unknown,
  ): Promise<T> {
    for (let times = 1; times < MAX_READS; times++) {
      await this.recover(error);
      const { current } = this;
      if (current === undefined || current === failed) break;
      failed = current;
      try {
        return await action(current);
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }

  /** Release in use, `undefined` while the database is empty. */
  #requireCurrent(): OpenRelease | undefined {
    if (this.#closed) throw new DatabaseError(`${CANNOT_READ}: it is closed`);
    if (this.current === undefined && this.#problem) throw this.#problem;
    return this.current;
  }

  async release(): Promise<Release | undefined> {
    return await this.read(({ facts }) => facts);
  }

  async find(cep: string): Promise<Address | undefined> {
    return await this.read((release) => release.find(cep));
  }

  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined> {
    return this.read((release) => release.findJson(cep));
  }

  async list(prefix: string, limit: number): Promise<Listing> {
    const listing = await this.read((release) => release.list(prefix, limit));
    return listing ?? { total: 0, data: [] };
  }

  async gazetteer(): Promise<Gazetteer | undefined> {
    return await this.read((release) => release.gazetteer());
  }

  async census(cep: string): Promise<Census | undefined> {
    return await this.read((release) => release.census(cep));
  }

  async history(cep: string): Promise<CepHistory | undefined> {
    return await this.read((release) => release.history(cep));
  }

  async lastChange(cep: string): Promise<CepChange | undefined> {
    return await this.read((release) => release.lastChange(cep));
  }

  async nearest(query: NearestQuery): Promise<NearestPage | undefined> {
    requireNearestQuery(query); // Even of an empty database.
    return await this.read((release) => release.nearest(query));
  }

  async search(query: SearchQuery): Promise<SearchPage | undefined> {
    return await this.read((release) => release.search(query));
  }

  async findAddress(query: AddressQuery): Promise<AddressPage | undefined> {
    return await this.read((release) => release.findAddress(query));
  }

  async *scan(): AsyncGenerator<Address[]> {
    const dump = await this.dump();
    if (dump === undefined) return;
    for await (const page of dump.pages) {
      yield page.map((json) => JSON.parse(json));
    }
  }

  // Pages are read after the call, so it is no query of `ReleaseReader`.
  async dump(): Promise<Dump | undefined> {
    await this.prepareRead();
    const release = this.#requireCurrent();
    return release && {
      release: release.facts,
      pages: this.#readPages(release.dump()),
      census: this.#readPages(release.censusRows()),
    };
  }

  async *#readPages<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
    while (true) {
      const page = await attempt(CANNOT_READ, () => {
        this.requireOpen();
        return pages.next();
      });
      if (page.done) return;
      yield page.value;
    }
  }

  close(): Promise<void> {
    this.beginClose();
    this.current?.close();
    this.current = undefined;
    return Promise.resolve();
  }
}

/** Logs damage of the current release that no import may fail from. */
export function warnOfHistory(logger: Logger): (error: unknown) => [] {
  return (error) => {
    logger.warn("Cannot read the history of replaced CEPs, it is lost", {
      error: reasonOf(error),
    });
    return [];
  };
}

/** Returns a release as the next one sees it, which replaces it. */
export async function presentOf(
  release: OpenRelease,
  { onDamage, close = () => {} }: {
    /** Replaces rows that cannot be read. */
    readonly onDamage?: (error: unknown) => [];
    readonly close?: () => void;
  } = {},
): Promise<Present> {
  const { facts, rows } = release;
  return {
    state: "complete",
    facts,
    rows,
    history: await release.historyRows().catch(onDamage),
    missingFrom: (codes) => rows.missingFrom(codes).catch(onDamage),
    close,
  };
}

function localSearches(): SearchPlace {
  // The requests of workerd must not wait for each other.
  return new LocalSearches(
    isWorkerd() ? undefined : new Turns(() => performance.now()),
  );
}

/** True in `workerd`, whose requests must not wait for each other. */
export function isWorkerd(): boolean {
  return globalThis.navigator?.userAgent === "Cloudflare-Workers";
}
