import { oneLine } from "./redact.ts";

/** What an error needs to know of the answer that it tells about. */
export interface ErrorResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The body as text. It may hold secrets, and is never part of a message. */
  readonly body: string;
  /** What was read from the body. */
  readonly parsed: unknown;
  /** The fields of a parsed object. */
  readonly fields: Record<string, unknown> | undefined;
}

/** What an {@link OAuth2Error} may be told besides the answer. */
export interface OAuth2ErrorOptions {
  /**
   * What went wrong, where the answer itself does not say so; what it says
   * follows in parentheses.
   *
   * @default the `error` and `error_description` of the answer
   */
  message?: string | undefined;
  /** Hides what must not show in a text of the server. */
  redact?: (text: string) => string;
  /**
   * The time at which the answer came, in milliseconds since 1970. A
   * `Retry-After` that is a date counts from here.
   *
   * @default Date.now()
   */
  now?: number;
}

/** A parameter of a challenge (RFC 9110 section 11.2). */
const AUTH_PARAM = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g;
/** No server needs a longer one, and finding names takes time. */
const MAX_CHALLENGE = 2000;
const RETRYABLE_STATUS = [408, 425, 429, 500, 502, 503, 504];
const RETRYABLE_CODE = /^(temporarily_unavailable|server_error)$/;

/**
 * A server answered, and the answer is an error or cannot be used.
 *
 * The code and the description are the server's (RFC 6749 section 5.2; for
 * resource servers also the `WWW-Authenticate` header, RFC 6750 section 3).
 * Neither they nor the message hold a part of the body beyond that, nor a
 * secret that the request carried.
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
  /** The error code of the server, such as `invalid_grant`. */
  readonly code: string | undefined;
  /** What the server says about it, for developers. */
  readonly description: string | undefined;
  /** Where the server explains it. */
  readonly uri: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the server asks to wait first, in seconds. */
  readonly retryAfter: number | undefined;
  #response: ErrorResponse;

  /** Makes an error of an answer. */
  constructor(response: ErrorResponse, options: OAuth2ErrorOptions = {}) {
    const { redact = oneLine, now = Date.now() } = options;
    const { code, description, uri } = readError(response, redact);
    const said = [code, description].filter((text) => text).join(": ");
    super(
      options.message === undefined
        ? said || `Got status ${response.status}`
        : said
        ? `${options.message} (${said})`
        : options.message,
    );
    this.code = code;
    this.description = description;
    this.uri = uri;
    this.status = response.status;
    this.retryable = RETRYABLE_STATUS.includes(response.status) ||
      RETRYABLE_CODE.test(code ?? "");
    this.retryAfter = readRetryAfter(response.headers, now);
    this.#response = response;
  }

  /** The answer, with its whole body: not for logs. */
  get response(): ErrorResponse {
    return this.#response;
  }
}

/**
 * No answer came: the server cannot be reached, or went away half-way. The
 * message tells the cause, without secrets.
 */
export class ConnectionError extends Error {
  /** `ConnectionError`, or `TimeoutError` for the subclass. */
  override readonly name: string = "ConnectionError";
  /** Whether the same call may succeed later: always. */
  readonly retryable = true;
}

/** No whole answer came in time. */
export class TimeoutError extends ConnectionError {
  /** Always `TimeoutError`. */
  override readonly name = "TimeoutError";
}

/**
 * Refuses what is not part of the specifications, or not of this library.
 *
 * @throws {DOMException} Always a `NotSupportedError`.
 */
export function notSupported(what: string): never {
  throw new DOMException(`There is no ${what}`, "NotSupportedError");
}

function readError(
  { fields, headers }: ErrorResponse,
  redact: (text: string) => string,
) {
  const text = headers.get("www-authenticate")?.slice(0, MAX_CHALLENGE) ?? "";
  const challenge = new Map(
    [...text.matchAll(AUTH_PARAM)]
      .map(([, name, quoted, bare]) =>
        [name, quoted?.replace(/\\(.)/g, "$1") ?? bare] as const
      ),
  );
  const read = (name: string) => {
    const value = fields?.[name] ?? challenge.get(name);
    return typeof value === "string" ? redact(value) : undefined;
  };
  return {
    code: read("error"),
    description: read("error_description"),
    uri: read("error_uri"),
  };
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // V8 takes even "-5" for a date; those of HTTP begin with the day's name.
  const date = /^[A-Z]/.test(value) ? Date.parse(value) : NaN;
  return date ? Math.max(0, Math.ceil((date - now) / 1000)) : undefined;
}
