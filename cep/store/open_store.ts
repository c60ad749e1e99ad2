import { openStoreIn } from "./file_store.ts";
import { LocalSearches, type SearchPlace } from "../search/search_calls.ts";
import { SearchPool } from "../search/search_pool.ts";
import { startThread } from "../search/search_thread.ts";
import { defaultLogger } from "../util/logger.ts";
import { Turns } from "../util/turns.ts";
import { ReleaseDirectory } from "./release_directory.ts";
import { openWritableRemoteStore } from "./remote_import.ts";
import { openReplica, type OpenReplicaOptions } from "./replica.ts";
import {
  presentOf,
  ReleaseStore,
  type ReleaseStoreOptions,
} from "./release_store.ts";
import type { Freshness, Staging, Store } from "./store.ts";
import { attempt } from "../release/connection.ts";
import { connect } from "../release/local_connection.ts";
import { anotherImport } from "../release/errors.ts";
import { OpenRelease } from "../release/open_release.ts";
import { ReleaseStaging } from "../release/release_staging.ts";

/** Options of {@linkcode openStore}. */
export interface OpenStoreOptions extends ReleaseStoreOptions {
  /**
   * Folder of the release file, or `:memory:` for a database in memory. An
   * import creates the folder. With a URL, it is the folder of a replica.
   *
   * @default {"./data"}, or no replica with a URL
   */
  readonly path?: string;
  /**
   * URL of a libSQL server with the database, instead of a folder: with
   * `libsql:` or `https:`, or with `http:` on this machine.
   */
  readonly url?: string;
  /** Token of that server, which no log and no error shows. */
  readonly authToken?: string;
  /**
   * Seconds between two comparisons of a replica with that server, on average.
   *
   * @default {10}
   */
  readonly syncSeconds?: number;
  /**
   * Number of threads in which searches run, beside the thread of the caller.
   * They start with the first search, and read the same search index.
   *
   * @default {0, which gives the event loop back between searches}
   */
  readonly searchThreads?: number;
  /**
   * Writes the releases of a folder in a thread of their own, where one can be
   * started: faster on two processors.
   *
   * @default {false}
   */
  readonly writesInThread?: boolean;
  /**
   * Returns the age of the release file in a folder, if it follows another
   * place.
   */
  readonly freshness?: () => Freshness | undefined;
}

/**
 * Opens a database in a folder, in memory or on a server. A folder without a
 * release is an empty database. If the database cannot be read, or its release
 * cannot be used, the calls that need it throw.
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
  { path, url, authToken, syncSeconds, searchThreads, ...given }:
    OpenStoreOptions = {},
): Promise<Store> {
  const searches = searchesIn(searchThreads, given.logger);
  const options = { ...given, searches };
  if (url !== undefined && path !== undefined) {
    const replica = { ...options, path, url, authToken, syncSeconds };
    return await openFollowing(replica);
  }
  if (url !== undefined) {
    return await openWritableRemoteStore({
      ...options,
      url,
      ...(authToken === undefined ? {} : { authToken }),
    });
  }
  return path === ":memory:"
    ? new MemoryStore(options)
    : await openStoreIn(new ReleaseDirectory(path ?? "./data"), options);
}

/** Returns the place where the searches of a store run. */
export function searchesIn(
  threads = 0,
  logger = defaultLogger(),
): SearchPlace {
  const local = new LocalSearches(new Turns(() => performance.now()));
  return threads === 0
    ? local
    : new SearchPool({ threads, start: startThread, local, logger });
}

/** Opens a replica that follows its server, with a first copy if it is empty. */
async function openFollowing(options: OpenReplicaOptions): Promise<Store> {
  const store = await openReplica(options);
  if (await store.release().catch(() => undefined) === undefined) {
    await store.sync();
  }
  store.follow();
  return store;
}

/** Store in memory. */
class MemoryStore extends ReleaseStore {
  /** Name of the running import. */
  #holder: string | undefined;

  async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      if (this.#holder !== undefined) throw anotherImport(this.#holder);
      this.#holder = holder;
      try {
        const connection = await connect(":memory:");
        const present = this.current && await presentOf(this.current);
        return await ReleaseStaging.begin(connection, present, {
          reopen: () => Promise.resolve(connection),
          publish: async () => {
            if (this.closed) connection.close();
            else await this.adopt(await OpenRelease.open(connection));
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
