/**
 * End of a session: its revocation and its deletion.
 */
import type { CallParams } from "../core/call_params.ts";
import type { OAuth2Response } from "../core/response.ts";
import { withSignal } from "../core/shared_call.ts";
import { type Claims, pollAfter } from "./claims.ts";
import type { ManagerSettings } from "./options.ts";
import {
  bindingOf,
  checkBinding,
  refreshTokenOf,
  REVOKED,
  type TokenRecord,
} from "./record.ts";
import type { Decision, Stored } from "./slot.ts";

/** Maximum number of reads during a claim, which ends before by its time. */
const MAX_ROUNDS = 1000;

/** Parts of a revocation. */
export interface Revocation {
  readonly settings: ManagerSettings;
  readonly claims: Claims;
  /** Parameters of the request. */
  readonly params: CallParams;
  /** Runs when no process uses the token any more. */
  readonly onEnd: () => void;
}

/**
 * Ends a session and revokes its refresh token or, without one, its token.
 *
 * First it marks the record as ended, so that no process renews the token. If
 * one is renewing it, the record keeps its claim until that process has revoked
 * the token that it got. Then the record is deleted. A login that takes the place
 * of the session meanwhile is left alone.
 *
 * @throws {TokenManagerError} If the store fails, or has a token of another
 * client.
 * @throws {OAuth2Error} If the server refuses.
 * @throws {ConnectionError} If no complete response arrives.
 */
export async function revokeSession(
  { settings, claims, params, onEnd }: Revocation,
): Promise<OAuth2Response | undefined> {
  const { slot, client, binding, random, wait } = settings;
  const signal = params.signal ?? client.connectionOpts.signal;
  checkBinding(bindingOf(client, []), binding);
  // The last record of the session that was found first.
  let last: TokenRecord | undefined;
  let revoked: string | undefined;
  let response: OAuth2Response | undefined;
  for (let round = 0;; round++) {
    const stored = await slot.change((stored): Decision => {
      if (!stored) return "keep";
      checkBinding(stored.record, binding);
      if (last && last.session !== stored.session) return "keep";
      const { retry_at: _, ...record } = last = stored.record;
      if (!record.token) return "delete";
      return record.ended === REVOKED
        ? "keep"
        : { ...record, ended: REVOKED, revision: random() };
    });
    if (round === 0) onEnd();
    if (!last?.token) return response;
    const [token, hint] = secretOf(last);
    if (token !== revoked) {
      response = await client.revokeToken(token, hint, params);
      if (!response.ok) return response;
      revoked = token;
    }
    const left = claims.claimedUntil(last) - client.now();
    if (left > 0 && round < MAX_ROUNDS) {
      // Its process may get another token, and revokes it.
      await withSignal(wait(Math.min(pollAfter(round), left)), signal);
    } else if (!stored || await isDeleted(settings, stored, last)) {
      return response;
    }
  }
}

/** Returns the token to revoke, and its type. */
function secretOf(record: TokenRecord): [token: string, hint: string] {
  const refreshToken = refreshTokenOf(record);
  if (refreshToken) return [refreshToken, "refresh_token"];
  const { token_name = "access_token" } = record.token!;
  return [String(record.token![String(token_name)]), "access_token"];
}

/**
 * Deletes a record whose token was revoked. Returns false if the session has
 * changed meanwhile.
 */
async function isDeleted(
  { slot, report }: ManagerSettings,
  { text }: Stored,
  { session }: TokenRecord,
): Promise<boolean> {
  try {
    const stored = await slot.change((stored) =>
      stored?.text === text && stored?.session === session ? "delete" : "keep"
    );
    return stored?.session !== session;
  } catch (error) {
    // Its token is revoked, and no process uses it.
    report(error);
    return true;
  }
}

/**
 * Deletes the value of the store, unless a login takes its place meanwhile.
 *
 * @throws {TokenManagerError} If the store fails.
 */
export async function clearSession(
  { slot }: ManagerSettings,
): Promise<void> {
  let first: Stored | undefined;
  await slot.change((stored) => {
    first ??= stored;
    return first?.session === stored?.session ? "delete" : "keep";
  });
}
