import { oneLine } from "./redactor.ts";
import type { OAuth2Response } from "./response.ts";

/** Details of an {@link OAuth2Error} that the response does not tell. */
export interface OAuth2ErrorOptions {
  /**
   * Problem with the response, where the response itself does not tell it; the
   * server's own words follow in parentheses.
   *
   * @default the `error` and `error_description` of the response
   */
  message?: string | undefined;
  /** Redacts a text of the server. */
  redact?: (text: string) => string;
  /** Text that {@link OAuth2ErrorOptions.redact} puts in the place of a secret. */
  label?: string;
  /**
   * Time of the response in milliseconds since 1970, from which a `Retry-After`
   * with a date counts.
   *
   * @default Date.now()
   */
  now?: number;
  /**
   * Safety of sending the request again.
   *
   * @default "safe"
   */
  repetition?: Repetition;
}

/**
 * Safety of sending a request again: `safe`; `if refused`, unless the server may
 * have acted on it (RFC 9110 section 9.2.2); `never`, as an authorization code,
 * whose second use revokes its tokens (RFC 6749 section 4.1.2).
 */
export type Repetition = "safe" | "if refused" | "never";

/** A parameter of a challenge (RFC 9110 section 11.2). */
const AUTH_PARAM = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g;
/** Longer ones do not occur, and finding names takes time. */
const MAX_CHALLENGE = 2000;
/** Statuses of a server that did not act on the request. */
const REFUSED_FOR_NOW = [408, 425, 429, 503];
/** Statuses of a server that may have acted on the request. */
const FAILED_FOR_NOW = [500, 502, 504];
const RETRYABLE_CODE = /^(temporarily_unavailable|server_error)$/;
/** Error codes as the specifications spell them. */
const ORDINARY_CODE = /^[a-z_]{1,99}$/;

/**
 * Response of a server that is an error or cannot be used.
 *
 * Code and description are the server's (RFC 6749 section 5.2; for resource
 * servers also the `WWW-Authenticate` header, RFC 6750 section 3). The code is
 * what the server sent. Neither description nor message hold a secret that the
 * request carried, nor any other part of the body.
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
 *   await client.authCode.getToken("a code that was used before");
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
   * Error code as the server sent it, such as `invalid_grant`. Not enumerable,
   * and so not logged with the error, if it holds a secret of the request.
   */
  readonly code: string | undefined;
  /** Description of the server for developers. */
  readonly description: string | undefined;
  /** URL of the server's page about the error. */
  readonly uri: string | undefined;
  /** HTTP status. */
  readonly status: number;
  /** Tells that sending the same request later is safe and may succeed. */
  readonly retryable: boolean;
  /** Seconds until the next attempt, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  #response: OAuth2Response;

  /** Makes an error of a response. */
  constructor(response: OAuth2Response, options: OAuth2ErrorOptions = {}) {
    const { redact = oneLine, now = Date.now(), repetition = "safe" } = options;
    const { code, description, uri } = readError(response);
    const shownCode = code && redact(code);
    const shown = description && redact(description);
    // One of plain words stays readable where a user is named "client".
    const isReadable = shownCode === code ||
      shownCode !== options.label && ORDINARY_CODE.test(code ?? "");
    const said = [isReadable ? code : shownCode, shown]
      .filter((text) => text).join(": ");
    super(
      options.message === undefined
        ? said || `Got status ${response.status}`
        : said
        ? `${options.message} (${said})`
        : options.message,
    );
    this.code = code;
    if (shownCode !== code) {
      // Bun prints a `code` that is a value, enumerable or not.
      Object.defineProperty(this, "code", {
        get: () => code,
        enumerable: false,
      });
    }
    this.description = shown;
    this.uri = uri && redact(uri);
    this.status = response.status;
    this.retryable = repetition !== "never" &&
      (REFUSED_FOR_NOW.includes(response.status) ||
        repetition === "safe" &&
          (FAILED_FOR_NOW.includes(response.status) ||
            RETRYABLE_CODE.test(code ?? "")));
    this.retryAfter = readRetryAfter(response.headers, now);
    this.#response = response;
  }

  /** The response, with its whole body: not for logs. */
  get response(): OAuth2Response {
    return this.#response;
  }
}

/** Options of a {@link ConnectionError}. */
export interface ConnectionErrorOptions extends ErrorOptions {
  /**
   * Tells that sending the same request again is safe and may succeed.
   *
   * @default false
   */
  retryable?: boolean;
}

/**
 * Missing answer: the server cannot be reached, or went away half-way. The
 * `cause` has name, message and `code` (such as `ECONNREFUSED`) of the original
 * error, without the secrets of the request.
 */
export class ConnectionError extends Error {
  /** `ConnectionError`, or `TimeoutError` for the subclass. */
  override readonly name: string = "ConnectionError";
  /** Tells that sending the same request again is safe and may succeed. */
  readonly retryable: boolean;

  /** Makes an error of a message without secrets. */
  constructor(message?: string, options: ConnectionErrorOptions = {}) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }
}

/** Missing answer after the timeout. */
export class TimeoutError extends ConnectionError {
  /** Always `TimeoutError`. */
  override readonly name = "TimeoutError";
}

/**
 * Refuses a name without a meaning here, or a call that a grant does not have.
 *
 * @throws {DOMException} Always a `NotSupportedError`.
 */
export function notSupported(what: string): never {
  throw new DOMException(`There is no ${what}`, "NotSupportedError");
}

/** Reads the error from the body if it has a code, else from the challenge. */
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
    // The caller's own class failed; the status is the greater problem.
    return {};
  }
}

function readChallenge(headers: Headers): Record<string, unknown> {
  const text = headers.get("www-authenticate")?.slice(0, MAX_CHALLENGE) ?? "";
  return Object.fromEntries(
    Array.from(text.matchAll(AUTH_PARAM), ([, name, quoted, bare]) => [
      name!.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? bare,
    ]),
  );
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // V8 takes even "-5" for a date; those of HTTP begin with the day's name.
  const date = /^[A-Z]/.test(value) ? Date.parse(value) : NaN;
  return date ? Math.max(0, Math.ceil((date - now) / 1000)) : undefined;
}
