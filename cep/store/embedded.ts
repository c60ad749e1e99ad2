/**
 * Embedded stores, in a file or in memory.
 *
 * @module
 */
import { clearInterval, setInterval } from "node:timers";
import type { Address } from "../address.ts";
import type { CodeSet } from "../code_set.ts";
import { defaultLogger, type Logger } from "../logger.ts";
import { reasonOf } from "../reason_of.ts";
import {
  attempt,
  connect,
  connectImmutable,
  type Connection,
  failure,
} from "./driver.ts";
import {
  EmbeddedStaging,
  type Present,
  type StagingTarget,
} from "./embedded_staging.ts";
import { type FileKind, readFileKind } from "./file_header.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { anotherImport } from "./lock.ts";
import { OpenRelease } from "./open_release.ts";
import { releaseName } from "./release_name.ts";
import { ReleaseDirectory, type ReleaseFile } from "./release_directory.ts";
import {
  type CepHistory,
  DatabaseError,
  type Dump,
  type Listing,
  type Release,
  type Rendered,
  type SearchPage,
  type SearchQuery,
  type Staging,
  type Store,
} from "./store.ts";

/** Options of {@linkcode openStore}. */
export interface OpenStoreOptions {
  /**
   * Folder of the release file, or `:memory:` for a database in memory. An
   * import creates the folder.
   *
   * @default {"./data"}
   */
  readonly path?: string;
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
   * Logger of new releases, and of releases that cannot be used.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
}

/** Number of polls after which an unusable file is tried again. */
const LOOKS_PER_RETRY = 40;

/**
 * Opens the embedded database. A folder without a release is an empty database.
 * If the folder cannot be read, or its release cannot be used, the calls that
 * need it throw.
 *
 * @example
 * ```ts
 * import { openStore } from "@carteiro/cep/store";
 *
 * const store = await openStore({ path: ":memory:" });
 * console.assert(await store.release() === undefined);
 * await store.close();
 * ```
 */
export async function openStore(
  { path = "./data", ...options }: OpenStoreOptions = {},
): Promise<Store> {
  return path === ":memory:"
    ? new MemoryStore(options)
    : await openStoreIn(new ReleaseDirectory(path), options);
}

/** Options of {@linkcode openStoreIn}. */
export interface FileStoreOptions extends Omit<OpenStoreOptions, "path"> {
  /**
   * Milliseconds between two polls for a new release.
   *
   * @default {250}
   */
  readonly lookMs?: number;
}

/** Opens the database of a directory. */
export async function openStoreIn(
  directory: ReleaseDirectory,
  options: FileStoreOptions = {},
): Promise<Store> {
  const store = new FileStore(directory, options);
  await store.start();
  return store;
}

/** Reading half: every call reads from one release. */
abstract class EmbeddedStore implements Store {
  protected readonly logger: Logger;
  protected closed = false;
  protected current: OpenRelease | undefined;
  readonly #useSnapshot: boolean;
  readonly #useSearch: boolean;
  #problem: DatabaseError | undefined;

  constructor(
    { snapshot = true, search = true, logger = defaultLogger() }:
      OpenStoreOptions,
  ) {
    this.#useSnapshot = snapshot;
    this.#useSearch = search;
    this.logger = logger;
  }

  abstract stage(holder: string): Promise<Staging>;

  /** Switches to another release. */
  protected async adopt(release: OpenRelease): Promise<void> {
    if (this.#useSnapshot) await this.#loadSnapshot(release);
    if (this.#useSearch) await this.#loadSearch(release);
    // The previous one is not closed, because calls in progress still read it.
    this.current = release;
    this.#problem = undefined;
  }

  async #loadSnapshot(release: OpenRelease): Promise<void> {
    try {
      await release.loadSnapshot();
    } catch (error) {
      this.logger.warn("Cannot use the snapshot, records are read by queries", {
        error: reasonOf(error),
      });
    }
  }

  async #loadSearch(release: OpenRelease): Promise<void> {
    try {
      await release.loadSearch();
    } catch (error) {
      this.logger.warn("Cannot use the search index, searches will fail", {
        error: reasonOf(error),
      });
    }
  }

  /**
   * Sets the reason why the current file cannot be used, `undefined` if it can.
   * The previous release stays in use.
   *
   * @returns True if the reason has changed.
   */
  protected setProblem(problem: DatabaseError | undefined): boolean {
    const isNew = problem?.message !== this.#problem?.message;
    this.#problem = problem;
    return isNew;
  }

