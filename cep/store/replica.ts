import { ReleaseDirectory } from "./release_directory.ts";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import type { ReleaseStoreOptions, SearchOptions } from "./release_store.ts";
import { RemotePrimary } from "./remote_primary.ts";
import { ReplicaStore } from "./replica_store.ts";

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
    authToken,
    syncSeconds = 10,
    holder = "a replica",
    ...options
  }: OpenReplicaOptions,
): Promise<ReplicaStore> {
  requireRange("syncSeconds", syncSeconds, [1, DAY_MS / 1000]);
  const primary = await RemotePrimary.open({ url, authToken });
  const directory = new ReleaseDirectory(path);
  const syncMs = syncSeconds * 1000;
  const store = new ReplicaStore({
    ...options,
    directory,
    primary,
    holder,
    syncMs,
  });
  await store.start();
  return store;
}
