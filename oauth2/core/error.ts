import { parseChallenges } from "./challenges.ts";
import { oneLine } from "./redactor.ts";
import type { OAuth2Response } from "./response.ts";

/** Options of an {@linkcode OAuth2Error}. */
export interface OAuth2ErrorOptions {
  /**
   * Problem with the response, if it is not an error response. The message adds
   * the server's error in parentheses.
   *
   * @default {`error` and `error_description` of the response}
   */
  message?: string | undefined;
  /** Method and URL of the request, for the message. */
  request?: string | undefined;
  /** Redacts the secrets in a text of the server. */
  redact?: (text: string) => string;
  /** Text that replaces a secret in the results of `redact`. */
  label?: string;
  /**
   * Time of the response in milliseconds since 1970, for a date in
   * `Retry-After`.
   *
   * @default {Date.now()}
   */
  now?: number;
  /**
   * Safety of repeating the request.
   *
   * @default {"safe"}
   */
  repetition?: Repetition;
}

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

/** Schemes of challenges for access tokens, also that of drafts of OAuth. */
const SCHEMES = ["bearer", "dpop", "oauth"];
/** Temporary statuses of a server that did not act on the request. */
const REFUSED_STATUSES = [408, 425, 429, 503];
/** Temporary statuses of a server that may have acted on the request. */
const FAILED_STATUSES = [500, 502, 504];
const RETRYABLE_CODE = /^(temporarily_unavailable|server_error)$/;
/** Problems with responses that the settings forbid. */
const FORBIDDEN = /^Cannot (follow the redirect|read the response)/;
/** Error code in the spelling of the specifications. */
const REGISTERED_CODE = /^[a-z_]{1,99}$/;

/**
 * Error response, or response that cannot be used.
 *
 * `code`, `description` and `uri` are those of the response body (RFC 6749
 * section 5.2) or the `WWW-Authenticate` header (RFC 6750 section 3). The code
 * is unchanged. Description and message contain no secret of the request and no
 * other part of the body.
 *
 * @example
 * ```ts
 * import { Client, OAuth2Error } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: () =>
 *     Promise.resolve(
 *       Response.json({ error: "invalid_grant" }, { status: 400 }),
 *     ),
 * });
 * try {
 *   await client.authCode.getToken("a used code");
 * } catch (error) {
 *   if (!(error instanceof OAuth2Error)) throw error;
 *   console.assert(error.code === "invalid_grant");
 *   console.assert(error.status === 400 && !error.retryable);
 * }
 * ```
 */
export class OAuth2Error extends Error {
  /** Always `OAuth2Error`. */
  override readonly name = "OAuth2Error";
  /**
   * Error code as the server sent it, e.g. `invalid_grant`. A code that
   * contains a secret of the request is not enumerable, so that it is not
   * logged.
   */
  readonly code: string | undefined;
  /** Description of the error for developers. */
  readonly description: string | undefined;
  /** URL of a page about the error. */
  readonly uri: string | undefined;
  /** HTTP status. */
  readonly status: number;
  /** True if sending the same request again is safe and may succeed. */
  readonly retryable: boolean;
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  #response: OAuth2Response;
  #kind: "oauth" | "http" | "parse" | "policy";

  /** Creates the error of a response. */
  constructor(response: OAuth2Response, options: OAuth2ErrorOptions = {}) {
    const { redact = oneLine, now = Date.now(), repetition = "safe" } = options;
    const { code, description, uri } = readError(response);
    const redactedCode = code && redact(code);
    const redactedDescription = description && redact(description);
    // With a user named "client", `invalid_client` stays readable.
    const isReadable = redactedCode === code ||
      redactedCode !== options.label && REGISTERED_CODE.test(code ?? "");
    const serverMessage = [
      isReadable ? code : redactedCode,
      redactedDescription,
    ].filter((text) => text).join(": ");
    const { message = serverMessage || `Got status ${response.status}` } =
      options;
    const details = [
      message !== serverMessage && serverMessage,
      options.request,
    ]
      .filter((text) => text).join("; ");
    super(details ? `${message} (${details})` : message);
    // A message is a fixed text of this library, followed by details.
    this.#kind = options.message === undefined
      ? code === undefined ? "http" : "oauth"
      : FORBIDDEN.test(options.message)
      ? "policy"
      : "parse";
    this.code = code;
    if (redactedCode !== code) {
      // Bun prints a data property `code` even if it is not enumerable.
      Object.defineProperty(this, "code", {
        get: () => code,
        enumerable: false,
      });
    }
    this.description = redactedDescription;
    this.uri = uri && redact(uri);
    this.status = response.status;
    this.retryable = repetition !== "never" &&
      (REFUSED_STATUSES.includes(response.status) ||
        repetition === "safe" &&
          (FAILED_STATUSES.includes(response.status) ||
            RETRYABLE_CODE.test(code ?? "")));
    this.retryAfter = readRetryAfter(response.headers, now);
    this.#response = response;
  }

  /** Kind, as `describeError` returns it. */
  get kind(): "oauth" | "http" | "parse" | "policy" {
    return this.#kind;
  }

  /** Response, with its body: do not log it. */
  get response(): OAuth2Response {
    return this.#response;
  }
}

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

/**
 * Reads the error from the body, or from the challenge if the body has no code.
 */
function readError(response: OAuth2Response) {
  const sources = [readChallenge(response.headers), readFields(response)];
  if (typeof sources[1]!.error === "string") sources.reverse();
  const read = (name: string) => {
    const texts = sources.map((source) => source[name]);
    return texts.find((text) => typeof text === "string") as string | undefined;
  };
  return {
    code: read("error"),
    description: read("error_description"),
    uri: read("error_uri"),
  };
}

function readFields(response: OAuth2Response): Record<string, unknown> {
  try {
    return response.fields ?? {};
  } catch {
    // A failing `dump` of the caller must not hide the status.
    return {};
  }
}

function readChallenge(headers: Headers): Record<string, unknown> {
  const challenges = parseChallenges(headers)
    .filter(({ scheme }) => SCHEMES.includes(scheme));
  const found = challenges.find(({ params }) => params.error !== undefined);
  return (found ?? challenges[0])?.params ?? {};
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // V8 parses even "-5" as a date; an HTTP date begins with the day of the
  // week.
  const date = /^[A-Z]/.test(value) ? Date.parse(value) : NaN;
  return date ? Math.max(0, Math.ceil((date - now) / 1000)) : undefined;
}
