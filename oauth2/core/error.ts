/**
 * Safety of repeating a request:
 *
 * - `safe`;
 * - `if refused`: only if the server did not act on it (RFC 9110 section 9.2.2);
 * - `if unsent`: likewise for a refresh token, which the server may have
 *   replaced (RFC 6749 section 6), or if no connection was made;
 * - `never`, for an authorization code, whose second use may revoke its tokens
 *   (RFC 6749 section 4.1.2).
 */
export type Repetition = "safe" | "if refused" | "if unsent" | "never";

/** Options of a {@linkcode ConnectionError}. */
export interface ConnectionErrorOptions extends ErrorOptions {
  /**
   * True if sending the same request again is safe and may succeed.
   *
   * @default {false}
   */
  retryable?: boolean;
}

/**
 * Missing or incomplete response: the server is unreachable, or the connection
 * was lost. The `cause` has name, message and `code` (e.g. `ECONNREFUSED`) of
 * the original error, with the secrets of the request redacted.
 */
export class ConnectionError extends Error {
  /** `ConnectionError` or `TimeoutError`. */
  override readonly name: string = "ConnectionError";
  /** True if sending the same request again is safe and may succeed. */
  readonly retryable: boolean;

  /** Creates an error; the message must not contain secrets. */
  constructor(message?: string, options: ConnectionErrorOptions = {}) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }
}

/** No complete response within the timeout. */
export class TimeoutError extends ConnectionError {
  /** Always `TimeoutError`. */
  override readonly name = "TimeoutError";
}

/**
 * Refuses an unknown option value, or a method that a grant does not have.
 *
 * @throws {DOMException} Always, as a `NotSupportedError`.
 */
export function notSupported(message: string): never {
  throw new DOMException(message, "NotSupportedError");
}