  /**
   * Throws after `close`, because the statements of the driver would still
   * work.
   */
  protected requireOpen(): void {
    if (this.closed) throw new Error("it is closed");
  }

  release(): Promise<Release | undefined> {
    return this.#read((current) => current.facts);
  }

  find(cep: string): Promise<Address | undefined> {
    return this.#read((current) => current.find(cep));
  }

  findJson(cep: string): Rendered | undefined {
    try {
      return this.#requireCurrent()?.findJson(cep);
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
    }));
  }

  async *#readPages<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
    while (true) {
      const page = await this.#read(() => pages.next());
      if (page === undefined || page.done) return;
      yield page.value;
    }
  }

  history(cep: string): Promise<CepHistory | undefined> {
    return this.#read((current) => current.history(cep));
  }

  search(query: SearchQuery): Promise<SearchPage | undefined> {
    return this.#read((current) => current.search(query)).catch((error) => {
      // The fault of the caller, not of the database.
      throw error.cause instanceof RangeError ? error.cause : error;
    });
  }

  async #read<T>(
    action: (current: OpenRelease) => T | Promise<T>,
  ): Promise<T | undefined> {
    return await attempt("Cannot read the database", () => {
      const current = this.#requireCurrent();
      return current && action(current);
    });
  }

  /** Release in use, `undefined` while the database is empty. */
  #requireCurrent(): OpenRelease | undefined {
    this.requireOpen();
    if (this.current === undefined && this.#problem) throw this.#problem;
    return this.current;
  }

  close(): Promise<void> {
    this.closed = true;
    this.current?.close();
    this.current = undefined;
    return Promise.resolve();
  }
}

/** Store whose release is a file in a folder. */
class FileStore extends EmbeddedStore {
  readonly #directory: ReleaseDirectory;
  readonly #lookMs: number;
  /** File that was opened last. */
  #mark: string | undefined;
  /** Last file that could not be used. */
  #refusedMark: string | undefined;
  #looks = 0;
  /** End of the polls and publications so far. */
  #turns: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    directory: ReleaseDirectory,
    { lookMs = 250, ...options }: FileStoreOptions,
  ) {
    super(options);
    this.#directory = directory;
    this.#lookMs = lookMs;
  }

  /** Opens the current release, and polls for a new one. */
  async start(): Promise<void> {
    await this.#look();
    let looking = false;
    this.#timer = setInterval(() => {
      // A poll may take longer than the interval.
      if (looking) return;
      looking = true;
      this.#look(this.logger).finally(() => looking = false);
    }, this.#lookMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }

  /** Runs a poll or a publication after those before it. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    const turn = this.#turns.then(action);
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /**
   * Polls for a new release.
   *
   * @param logger Logger of the result, unless the caller handles it.
   */
  #look(logger?: Logger): Promise<void> {
    return this.#inTurn(() => this.#openPresent(logger))
      .catch(() => {}); // The logger may throw.
  }

  async #openPresent(logger: Logger | undefined): Promise<void> {
    if (this.closed) return;
    this.#looks++;
    let file: ReleaseFile | undefined;
    try {
      file = await this.#directory.present();
      if (file === undefined || file.mark === this.#mark) {
        this.setProblem(undefined);
        return;
      }
      const isRetry = this.#looks % LOOKS_PER_RETRY === 0;
      if (file.mark === this.#refusedMark && !isRetry) return;
      refuseUnusable(file.path, await readFileKind(file.path));
      const release = await openFile(file.path);
      await this.adopt(release);
      this.#mark = file.mark;
      this.#refusedMark = undefined;
      logger?.info("Opened a new release", describe(release.facts));
    } catch (cause) {
      // If the file has been replaced in the meantime, the next poll handles
      // it.
      const present = await this.#directory.present().catch(() => file);
      if (present?.mark !== file?.mark) return;
      this.#refusedMark = file?.mark;
      const problem = failure("Cannot read the database", cause);
      if (!this.setProblem(problem)) return;
      logger?.error("Cannot use the database, the last release stays in use", {
        error: problem.message,
      });
    }
  }

  async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      const unlock = await this.#directory.lock(holder);
      const path = this.#directory.newPath();
      const target = this.#toTarget(path, unlock);
      let present: Present | undefined;
      let connection: Connection | undefined;
      try {
        present = await this.#readPresent();
        connection = await connect(path);
        return await EmbeddedStaging.begin(connection, present, target);
      } catch (error) {
        present?.close();
        connection?.close();
        await target.discard();
        throw error;
      }
    });
  }

  /** Opens the release that the next one replaces. */
  async #readPresent(): Promise<Present | undefined> {
    const present = await openPresent(this.#directory);
    if (present === undefined) {
      const file = await this.#directory.present();
      if (file !== undefined) {
        this.logger.warn(
          "Cannot read the current release, the import is not compared with it",
          { file: file.path },
        );
      }
      return undefined;
    }
    return {
      facts: present.facts,
      rows: present.rows,
      history: await present.historyRows().catch((error) =>
        this.#warnOfHistory(error)
      ),
      missingFrom: (codes) =>
        present.rows.missingFrom(codes).catch((error) =>
          this.#warnOfHistory(error)
        ),
      close: () => present.close(),
    };
  }

  /** Logs damage of the current release that no import may fail from. */
  #warnOfHistory(error: unknown): [] {
    this.logger.warn("Cannot read the history of replaced CEPs, it is lost", {
      error: reasonOf(error),
    });
    return [];
  }

  #toTarget(path: string, unlock: () => Promise<void>): StagingTarget {
    return {
      reopen: async (connection) => {
        // Without this, the driver would keep the lock until garbage
        // collection.
        await connection.exec(
          "PRAGMA locking_mode = NORMAL; SELECT id FROM release",
        );
        connection.close();
        return await connectImmutable(path);
      },
      publish: async (connection) => {
        connection.close();
        // A poll in between would log the release as that of another store.
        await this.#inTurn(async () => {
          await this.#directory.publish(path);
          await unlock();
          await this.#openPresent(undefined);
        });
      },
      discard: async () => {
        try {
          await this.#directory.discard(path);
        } finally {
          await unlock();
        }
      },
    };
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    this.closed = true;
    await this.#turns;
    await super.close();
  }
}

