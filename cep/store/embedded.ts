/**
 * A store in a file beside the process, or in its memory.
 *
 * @module
 */
import { clearInterval, setInterval } from "node:timers";
import type { Address } from "../address.ts";
import { defaultLogger, type Logger } from "../logger.ts";
import { reasonOf } from "../reason_of.ts";
import {
  attempt,
  connect,
  connectImmutable,
  type Connection,
  failure,
} from "./driver.ts";
import { EmbeddedStaging, type StagingTarget } from "./embedded_staging.ts";
import { type FileKind, readFileKind } from "./file_header.ts";
import { anotherImport } from "./lock.ts";
import { OpenRelease } from "./open_release.ts";
import { releaseName } from "./release_name.ts";
import { ReleaseDirectory, type ReleaseFile } from "./release_directory.ts";
import type { Literal } from "./row_buffer.ts";
import {
  DatabaseError,
  type Listing,
  type Release,
  type Rendered,
  type Staging,
  type Store,
} from "./store.ts";

/** Options of {@linkcode openStore}. */
export interface OpenStoreOptions {
  /**
   * Directory of the release file, or `:memory:` for a database that ends with
   * the process. An import makes it if it does not exist.
   *
   * @default {"./data"}
   */
  readonly path?: string;
  /**
   * Keeps all records in memory and answers from there, which takes about 40 MB
   * a million.
   *
   * @default {true}
   */
  readonly snapshot?: boolean;
  /**
   * Logger of new releases, and of those that cannot be used.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
}

/** Milliseconds between two looks for a new release. */
const LOOK_MS = 250;

/** Looks after which a file that could not be used is tried again. */
const LOOKS_PER_RETRY = 40;

/**
 * Opens the embedded database. A directory without a release is an empty one,
 * and one that cannot be read, or whose release cannot be used, is an error of
 * the calls that need it.
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

/** Opens the database of a directory. */
export async function openStoreIn(
  directory: ReleaseDirectory,
  options: Omit<OpenStoreOptions, "path"> = {},
): Promise<Store> {
  const store = new FileStore(directory, options);
  await store.start();
  return store;
}

/** The reading half: every call answers from one release. */
abstract class EmbeddedStore implements Store {
  protected readonly logger: Logger;
  protected closed = false;
  protected current: OpenRelease | undefined;
  readonly #useSnapshot: boolean;
  #problem: DatabaseError | undefined;

  constructor(
    { snapshot = true, logger = defaultLogger() }: OpenStoreOptions,
  ) {
    this.#useSnapshot = snapshot;
    this.logger = logger;
  }

  abstract stage(holder: string): Promise<Staging>;

  /** Answers from another release from now on. */
  protected async adopt(release: OpenRelease): Promise<void> {
    if (this.#useSnapshot) await this.#loadSnapshot(release);
    // The one before is not closed: calls that are under way still read it.
    this.current = release;
    this.#problem = undefined;
  }

  async #loadSnapshot(release: OpenRelease): Promise<void> {
    try {
      await release.loadSnapshot();
    } catch (error) {
      this.logger.warn("Snapshot refused, records are answered by queries", {
        error: reasonOf(error),
      });
    }
  }

  /**
   * Notes why the present file cannot be used, if there is one; the last
   * release answers on.
   *
   * @returns Whether that is news.
   */
  protected note(problem: DatabaseError | undefined): boolean {
    const isNew = problem?.message !== this.#problem?.message;
    this.#problem = problem;
    return isNew;
  }

  /** The driver's statements outlive their database. */
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

  async *scan(): AsyncGenerator<Address[]> {
    const pages = await this.#read((current) => current.scan());
    while (pages !== undefined) {
      const page = await this.#read(() => pages.next());
      if (page === undefined || page.done) return;
      yield page.value;
    }
  }

  async #read<T>(
    action: (current: OpenRelease) => T | Promise<T>,
  ): Promise<T | undefined> {
    return await attempt("Cannot read the database", () => {
      const current = this.#requireCurrent();
      return current && action(current);
    });
  }

  /** Release that answers, `undefined` while the database is empty. */
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

/** A store whose release is a file in a directory. */
class FileStore extends EmbeddedStore {
  readonly #directory: ReleaseDirectory;
  /** The file that was opened last. */
  #mark: string | undefined;
  /** The file that could not be used last. */
  #refusedMark: string | undefined;
  #looks = 0;
  #looking: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(directory: ReleaseDirectory, options: OpenStoreOptions) {
    super(options);
    this.#directory = directory;
  }

