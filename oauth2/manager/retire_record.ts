/**
 * End of a session whose token is to be revoked.
 *
 * @module
 */
import { REVOKED } from "./login_required.ts";
import type { TokenRecord } from "./record.ts";
import type { Slot } from "./slot.ts";

/**
 * Marks the session of a record as ended. The token stays in the store, so that
 * its revocation can be repeated.
 *
 * @throws {TokenManagerError} If the store fails.
 */
export async function retireRecord(
  slot: Slot,
  { claimed_until: _, ...record }: TokenRecord,
  revision: string,
): Promise<TokenRecord> {
  const retired = { ...record, revision, ended: REVOKED };
  await slot.write(retired);
  return retired;
}

/**
 * Deletes a retired record, unless the store has another one.
 *
 * @throws {TokenManagerError} If the store fails.
 */
export async function removeRetired(
  slot: Slot,
  { revision }: TokenRecord,
): Promise<void> {
  const stored = await slot.read();
  if (stored?.record.revision === revision) await slot.write(undefined);
}