async function openFile(path: string): Promise<OpenRelease> {
  const connection = await connectImmutable(path);
  try {
    return await OpenRelease.open(connection);
  } catch (cause) {
    connection.close();
    throw failure(`Cannot open database "${path}"`, cause);
  }
}

/** Opens the current release file, if it can be read. */
async function openPresent(
  directory: ReleaseDirectory,
): Promise<OpenRelease | undefined> {
  const file = await directory.present();
  if (file === undefined || await readFileKind(file.path) !== "release") {
    return undefined;
  }
  try {
    return await openFile(file.path);
  } catch {
    return undefined; // A damaged file is replaced.
  }
}

const UNUSABLE: Readonly<Record<Exclude<FileKind, "release">, string>> = {
  empty: "it is empty; restore it, or import the DNE with MODE=seed",
  damaged: "it is incomplete; restore it, or import the DNE with MODE=seed",
  older: "it was written by an older version of this program; import the DNE " +
    "again with MODE=seed",
  newer: "it was written by a newer version of this program; install that " +
    "version, or set DB_PATH to another folder",
  foreign: "it is not a database of this program; set DB_PATH to another " +
    "folder",
};

function refuseUnusable(path: string, kind: FileKind): void {
  if (kind === "release") return;
  throw new DatabaseError(`Cannot open database "${path}": ${UNUSABLE[kind]}`);
}

/** Store in memory. */
class MemoryStore extends EmbeddedStore {
  /** Name of the running import. */
  #holder: string | undefined;

  async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      if (this.#holder !== undefined) throw anotherImport(this.#holder);
      this.#holder = holder;
      try {
        const connection = await connect(":memory:");
        const { current } = this;
        const present = current && {
          facts: current.facts,
          rows: current.rows,
          history: await current.historyRows(),
          missingFrom: (codes: CodeSet) => current.rows.missingFrom(codes),
          close: () => {}, // The release stays in use.
        };
        return await EmbeddedStaging.begin(connection, present, {
          reopen: () => Promise.resolve(connection),
          publish: async () => {
            await this.adopt(await OpenRelease.open(connection));
            this.#holder = undefined;
          },
          discard: () => {
            this.#holder = undefined;
            return Promise.resolve();
          },
        });
      } catch (error) {
        this.#holder = undefined;
        throw error;
      }
    });
  }
}

function describe(release: Release): Record<string, unknown> {
  return {
    release: releaseName(release),
    dne_version: release.dneVersion,
    seeded_at: release.seededAt,
    total_ceps: release.totalCeps,
  };
}
