import type { Reader, ReleaseReader } from "../../store/store.ts";
import { HttpError } from "../errors.ts";

/**
 * Reads from the current release, as `Reader.read` does.
 *
 * @throws {HttpError} If the database is empty.
 */
export function readRelease<T>(
  store: Pick<Reader, "read">,
  action: (release: ReleaseReader) => T | Promise<T>,
): T | Promise<T> {
  const result = store.read(action);
  return result instanceof Promise
    ? result.then(requireResult)
    : requireResult(result);
}

function requireResult<T>(result: T | undefined): T {
  if (result === undefined) throw new HttpError("database_not_ready");
  return result;
}
