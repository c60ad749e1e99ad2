import type { Gazetteer } from "../../release/gazetteer.ts";
import type { Reader } from "../../store/store.ts";
import { HttpError } from "../errors.ts";

/**
 * Returns the places of the current release.
 *
 * @throws {HttpError} If the database is empty.
 */
export async function requireGazetteer(
  store: Pick<Reader, "gazetteer">,
): Promise<Gazetteer> {
  const gazetteer = await store.gazetteer();
  if (gazetteer === undefined) throw new HttpError("database_not_ready");
  return gazetteer;
}
