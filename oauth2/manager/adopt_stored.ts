/**
 * Reading of the store.
 *
 * @module
 */
import type { HeldState } from "./held_state.ts";
import type { KeeperSettings } from "./keeper_settings.ts";
import { TokenManagerError } from "./manager_error.ts";
import type { Stored } from "./slot.ts";

/**
 * Reads the record of the store, and holds its token. With a grant, deletes
 * what cannot be read or used.
 *
 * @throws {TokenManagerError} If the store fails or, without a grant, has
 * another value.
 */
export async function adoptStored(
  { slot, grant, report }: KeeperSettings,
  state: HeldState,
): Promise<Stored | undefined> {
  const { changes } = state;
  try {
    const stored = await slot.read();
    if (changes === state.changes) state.adopt(stored?.record);
    return stored;
  } catch (error) {
    if (!grant || isStoreFailure(error)) throw error;
    report(error);
    await slot.write(undefined);
    state.adopt(undefined);
    return undefined;
  }
}

/** Returns true for the error of a store that failed. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof TokenManagerError && error.code === "store_failed";
}
