/**
 * The data that a route cannot answer without.
 *
 * @module
 */
import type { Reader, Release } from "../../store/store.ts";
import { HttpError } from "../errors.ts";

/**
 * The present release.
 *
 * @throws {HttpError} If there is none.
 */
export async function requireRelease(
  store: Pick<Reader, "release">,
): Promise<Release> {
  const release = await store.release();
  if (release === undefined) throw new HttpError("database_not_ready");
  return release;
}
