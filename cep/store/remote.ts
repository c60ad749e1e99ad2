/**
 * Database of CEPs on a libSQL server, such as `sqld` or Turso. Also for edge
 * runtimes, with a client of their own: this module loads no native code.
 *
 * @module
 */
import {
  locate,
  type OpenRemoteStoreOptions,
  RemoteStore,
} from "./remote_store.ts";
import type { Store } from "./store.ts";

export type { Logger } from "../util/logger.ts";
export type {
  CepRange,
  Gazetteer,
  GazetteerLocality,
  GazetteerNeighbourhood,
  LocalityRange,
} from "../release/gazetteer.ts";
export type { ReleaseStoreOptions } from "./release_store.ts";
export type { OpenRemoteStoreOptions, RemoteOptions } from "./remote_store.ts";
export type {
  ClientStatement,
  RemoteClient,
  RemoteResult,
  RemoteValue,
} from "./remote_server.ts";

export * from "./store.ts";

/**
 * Opens a database on a libSQL server, to read it: an import needs `openStore`,
 * which an edge worker need not load. If the server cannot be reached, the calls
 * that need it throw until it can.
 *
 * @throws {TypeError} If the URL is not allowed.
 * @throws {RangeError} If a number is out of its range.
 */
export async function openRemoteStore(
  options: OpenRemoteStoreOptions,
): Promise<Store> {
  const store = new RemoteStore({ ...options, ...await locate(options) });
  await store.start();
  return store;
}
