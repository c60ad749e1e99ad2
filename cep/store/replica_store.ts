/**
 * Store that reads from a release file and follows a primary: each release of
 * the primary is copied into a new file, which then replaces the current one.
 *
 * The embedded replicas of the driver are not used: its asynchronous half cannot
 * open them, the other half blocks the thread during a sync, and neither opens a
 * file while the primary is away.
 */
import { reasonOf } from "../util/reason_of.ts";
import { isAnotherImport } from "./lock.ts";
import type { Connection } from "../release/connection.ts";
import { copyReleaseFile } from "./copy_release_file.ts";
import { FileStore, type FileStoreOptions } from "./file_store.ts";
import { connectImmutable } from "../release/local_connection.ts";
import type { ReleaseDirectory } from "./release_directory.ts";
import { describeRelease, releaseName } from "../release/release.ts";
import { pollUntilStopped } from "./poll_loop.ts";
import { Refusals } from "../release/refusals.ts";
import { readSyncTime, writeSyncTime } from "./sync_time.ts";
import {
  type Freshness,
  type MemoryPart,
  type Release,
  type Staging,
  UnreachableError,
  type Writer,
} from "./store.ts";

/** Database that a replica follows. */
export interface Primary extends Writer {
  /** Name for the log: its URL, without a secret. */
  readonly name: string;
  /** Opens the current release, `undefined` without one. */
  present(): Promise<PrimaryRelease | undefined>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Release of a {@linkcode Primary}. */
export interface PrimaryRelease {
  /** Id of the release. */
  readonly id: number;
  /** Opens the tables of the release. */
  connect(): Promise<Connection>;
}

/** Options of {@linkcode ReplicaStore}. */
export interface ReplicaStoreOptions
  extends Omit<FileStoreOptions, "freshness"> {
  /** Folder of the release file. */
  readonly directory: ReleaseDirectory;
  /** Database to follow. */
  readonly primary: Primary;
  /** Name of this process, for another one that must wait. */
  readonly holder: string;
  /** Milliseconds between two comparisons with the primary, on average. */
  readonly syncMs: number;
  /**
   * Clock.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
  /**
   * Returns a number from 0 to 1.
   *
   * @default {Math.random}
   */
  readonly random?: () => number;
}

/** Store that reads from a release file and follows a primary. */
export class ReplicaStore extends FileStore {
  readonly #directory: ReleaseDirectory;
  readonly #primary: Primary;
  readonly #holder: string;
  readonly #syncMs: number;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #syncing: Promise<void> | undefined;
  #syncedAt: string | null = null;
  #failure: string | undefined;
  /** Last file that was checked, and its damage. */
  #checked: { readonly mark: string; readonly damage: string | undefined } = {
    mark: "",
    damage: undefined,
  };
  readonly #refusals = new Refusals();

  constructor(
    {
      directory,
      primary,
      holder,
      syncMs,
      now = Date.now,
      random = Math.random,
      ...options
    }: ReplicaStoreOptions,
  ) {
    super(directory, options);
    this.#directory = directory;
    this.#primary = primary;
    this.#holder = holder;
    this.#syncMs = syncMs;
    this.#now = now;
    this.#random = random;
  }

  /** Opens the current release file, if there is one. */
  override async start(): Promise<void> {
    await super.start();
    if (this.current === undefined) return;
    this.#syncedAt = await readSyncTime(this.#directory.path, this.#now());
  }

