/**
 * The data that a route cannot answer without.
 *
 * @module
 */
import type { Release, Store } from "../store/store.ts";
import { HttpError } from "./errors.ts";

/**
 * What the database holds now.
 *
 * @throws {HttpError} If it holds nothing.
 */
export async function requireRelease(store: Store): Promise<Release> {
  const release = await store.release();
  if (release === undefined) throw new HttpError("database_not_ready");
  return release;
}
