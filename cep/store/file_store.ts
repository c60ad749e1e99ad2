import type { Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import {
  attempt,
  failure,
  type LocalConnection,
} from "../release/connection.ts";
import {
  type FileKind,
  readFileKind,
  UNUSABLE,
} from "../release/file_header.ts";
import {
  connect,
  connectImmutable,
  connectInThread,
} from "../release/local_connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { startPolling } from "./poll_loop.ts";
import type { ReleaseDirectory, ReleaseFile } from "./release_directory.ts";
import { readPartially } from "../release/partial_release.ts";
import { Refusals } from "../release/refusals.ts";
import { describeRelease } from "../release/release.ts";
import {
  type Present,
  ReleaseStaging,
  type StagingTarget,
  UNREADABLE,
} from "../release/release_staging.ts";
import {
  presentOf,
  ReleaseStore,
  type ReleaseStoreOptions,
  type SearchOptions,
  warnOfHistory,
} from "./release_store.ts";
import {
  DatabaseError,
  type Freshness,
  OutdatedError,
  type Staging,
  type Store,
} from "./store.ts";

/** Options of {@linkcode openStoreIn}. */
export interface FileStoreOptions extends ReleaseStoreOptions, SearchOptions {
  /**
   * Milliseconds between two polls for a new release.
   *
   * @default {250}
   */
  readonly lookMs?: number;
  /**
   * Writes releases in a thread of their own, where one can be started: faster
   * on two processors.
   *
   * @default {false}
   */
  readonly writesInThread?: boolean;
  /**
   * Returns the age of the release file, if it follows another place.
   */
  readonly freshness?: () => Freshness | undefined;
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

/** Store whose release is a file in a folder. */
export class FileStore extends ReleaseStore {
  readonly #directory: ReleaseDirectory;
  readonly #lookMs: number;
  readonly #writesInThread: boolean;
  readonly #freshness: () => Freshness | undefined;
  /** Time of the last sync before a file could not be used. */
  #syncedAt: string | null = null;
  /** File that was opened last. */
  #mark: string | undefined;
  readonly #refusals = new Refusals();
  /** End of the polls and publications so far. */
  #turns: Promise<unknown> = Promise.resolve();
  #endPolls = () => {};

  constructor(
    directory: ReleaseDirectory,
    {
      lookMs = 250,
      writesInThread = false,
      freshness = () => undefined,
      ...options
    }: FileStoreOptions,
  ) {
    super(options);
    this.#directory = directory;
    this.#lookMs = lookMs;
    this.#writesInThread = writesInThread;
    this.#freshness = freshness;
  }

  /** Opens the current release, and polls for a new one. */
  async start(): Promise<void> {
    await this.look();
    this.#endPolls = startPolling(
      () => this.look(this.logger),
      () => this.#lookMs,
    );
  }

  /** Returns the age of the data, without a file that cannot be used. */
  freshness(): Freshness | undefined {
    const freshness = this.#freshness();
    return freshness && this.problem
      ? { syncedAt: this.#syncedAt, error: this.problem.message }
      : freshness;
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
  protected look(logger?: Logger): Promise<void> {
    return this.#inTurn(() => this.#openCurrent(logger))
      .catch(() => {}); // The logger may throw.
  }

  async #openCurrent(logger: Logger | undefined): Promise<void> {
    if (this.closed) return;
    let file: ReleaseFile | undefined;
    try {
      file = await this.#directory.current();
      if (file === undefined || file.mark === this.#mark) {
        this.setProblem(undefined);
        return;
      }
      if (this.#refusals.skips(file.mark)) return;
      refuseUnusable(file.path, await readFileKind(file.path));
      const release = await openFile(file.path);
      try {
        await this.adopt(release, { keepsSearch: true });
      } catch (error) {
        release.close();
        throw error;
      }
      this.#mark = file.mark;
      this.#refusals.clear();
      logger?.info("Opened a new release", describeRelease(release.facts));
    } catch (cause) {
      if (this.closed) return;
      // If the file has been replaced in the meantime, the next poll handles
      // it.
      const current = await this.#directory.current().catch(() => file);
      if (current?.mark !== file?.mark) return;
      if (file !== undefined) this.#refusals.add(file.mark);
      if (this.problem === undefined) {
        this.#syncedAt = this.#freshness()?.syncedAt ?? null;
      }
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
      let connection: LocalConnection | undefined;
      try {
        present = await this.#readPresent();
        connection = await this.#connect(path);
        return await ReleaseStaging.begin(connection, present, target);
      } catch (error) {
        present?.close();
        await connection?.close();
        await target.discard();
        throw error;
      }
    });
  }

  /** Creates a file to write to. */
  #connect(path: string): Promise<LocalConnection> {
    if (!this.#writesInThread) return connect(path);
    return connectInThread(
      path,
      (reason) =>
        this.logger.warn("Cannot start a thread to write the database", {
          error: reasonOf(reason),
        }),
    );
  }

  /** Opens the release that the next one replaces. */
  async #readPresent(): Promise<Present | undefined> {
    const file = await this.#directory.current();
    if (file === undefined) return undefined;
    const current = await openCurrent(file);
    if (current === undefined) return await this.#readUnusable(file);
    return await presentOf(current, {
      onDamage: warnOfHistory(this.logger),
      close: () => current.close(),
    });
  }

  /** Reads what it can of a current release that cannot be served. */
  async #readUnusable({ path }: ReleaseFile): Promise<Present> {
    let connection: LocalConnection | undefined;
    try {
      connection = await connectImmutable(path);
      return await readPartially(connection, warnOfHistory(this.logger));
    } catch (error) {
      connection?.close();
      this.logger.warn(
        "Cannot read the current release, the import is not compared with it",
        { file: path, error: reasonOf(error) },
      );
      return UNREADABLE;
    }
  }

  #toTarget(path: string, unlock: () => Promise<void>): StagingTarget {
    return {
      reopen: async (connection) => {
        await connection.close();
        return await connectImmutable(path);
      },
      publish: async (connection) => {
        connection.close();
        // A poll in between would log the release as that of another store.
        await this.#inTurn(async () => {
          await this.#directory.publish(path);
          await unlock();
          await this.#openCurrent(undefined);
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
    this.#endPolls();
    this.beginClose();
    await this.#turns;
    await super.close();
  }
}

async function openFile(path: string): Promise<OpenRelease> {
  const connection = await connectImmutable(path);
  try {
    await requireOneFile(connection);
    return await OpenRelease.open(connection);
  } catch (cause) {
    connection.close();
    throw failure(`Cannot open database "${path}"`, cause);
  }
}

/**
 * Checks that a connection reads one file: it opens its path twice, and the
 * file may be replaced in between.
 */
async function requireOneFile(connection: LocalConnection): Promise<void> {
  const select = await connection.prepare("SELECT id FROM release");
  const [row] = await select.all();
  if (row?.[0] === select.get()?.[0]) return;
  throw new Error("it was replaced while it was opened");
}

/** Opens the current release file, if it can be read. */
async function openCurrent(
  { path }: ReleaseFile,
): Promise<OpenRelease | undefined> {
  if (await readFileKind(path) !== "release") return undefined;
  try {
    return await openFile(path);
  } catch {
    return undefined; // A damaged file is replaced.
  }
}

const REMEDIES: Readonly<Record<Exclude<FileKind, "release">, string>> = {
  empty: "restore it, or import the DNE or the CNEFE with MODE=seed",
  damaged: "restore it, or import the DNE or the CNEFE with MODE=seed",
  older: "rewrite it with MODE=upgrade, or import again with MODE=seed",
  newer: "install that version, or set DB_PATH to another folder",
  foreign: "set DB_PATH to another folder",
};

function refuseUnusable(path: string, kind: FileKind): void {
  if (kind === "release") return;
  const message = `Cannot open database "${path}": ${UNUSABLE[kind]}; ${
    REMEDIES[kind]
  }`;
  throw kind === "older"
    ? new OutdatedError(message)
    : new DatabaseError(message);
}
