import type { Reader, Release } from "../../store/store.ts";
import { HttpError } from "../errors.ts";

/**
 * Returns the current release.
 *
 * @throws {HttpError} If the database is empty.
 */
export async function requireRelease(
  store: Pick<Reader, "release">,
): Promise<Release> {
  const release = await store.release();
  if (release === undefined) throw new HttpError("database_not_ready");
  return release;
}
