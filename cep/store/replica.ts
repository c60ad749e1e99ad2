import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import { defaultLogger } from "../util/logger.ts";
import { FileStore, type FileStoreOptions } from "./file_store.ts";
import { Follower, type FollowerOptions } from "./follow/follower.ts";
import { type Primary, PrimaryOrigin } from "./follow/primary_origin.ts";
import { ReleaseDirectory } from "./release_directory.ts";
import type { ReleaseStoreOptions, SearchOptions } from "./release_store.ts";
import { connectTo } from "./remote_client.ts";
import { RemoteServer } from "./remote_server.ts";
import { connectTables, readPointer, refuseVersion } from "./remote_tables.ts";
import type { Staging, Store } from "./store.ts";
import { openWritableRemoteStore } from "./remote_import.ts";

/** Options of {@linkcode openReplica}. */
export interface OpenReplicaOptions extends ReleaseStoreOptions, SearchOptions {
  /** Folder of the replica, which the first copy creates. */
  readonly path: string;
  /** URL of the server. */
  readonly url: string;
  /** Token of the server, which no log and no error shows. */
  readonly authToken?: string | undefined;
  /**
   * Seconds between two comparisons with the server, on average: from 1 to a
   * day.
   *
   * @default {10}
   */
  readonly syncSeconds?: number | undefined;
  /**
   * Name of this process, for another one that must wait.
   *
   * @default {"a replica"}
   */
  readonly holder?: string;
}

/**
 * Opens a replica. It does not follow the server yet, which need not be
 * reachable.
 *
 * @throws {TypeError} If the URL is not allowed.
 * @throws {RangeError} If the seconds are out of their range.
 */
export async function openReplica(
  {
    path,
    url,
    authToken = "",
    syncSeconds = 10,
    holder = "a replica",
    ...options
  }: OpenReplicaOptions,
): Promise<ReplicaStore> {
  requireRange("syncSeconds", syncSeconds, [1, DAY_MS / 1000]);
  const store = new ReplicaStore({
    ...options,
    directory: new ReleaseDirectory(path),
    primary: await connectPrimary(url, authToken),
    holder,
    pollMs: syncSeconds * 1000,
  });
  await store.start();
  return store;
}

/** Options of {@linkcode ReplicaStore}. */
export interface ReplicaStoreOptions
  extends
    Omit<FileStoreOptions, "freshness" | "logger">,
    Omit<FollowerOptions, "origin" | "onCurrent" | "logger">,
    Pick<ReleaseStoreOptions, "logger"> {
  /** Database to follow. */
  readonly primary: Primary;
}

/** Store that reads from a release file, which follows a primary. */
export class ReplicaStore extends FileStore {
  readonly #path: string;
  readonly #primary: Primary;
  readonly #follower: Follower;
  readonly #now: () => number;

  constructor(
    { directory, primary, logger = defaultLogger(), ...options }:
      ReplicaStoreOptions,
  ) {
    super(directory, {
      ...options,
      logger,
      freshness: () => this.#follower.freshness(),
    });
    this.#path = directory.path;
    this.#primary = primary;
    this.#now = options.now ?? Date.now;
    this.#follower = new Follower({
      ...options,
      origin: new PrimaryOrigin(primary, logger),
      directory,
      logger,
      onCurrent: async (time) => {
        await this.look(logger);
        await writeSyncTime(directory.path, time)
          .catch(() => {}); // After a restart, the age of the data is unknown.
      },
    });
  }

  /** Opens the current release file, if there is one. */
  override async start(): Promise<void> {
    await super.start();
    if (this.current === undefined) return;
    this.#follower.resume(await readSyncTime(this.#path, this.#now()));
  }

  /** Begins to follow the primary, with a first sync immediately. */
  follow(): void {
    this.#follower.start();
  }

  /**
   * Compares the data with the primary, and copies its release if it is another
   * one. A failure is logged and kept for {@linkcode freshness}.
   */
  async sync(): Promise<void> {
    await this.#follower.poll();
  }

  /** Begins a new release of the primary. */
  override stage(holder: string): Promise<Staging> {
    return this.#primary.stage(holder);
  }

  override async close(): Promise<void> {
    await this.#follower.stop();
    await super.close();
  }
}

/** Milliseconds for a request to a primary, of up to 4 MB. */
const TIMEOUT_MS = 30_000;

/** Repetitions of a request that did not reach the primary. */
const RETRIES = 3;

/**
 * Prepares requests to a libSQL server, which need not be reachable and may
 * itself be a replica.
 *
 * @throws {TypeError} If the URL is not allowed.
 */
async function connectPrimary(
  url: string,
  authToken: string,
): Promise<Primary> {
  const stop = new AbortController();
  const { name, connect } = await connectTo(url, authToken, (input, init) => {
    const signals = [stop.signal, init?.signal].filter((it) => it != null);
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  });
  const server = new RemoteServer({
    client: connect(TIMEOUT_MS),
    name,
    token: authToken,
    timeoutMs: TIMEOUT_MS,
    retries: RETRIES,
    retryMs: TIMEOUT_MS,
  });
  let store: Promise<Store> | undefined;
  return {
    name,
    async current() {
      const pointer = await readPointer(server);
      if (pointer === undefined) return undefined;
      refuseVersion(pointer);
      const { suffix } = pointer;
      return {
        id: Number.parseInt(suffix, 16),
        connect: () => Promise.resolve(connectTables(server, suffix)),
      };
    },
    async stage(holder) {
      // An import reads no records by their CEP.
      const options = { url, authToken, snapshot: false, search: false };
      store ??= openWritableRemoteStore(options);
      return await (await store).stage(holder);
    },
    async close() {
      stop.abort();
      await (await store)?.close();
      server.close();
    },
  };
}

/** Name of an empty file, whose modification time no crash can tear. */
const SYNC_FILE = "replica.sync";

/**
 * Returns the time of the last sync in a folder, ISO 8601, `null` if unknown.
 *
 * @param now Present time: a later one is of a clock that was wrong.
 */
async function readSyncTime(
  folder: string,
  now: number,
): Promise<string | null> {
  const found = await stat(join(folder, SYNC_FILE)).catch(() => undefined);
  if (found === undefined || found.mtimeMs >= now + 1) return null;
  return new Date(Math.floor(found.mtimeMs)).toISOString();
}

async function writeSyncTime(folder: string, time: number): Promise<void> {
  const file = await open(join(folder, SYNC_FILE), "a");
  try {
    // In the middle of the millisecond, because fractions are cut off.
    const seconds = (time + 0.5) / 1000;
    await file.utimes(seconds, seconds);
  } finally {
    await file.close();
  }
}
