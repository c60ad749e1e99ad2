import type { ErrorKind } from "../core/errors.ts";

/**
 * Reason of a {@linkcode SessionError}:
 *
 * - `login_loop`: users sign in again and again, because their sessions are not
 *   found;
 * - `missing_cookie`: a callback without the cookie of its login;
 * - `session_ended`: the server ended the session during the login;
 * - `cross_site`: another site asked for the logout.
 */
export type SessionErrorCode =
  | "login_loop"
  | "missing_cookie"
  | "session_ended"
  | "cross_site";

/** Request that a {@linkcode Session} refuses. */
export class SessionError extends Error {
  /** Always `SessionError`. */
  override readonly name = "SessionError";
  /** Kind, as `describeError` returns it. */
  readonly kind: ErrorKind = "policy";
  /** Reason. */
  readonly code: SessionErrorCode;

  /** Creates an error. */
  constructor(code: SessionErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
