import type { Reader } from "../store/store.ts";

/** Times that an answer is made before it may be of two releases. */
const MAX_TIMES = 3;

/**
 * Runs an action whose calls must read from one release: again if the release
 * is replaced meanwhile. Releases change so rarely that a third change is not
 * waited for.
 */
export async function inOneRelease<T>(
  store: Pick<Reader, "release">,
  action: () => T | Promise<T>,
): Promise<T> {
  let before = (await store.release())?.id;
  for (let times = 1;; times++) {
    const result = await settle(action);
    const after = (await store.release())?.id;
    if (before === after || times === MAX_TIMES) return result();
    before = after;
  }
}

/** Runs an action. Returns a function that returns or throws its result. */
async function settle<T>(action: () => T | Promise<T>): Promise<() => T> {
  try {
    const value = await action();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
