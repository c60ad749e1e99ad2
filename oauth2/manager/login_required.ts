/**
 * Sessions that only a login continues.
 *
 * @module
 */
import { OAuth2Error } from "../error.ts";
import { TokenManagerError } from "./manager_error.ts";
import type { TokenRecord } from "./record.ts";

/** Returns true for the error of a refresh token that is invalid for good. */
export function isFinal(error: unknown): boolean {
  return error instanceof OAuth2Error && error.code === "invalid_grant";
}

/**
 * Checks that a record has a refresh token.
 *
 * @throws {TokenManagerError} If it has not.
 */
export function checkRefreshable(record: TokenRecord | undefined): void {
  if (record?.ended === REVOKED) loginRequired("it was revoked");
  if (record?.ended !== undefined) loginRequired(SESSION_ENDED);
  if (!record?.token) loginRequired("there is none");
  if (!record.token.refresh_token) {
    loginRequired("it is not valid any more, and there is no refresh token");
  }
}

/** End of a session whose token was revoked, or is to be. */
export const REVOKED = "revoked";

/** Reason of the error for a session that the server has ended. */
export const SESSION_ENDED = "the server has ended the session";

/**
 * Refuses a call until the next login.
 *
 * @throws {TokenManagerError} Always.
 */
export function loginRequired(reason: string, cause?: unknown): never {
  throw new TokenManagerError(`Cannot get a token: ${reason}`, {
    code: "login_required",
    kind: "oauth",
    ...(cause !== undefined && { cause }),
  });
}
