/**
 * Database of CEPs on a libSQL server, such as `sqld` or Turso. Also for edge
 * runtimes, with a client of their own: this module loads no native code.
 *
 * @module
 */
import { connectTo } from "./remote_client.ts";
import type { RemoteClient } from "./remote_server.ts";
import type { RemoteOptions } from "./remote_options.ts";
import { RemoteStore } from "./remote_store.ts";
import type { Store } from "./store.ts";

export type { Logger } from "../util/logger.ts";
export type * from "../release/gazetteer.ts";
export type { ReleaseStoreOptions } from "./release_store.ts";
export type { RemoteOptions } from "./remote_options.ts";
export type {
  ClientStatement,
  RemoteClient,
  RemoteResult,
  RemoteValue,
} from "./remote_server.ts";

export * from "./store.ts";

/** Options of {@linkcode openRemoteStore}: a URL, or a client. */
export interface OpenRemoteStoreOptions extends RemoteOptions {
  /**
   * URL of the server, with `libsql:` or `https:`, or with `http:` on this
   * machine.
   */
  readonly url?: string;
  /** Token of the server, which no log and no error shows. */
  readonly authToken?: string;
  /**
   * Client of the server instead of a URL, e.g. that of `@libsql/client/web`.
   * The store closes it.
   */
  readonly client?: RemoteClient;
  /**
   * Sends requests to the URL.
   *
   * @default {globalThis.fetch}
   */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Opens a database on a libSQL server. If the server cannot be reached, the
 * calls that need it throw until it can.
 *
 * @throws {TypeError} If the URL is not allowed.
 * @throws {RangeError} If a number is out of its range.
 */
export async function openRemoteStore(
  options: OpenRemoteStoreOptions,
): Promise<Store> {
  const { authToken, client, url, fetch, ...others } = options;
  const store = new RemoteStore({
    ...others,
    ...(client === undefined
      ? await connectTo(url ?? "", authToken, fetch)
      : { connect: () => client, name: "of the given client" }),
    token: authToken,
  });
  await store.start();
  return store;
}
