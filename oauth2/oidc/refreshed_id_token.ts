import { fromBase64 } from "../core/base64.ts";
import { isPlainObject } from "../core/params.ts";
import type { AccessToken } from "../core/token.ts";
import {
  type ValidationCode,
  ValidationError,
} from "../core/validation_error.ts";

type Fields = Record<string, unknown>;

/**
 * Claims that the ID token of a refresh shares with that of the login (OpenID
 * Connect Core section 12.2). Not `auth_time`: as such, Django OAuth Toolkit sends
 * the last login of the user on any device.
 */
const CLAIMS = ["iss", "sub", "aud", "azp", "nonce"] as const;

/**
 * Returns the ID token to keep of a refreshed token. If it is of another login,
 * the new refresh token is revoked: nobody may use it.
 *
 * @throws {ValidationError} If it is of another login than the one before.
 */
export async function checkRefreshed(
  { client, params, refreshToken }: AccessToken,
  before: AccessToken,
): Promise<unknown> {
  try {
    return idTokenAfter(params.id_token, before.params.id_token);
  } catch (error) {
    if (refreshToken && refreshToken !== before.refreshToken) {
      // The signal of the client would leave the token alive.
      const { signal } = new AbortController();
      await client.revokeToken(refreshToken, "refresh_token", { signal })
        .catch(() => {});
    }
    throw error;
  }
}

/**
 * Returns the ID token of a refresh or, if there is none, that of the token
 * before, which the next refresh is compared with. Its signature is not
 * verified: it comes from the token endpoint (OpenID Connect Core section
 * 3.1.3.7).
 *
 * @throws {ValidationError} If it is of another login than the one before.
 */
function idTokenAfter(idToken: unknown, before: unknown): unknown {
  const expected = readClaims(before);
  if (!expected) return idToken;
  if (idToken == null) return before;
  const claims = readClaims(idToken);
  if (!claims) fail("malformed_jwt", "it is not a JWT with claims");
  for (const name of CLAIMS) {
    if (claims[name] === undefined && isOptional(name, claims)) continue;
    if (textOf(claims[name]) !== textOf(expected[name])) {
      fail(`invalid_${name}`, `its ${name} differs from the login`);
    }
  }
  return idToken;
}

/**
 * Returns true for a claim that an ID token of a refresh may leave out, although
 * that of the login has it. `azp` says nothing more than an only audience, and
 * mock-oauth2-server leaves it out.
 */
function isOptional(name: string, { aud }: Fields): boolean {
  return name === "nonce" || name === "azp" && [aud].flat().length === 1;
}

function readClaims(jwt: unknown): Fields | undefined {
  const [, payload, signature] = String(jwt).split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const bytes = fromBase64(payload);
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isPlainObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a claim as JSON; an audience is a text, or a list in any order. */
function textOf(claim: unknown): string {
  return JSON.stringify(
    Array.isArray(claim)
      ? claim.length === 1 ? claim[0] : [...claim].sort()
      : claim,
  );
}

function fail(code: ValidationCode, state: string): never {
  throw new ValidationError(
    code,
    `Cannot use the ID token of the refresh: ${state}`,
  );
}