  /** Begins to follow the primary, with a first sync immediately. */
  follow(): void {
    this.#running = pollUntilStopped(() => this.sync(), {
      pollMs: this.#syncMs,
      random: this.#random,
      signal: this.#stop.signal,
    });
  }

  /**
   * Compares the data with the primary, and copies its release if it is another
   * one. A failure is logged and kept for {@linkcode freshness}.
   */
  async sync(): Promise<void> {
    await (this.#syncing ??= this.#sync().finally(() =>
      this.#syncing = undefined
    ));
  }

  async #sync(): Promise<void> {
    try {
      const time = await this.#copyPresent();
      if (time !== undefined) await this.#succeed(time);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(reasonOf(error));
    }
  }

  async #succeed(time: number): Promise<void> {
    this.#syncedAt = new Date(time).toISOString();
    this.#refusals.clear();
    if (this.#failure !== undefined) {
      this.#failure = undefined;
      this.logger.info("The primary is followed again", {
        DB_URL: this.#primary.name,
      });
    }
    await writeSyncTime(this.#directory.path, time)
      .catch(() => {}); // After a restart, the age of the data is unknown.
  }

  #fail(error: string): void {
    if (error === this.#failure) return;
    this.#failure = error;
    this.logger.error("Cannot follow the primary, the last data stay in use", {
      DB_URL: this.#primary.name,
      error,
    });
  }

  /** Returns the age of the data. */
  override freshness(): Freshness {
    return {
      syncedAt: this.#syncedAt,
      ...(this.#failure === undefined ? {} : { error: this.#failure }),
    };
  }

  /**
   * Copies the release of the primary, unless the current file has it.
   *
   * @returns Time at which this was the current release of the primary,
   * `undefined` if another process is copying it, or a copy that failed is not
   * tried again yet.
   */
  async #copyPresent(): Promise<number | undefined> {
    const time = this.#now();
    const release = await this.#primary.present();
    if (release === undefined) {
      throw new Error(
        "the primary has no release; import the DNE or the CNEFE with MODE=seed",
      );
    }
    if (await this.#has(release)) return time;
    if (this.#refusals.skips(releaseName(release))) return undefined;
    await this.#setAside();
    let unlock: () => Promise<void>;
    try {
      unlock = await this.#directory.lock(this.#holder);
    } catch (error) {
      // Probably another process with the same folder.
      if (isAnotherImport(error)) return undefined;
      throw error;
    }
    try {
      // The other process may have copied it in the meantime.
      return await this.#has(release) ? time : await this.#copy(release);
    } catch (error) {
      // The release is unusable, or the disk is full.
      if (!(error instanceof UnreachableError)) {
        this.#refusals.add(releaseName(release));
      }
      throw error;
    } finally {
      await unlock();
    }
  }

  /** Returns true if the current file has a release. */
  async #has({ id }: PrimaryRelease): Promise<boolean> {
    await this.look(this.logger);
    if (this.current?.facts.id !== id) return false;
    const file = await this.openedFile();
    if (file === undefined) return false;
    if (file.mark !== this.#checked.mark) {
      const damage = await findDamage(file.path) ??
        describeMissing(this.missingParts());
      this.#checked = { mark: file.mark, damage };
      if (damage !== undefined) {
        this.logger.warn("The copy is damaged, it is replaced", {
          file: file.path,
          error: damage,
        });
      }
    }
    return this.#checked.damage === undefined;
  }

  /** Keeps a file that is not a copy, but has its name. */
  async #setAside(): Promise<void> {
    const kept = await this.#directory.setAside();
    if (kept === undefined) return;
    this.logger.warn("Renamed a file that is no release of this program", {
      file: kept,
    });
  }

  async #copy(release: PrimaryRelease): Promise<number> {
    const { signal } = this.#stop;
    const start = this.#now();
    const path = this.#directory.newPath();
    try {
      const facts = await copyInto(path, release, signal);
      // The tables of a replaced release may have been removed during the copy.
      const time = this.#now();
      if ((await this.#primary.present())?.id !== release.id) {
        throw new Error("the primary has a new release");
      }
      signal.throwIfAborted();
      await this.#directory.publish(path);
      this.logger.info("Copied a release of the primary", {
        ...describeRelease(facts),
        milliseconds: this.#now() - start,
      });
      await this.look(this.logger);
      await this.#requireUse(release);
      return time;
    } catch (error) {
      await this.#directory.discard(path);
      throw error;
    }
  }

  /** Checks that the copy is the release in use. */
  async #requireUse({ id }: PrimaryRelease): Promise<void> {
    if (this.problem !== undefined) throw this.problem;
    const file = await this.openedFile();
    if (file === undefined || this.current?.facts.id !== id) {
      throw new Error("the copy was replaced");
    }
    this.#checked = { mark: file.mark, damage: undefined };
  }

  /** Begins a new release of the primary. */
  override stage(holder: string): Promise<Staging> {
    return this.#primary.stage(holder);
  }

  override async close(): Promise<void> {
    this.#stop.abort();
    await this.#primary.close();
    await this.#running;
    await this.#syncing;
    await super.close();
  }
}

async function copyInto(
  path: string,
  release: PrimaryRelease,
  signal: AbortSignal,
): Promise<Release> {
  const source = await release.connect();
  try {
    return await copyReleaseFile(source, path, release, signal);
  } finally {
    source.close();
  }
}

/** Describes the parts that could not be loaded. */
function describeMissing(parts: readonly MemoryPart[]): string | undefined {
  return parts.length === 0 ? undefined : `it lacks ${parts.join(", ")}`;
}

/** Checks the pages of a file, and describes the first damage. */
async function findDamage(path: string): Promise<string | undefined> {
  const connection = await connectImmutable(path);
  try {
    return await connection.findDamage?.();
  } catch (error) {
    return reasonOf(error);
  } finally {
    connection.close();
  }
}
