import { OAuth2Error } from "../core/response.ts";
import type { AccessToken } from "../core/token.ts";
import { invalid } from "../core/type_error.ts";
import { ValidationError } from "../core/validation_error.ts";
import { HeldToken } from "./held.ts";
import type { ManagerSettings } from "./options.ts";
import {
  bindingOf,
  checkBinding,
  recordOf,
  refreshTokenOf,
  type TokenRecord,
} from "./record.ts";

/** Milliseconds during which a token is used that has expired when it comes. */
const EXPIRED_USE = 60_000;
/** Rules for the ID token of a refresh. */
const ID_TOKEN_RULE = /^(?:malformed_jwt|invalid_(?:iss|sub|aud|azp|nonce))$/;

/**
 * Requests a token by the grant or, without one, with the refresh token of a
 * record. Returns the record of the new token.
 *
 * @throws {TokenManagerError} If the client has another server now.
 * @throws {unknown} If the request fails.
 */
export async function requestToken(
  settings: ManagerSettings,
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
  new HeldToken(settings, next);
  return useExpired(next, token, settings);
}

/**
 * Prolongs a token that has expired when it comes: the clock is wrong, or each
 * call would request another one.
 */
function useExpired(
  record: TokenRecord,
  { expiresAt = Infinity }: AccessToken,
  { client }: ManagerSettings,
): TokenRecord {
  const now = client.now();
  return expiresAt * 1000 > now
    ? record
    : { ...record, used_until: now + EXPIRED_USE };
}

async function refresh(
  settings: ManagerSettings,
  record: TokenRecord,
): Promise<AccessToken> {
  const { client, binding, params, timeout } = settings;
  // The site of the client may have changed.
  checkBinding(bindingOf(client, []), binding);
  const { token } = new HeldToken(settings, record);
  return await token.refresh({
    ...params,
    timeout,
    raiseErrors: true,
    // The signal of a caller or of the client would lose a rotated token.
    signal: new AbortController().signal,
  });
}

/** Returns true for the error of a refresh token that is invalid for good. */
export function isFinal(error: unknown): boolean {
  return error instanceof OAuth2Error && error.code === "invalid_grant" ||
    isOfAnotherUser(error);
}

/** Returns true if the ID token of a refresh belongs to another login. */
export function isOfAnotherUser(error: unknown): boolean {
  return error instanceof ValidationError && ID_TOKEN_RULE.test(error.code);
}

/**
 * Revokes the refresh token of a record that cannot be kept, if the record
 * before it has another one: only this process knows it. Returns false if the
 * server failed.
 */
export async function discard(
  settings: ManagerSettings,
  record: TokenRecord,
  parent: TokenRecord | undefined,
): Promise<boolean> {
  const token = refreshTokenOf(record);
  return token === undefined || token === refreshTokenOf(parent) ||
    await revokeQuietly(settings, token);
}

/**
 * Revokes a refresh token if the server has a revocation endpoint. Reports an
 * error, and returns false.
 */
export async function revokeQuietly(
  { client, report, timeout }: ManagerSettings,
  token: string,
): Promise<boolean> {
  try {
    client.revokeUrl();
  } catch {
    return false;
  }
  try {
    await client.revokeToken(token, "refresh_token", {
      timeout,
      raiseErrors: true,
      signal: new AbortController().signal,
    });
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
