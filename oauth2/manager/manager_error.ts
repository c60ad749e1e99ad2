import type { ErrorKind } from "../core/errors.ts";

/**
 * Reason of a {@linkcode TokenManagerError}:
 *
 * - `login_required`: there is no token, or the session has ended;
 * - `refresh_failed`: no new token at the moment; see `retryAfter`;
 * - `store_failed`: the store failed;
 * - `unreadable_token`: the store has a value of another kind or version;
 * - `foreign_token`: the store has a token of another server or client;
 * - `invalid_key`: the token is bound to another key than that of the client.
 */
export type TokenManagerCode =
  | "login_required"
  | "refresh_failed"
  | "store_failed"
  | "unreadable_token"
  | "foreign_token"
  | "invalid_key";

/** Options of a {@linkcode TokenManagerError}. */
export interface TokenManagerErrorOptions extends ErrorOptions {
  /** Reason. */
  code: TokenManagerCode;
  /** Kind, as `describeError` returns it. */
  kind: ErrorKind;
  /**
   * True if the same call is safe to repeat and may succeed.
   *
   * @default {false}
   */
  retryable?: boolean;
  /** Seconds until the next attempt. */
  retryAfter?: number | undefined;
}

/**
 * Missing token. The `cause` is the error of the request or of the store.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { TokenManager, TokenManagerError } from "@carteiro/oauth2/manager";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 * });
 * const api = new TokenManager({ client });
 * try {
 *   await api.fetch("/me");
 * } catch (error) {
 *   console.assert(error instanceof TokenManagerError);
 *   console.assert((error as TokenManagerError).code === "login_required");
 * }
 * ```
 */
export class TokenManagerError extends Error {
  /** Always `TokenManagerError`. */
  override readonly name = "TokenManagerError";
  /** Reason. */
  readonly code: TokenManagerCode;
  /** Kind, as `describeError` returns it. */
  readonly kind: ErrorKind;
  /**
   * True if the same call is safe to repeat and may succeed. False if the server
   * may have replaced the refresh token in a response that did not arrive: the
   * next attempt may end the session.
   */
  readonly retryable: boolean;
  /** Seconds until the next attempt. */
  readonly retryAfter: number | undefined;

  /** Creates an error; the message must not contain secrets. */
  constructor(message: string, options: TokenManagerErrorOptions) {
    super(message, options);
    this.code = options.code;
    this.kind = options.kind;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** Returns true for the error with a code. */
export function hasCode(
  error: unknown,
  code: TokenManagerCode,
): error is TokenManagerError {
  return error instanceof TokenManagerError && error.code === code;
}

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
