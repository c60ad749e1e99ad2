import type { Address } from "../record/address.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { attempt, failure } from "../release/connection.ts";
import { LocalSearches } from "../search/local_searches.ts";
import type { SearchPlace } from "../search/search_calls.ts";
import { Turns } from "../util/turns.ts";
import type { Gazetteer } from "../release/gazetteer.ts";
import type { OpenRelease } from "../release/open_release.ts";
import type { EndSignal } from "../release/release_parts.ts";
import type { SharedParts } from "../release/shared_parts.ts";
import { isWorkerd } from "../util/workerd.ts";
import type {
  AddressPage,
  AddressQuery,
  Census,
  CepChange,
  CepHistory,
  DatabaseError,
  Dump,
  Listing,
  MemoryPart,
  NearestPage,
  NearestQuery,
  Release,
  Rendered,
  SearchLoad,
  SearchPage,
  SearchQuery,
  Staging,
  Store,
} from "./store.ts";

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

  /** Handles a failed read. Returns true if it should be repeated. */
  protected recover(_error: unknown): Promise<boolean> {
    return Promise.resolve(false);
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

  release(): Promise<Release | undefined> {
    return this.#read((current) => current.facts);
  }

  find(cep: string): Promise<Address | undefined> {
    return this.#read((current) => current.find(cep));
  }

  findJson(cep: string): Rendered | undefined | Promise<Rendered | undefined> {
    const prepared = this.prepareRead();
    if (prepared !== undefined) {
      return prepared.then(() =>
        this.#readPrepared((current) => current.findJson(cep))
      );
    }
    try {
      const found = this.#requireCurrent()?.findJson(cep);
      return found instanceof Promise
        ? found.catch((error) =>
          this.#readAgain(error, (current) => current.findJson(cep))
        )
        : found;
    } catch (cause) {
      throw failure("Cannot read the database", cause);
    }
  }

  async list(prefix: string, limit: number): Promise<Listing> {
    const listing = await this.#read((current) => current.list(prefix, limit));
    return listing ?? { total: 0, data: [] };
  }

  gazetteer(): Promise<Gazetteer | undefined> {
    return this.#read((current) => current.gazetteer());
  }

  census(cep: string): Promise<Census | undefined> {
    return this.#read((current) => current.census(cep));
  }

  async *scan(): AsyncGenerator<Address[]> {
    const dump = await this.dump();
    if (dump === undefined) return;
    for await (const page of dump.pages) {
      yield page.map((json) => JSON.parse(json));
    }
  }

  dump(): Promise<Dump | undefined> {
    return this.#read((current) => ({
      release: current.facts,
      pages: this.#readPages(current.dump()),
      census: this.#readPages(current.censusRows()),
    }));
  }

  async *#readPages<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
    while (true) {
      const page = await attempt("Cannot read the database", () => {
        this.requireOpen();
        return pages.next();
      });
      if (page.done) return;
      yield page.value;
    }
  }

  history(cep: string): Promise<CepHistory | undefined> {
    return this.#read((current) => current.history(cep));
  }

  lastChange(cep: string): Promise<CepChange | undefined> {
    return this.#read((current) => current.lastChange(cep));
  }

  async nearest(query: NearestQuery): Promise<NearestPage | undefined> {
    requireNearestQuery(query);
    return await this.#read((current) => current.nearest(query));
  }

  search(query: SearchQuery): Promise<SearchPage | undefined> {
    return this.#read((current) => current.search(query)).catch((error) => {
      // The fault of the caller, not of the database.
      throw error.cause instanceof RangeError ? error.cause : error;
    });
  }

  findAddress(query: AddressQuery): Promise<AddressPage | undefined> {
    return this.#read((current) => current.findAddress(query));
  }

  async #read<T>(
    action: (current: OpenRelease) => T | Promise<T>,
  ): Promise<T | undefined> {
    await this.prepareRead();
    return await this.#readPrepared(action);
  }

  async #readPrepared<T>(
    action: (current: OpenRelease) => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      const current = this.#requireCurrent();
      return current && await action(current);
    } catch (error) {
      return await this.#readAgain(error, action);
    }
  }

  async #readAgain<T>(
    error: unknown,
    action: (current: OpenRelease) => T | Promise<T>,
  ): Promise<T | undefined> {
    return await attempt("Cannot read the database", async () => {
      if (!await this.recover(error)) throw error;
      const current = this.#requireCurrent();
      return current && await action(current);
    });
  }

  /** Release in use, `undefined` while the database is empty. */
  #requireCurrent(): OpenRelease | undefined {
    this.requireOpen();
    if (this.current === undefined && this.#problem) throw this.#problem;
    return this.current;
  }

  close(): Promise<void> {
    this.beginClose();
    this.current?.close();
    this.current = undefined;
    return Promise.resolve();
  }
}

function localSearches(): SearchPlace {
  // The requests of workerd must not wait for each other.
  return new LocalSearches(
    isWorkerd() ? undefined : new Turns(() => performance.now()),
  );
}

function requireNearestQuery(
  { latitude, longitude, limit }: NearestQuery,
): void {
  // NaN is in no range.
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    throw new RangeError(
      `Cannot find records near ${latitude}, ${longitude}: it is not on the ` +
        "globe",
    );
  }
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new RangeError(
      `Cannot find ${limit} records: the limit must be a whole number`,
    );
  }
}
