/**
 * Saving of a new token.
 *
 * @module
 */
import { REVOKED } from "./login_required.ts";
import { haveSameToken, type TokenRecord } from "./record.ts";
import type { Slot, Stored } from "./slot.ts";

/** Maximum number of swaps: a broken store may refuse all. */
const MAX_SWAPS = 10;

/**
 * Replaces a record by its successor. Returns false if the store has another
 * login or another token meanwhile, or none.
 *
 * @throws {TokenManagerError} If the store fails.
 */
export async function saveRecord(
  slot: Slot,
  record: TokenRecord,
  parent: Stored,
): Promise<boolean> {
  let expected = parent;
  for (let swaps = 0; swaps < MAX_SWAPS; swaps++) {
    if (await slot.swap(expected, record)) return true;
    const stored = await slot.read();
    // A swap that failed may have been done.
    if (stored?.record.revision === record.revision) return true;
    if (stored?.record.session !== record.session) return false;
    if (stored.record.ended === REVOKED) return false;
    // Another process believes that this one has ended, and has tried to use,
    // or will, the refresh token that is used up.
    const isOutdated = stored.record.ended !== undefined ||
      haveSameToken(stored.record, parent.record);
    if (!isOutdated) return false;
    expected = stored;
  }
  return false;
}