  /** Opens the present release, and looks for another one from then on. */
  async start(): Promise<void> {
    await this.#look();
    let looking = false;
    this.#timer = setInterval(() => {
      if (looking) return; // The disk may be slow.
      looking = true;
      this.#look(this.logger).finally(() => looking = false);
    }, LOOK_MS);
    // A process may end without closing the store.
    this.#timer.unref();
  }

  /**
   * Looks for another release, after the look that is under way.
   *
   * @param logger Told of what is found, unless the caller knows.
   */
  #look(logger?: Logger): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#openPresent(logger))
      .catch(() => {}); // of the caller's logger
    return this.#looking;
  }

  async #openPresent(logger: Logger | undefined): Promise<void> {
    if (this.closed) return;
    this.#looks++;
    let file: ReleaseFile | undefined;
    try {
      file = await this.#directory.present();
      if (file === undefined || file.mark === this.#mark) {
        this.note(undefined);
        return;
      }
      const retries = this.#looks % LOOKS_PER_RETRY === 0;
      if (file.mark === this.#refusedMark && !retries) return;
      refuseUnusable(file.path, await readFileKind(file.path));
      const release = await openFile(file.path);
      await this.adopt(release);
      this.#mark = file.mark;
      this.#refusedMark = undefined;
      logger?.info("Opened a new release", describe(release.facts));
    } catch (cause) {
      // A file that was replaced meanwhile is left to the next look.
      const present = await this.#directory.present().catch(() => file);
      if (present?.mark !== file?.mark) return;
      this.#refusedMark = file?.mark;
      const problem = failure("Cannot read the database", cause);
      if (!this.note(problem)) return;
      logger?.error("Database refused, the release before answers on", {
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
      let connection: Connection | undefined;
      try {
        const { facts, history } = await this.#readPresent();
        connection = await connect(path);
        return await EmbeddedStaging.begin(connection, facts, history, target);
      } catch (error) {
        connection?.close();
        await target.discard();
        throw error;
      }
    });
  }

  /** Reads what the next release takes over, as far as it can be read. */
  async #readPresent(): Promise<Present> {
    const present = await openPresent(this.#directory);
    if (present === undefined) {
      const file = await this.#directory.present();
      if (file !== undefined) {
        this.logger.warn(
          "Present database unreadable, the import is not compared with it",
          { file: file.path },
        );
      }
      return NOTHING_PRESENT;
    }
    const { facts } = present;
    try {
      return { facts, history: await present.history() };
    } catch (error) {
      this.logger.warn("History of replaced CEPs lost, it cannot be read", {
        error: reasonOf(error),
      });
      return { facts, history: [] };
    } finally {
      present.close();
    }
  }

  #toTarget(path: string, unlock: () => Promise<void>): StagingTarget {
    return {
      reopen: async (connection) => {
        // The driver closes the file when the garbage is collected, and would
        // keep its lock until then.
        await connection.exec(
          "PRAGMA locking_mode = NORMAL; SELECT id FROM release",
        );
        connection.close();
        return await connectImmutable(path);
      },
      publish: async (connection) => {
        connection.close();
        await this.#directory.publish(path);
        await unlock();
        await this.#look();
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
    await this.#looking;
    await super.close();
  }
}

/** Facts and history that a release takes over from the one before. */
interface Present {
  readonly facts: Release | undefined;
  /** The rows of the table `historico`. */
  readonly history: readonly Literal[][];
}

const NOTHING_PRESENT: Present = { facts: undefined, history: [] };

async function openFile(path: string): Promise<OpenRelease> {
  const connection = await connectImmutable(path);
  try {
    return await OpenRelease.open(connection);
  } catch (cause) {
    connection.close();
    throw failure(`Cannot open database "${path}"`, cause);
  }
}

/** Opens what the present file holds, if it can be read. */
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
  empty: "it is empty; restore it, or import the directory with MODE=seed",
  damaged: "it is not complete; restore it, or import the directory with " +
    "MODE=seed",
  older: "an older version of this program wrote it; import the directory " +
    "again with MODE=seed",
  newer: "a newer version of this program wrote it",
  foreign: "it is not a database of this program; set DB_PATH to another " +
    "directory",
};

function refuseUnusable(path: string, kind: FileKind): void {
  if (kind === "release") return;
  throw new DatabaseError(`Cannot open database "${path}": ${UNUSABLE[kind]}`);
}

/** A store that ends with the process. */
class MemoryStore extends EmbeddedStore {
  /** The import that is running. */
  #holder: string | undefined;

  async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      if (this.#holder !== undefined) throw anotherImport(this.#holder);
      this.#holder = holder;
      try {
        const connection = await connect(":memory:");
        const history = await this.current?.history() ?? [];
        const present = this.current?.facts;
        return await EmbeddedStaging.begin(connection, present, history, {
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
