/**
 * Request for a new token.
 *
 * @module
 */
import type { AccessToken } from "../token.ts";
import { bindingOf, checkBinding } from "./binding.ts";
import { HeldToken } from "./held_token.ts";
import type { KeeperSettings } from "./keeper_settings.ts";
import type { TokenRecord } from "./record.ts";
import { invalid } from "../type_error.ts";

/** Milliseconds during which a token is used that has expired when it comes. */
const EXPIRED_USE = 60_000;

/**
 * Requests a token by the grant or, without one, with the refresh token of a
 * record. Returns the record of the new token.
 *
 * @throws {TokenManagerError} If the client has another server now.
 * @throws {unknown} If the request fails.
 */
export async function requestToken(
  settings: KeeperSettings,
  record: TokenRecord | undefined,
): Promise<TokenRecord> {
  const { binding, grant, random } = settings;
  if (!grant) {
    const token = await refresh(settings, record!);
    return useExpired(recordOf(token, record!, settings), token, settings);
  }
  const token = await grant();
  if (!token.token) {
    throw token.response?.error ??
      invalid("Cannot use the grant: its token is empty");
  }
  const session = record?.session ?? random();
  checkBinding(bindingOf(token.client, []), binding);
  const next = recordOf(token, { ...binding, session }, settings);
  // Throws if the token cannot be restored.
  new HeldToken(settings.client, next, 0);
  return useExpired(next, token, settings);
}

/**
 * Prolongs a token that has expired when it comes: the clock is wrong, or each
 * call would request another one.
 */
function useExpired(
  record: TokenRecord,
  { expiresAt = Infinity }: AccessToken,
  { client }: KeeperSettings,
): TokenRecord {
  const now = client.now();
  return expiresAt * 1000 > now
    ? record
    : { ...record, used_until: now + EXPIRED_USE };
}

async function refresh(
  { client, binding, params, timeout }: KeeperSettings,
  record: TokenRecord,
): Promise<AccessToken> {
  // The site of the client may have changed.
  checkBinding(bindingOf(client, []), binding);
  const { token } = new HeldToken(client, record, 0);
  return await token.refresh({
    ...params,
    timeout,
    raiseErrors: true,
    // The signal of a caller or of the client would lose a rotated token.
    signal: new AbortController().signal,
  });
}

/** Creates the record of a token. */
export function recordOf(
  token: AccessToken,
  { token_endpoint, client_id, origins, session }: Omit<
    TokenRecord,
    "revision"
  >,
  { client, random }: Pick<KeeperSettings, "client" | "random">,
): TokenRecord {
  const { expiresIn, expiresAt, expiresLatency = 0 } = token;
  return {
    token_endpoint,
    client_id,
    origins,
    session,
    revision: random(),
    token: token.toHash(),
    issued_at: expiresIn !== undefined && expiresAt !== undefined
      ? (expiresAt + expiresLatency - expiresIn) * 1000
      : client.now(),
  };
}
