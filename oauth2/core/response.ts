import { FORM_TYPE } from "./body.ts";
import { parseChallenges } from "./challenges.ts";
import { config } from "./config.ts";
import type { Repetition } from "./error.ts";
import { type HeaderSource, isJsonType, mediaType } from "./headers.ts";
import { Inspectable } from "./inspectable.ts";
import { isPlainObject } from "./params.ts";
import { MalformedBody, parseForm, parseJson } from "./parsers.ts";
import { oneLine } from "./redactor.ts";
import { snaky } from "./snaky.ts";

/**
 * Function that parses a body. If it throws, the error is the `parseError` of
 * the response, and `parsed` is the body as text.
 */
export type Parser = (body: string, response: OAuth2Response) => unknown;

/** Parsers by name or media type. */
export type Parsers = { readonly [nameOrMediaType: string]: Parser };

/**
 * Parser, name of a parser, or false for text. Undefined and unknown names
 * select the parser of the media type.
 */
export type Parse = string | Parser | false;

/** Received response. */
export interface OAuth2ResponseInit {
  /** HTTP status. */
  status: number;
  /**
   * HTTP headers.
   *
   * @default {{}}
   */
  headers?: HeaderSource | undefined;
  /**
   * Body, as text or bytes.
   *
   * @default {""}
   */
  body?: string | Uint8Array | undefined;
  /**
   * URL of the response, after redirects.
   *
   * @default {""}
   */
  url?: string | undefined;
  /** Reason why the response cannot be used, e.g. a body over the limit. */
  problem?: string | undefined;
}

/**
 * Class of parsed objects. Its two hooks convert the fields of a response to an
 * instance and back.
 *
 * @example
 * ```ts
 * import { Client, type HashClass } from "@carteiro/oauth2";
 *
 * class Account {
 *   constructor(readonly fields: Record<string, unknown>) {}
 *   static load = (fields: Record<string, unknown>) => new Account(fields);
 *   static dump = (account: Account) => account.fields;
 * }
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: () => Promise.resolve(Response.json({ userName: "ana" })),
 * });
 * const snakyHashClass: HashClass<Account> = Account;
 * const { parsed } = await client.request("get", "/me", { snakyHashClass });
 * console.assert((parsed as Account).fields.user_name === "ana");
 * ```
 */
export interface HashClass<T extends object = object> {
  /** Creates an instance from fields with names in snake case. */
  load(fields: Record<string, unknown>): T;
  /** Returns the fields of an instance, from which a token is read. */
  dump(instance: T): Record<string, unknown>;
}

/** Options for parsing a response. */
export interface ParseOptions {
  /**
   * Parser of the body, or its name.
   *
   * @default {the parser of the media type}
   */
  parse?: Parse | undefined;
  /**
   * Parser of a body without a media type.
   *
   * @default {text}
   */
  untyped?: Parser | undefined;
  /**
   * Converts the names in a parsed object to snake case. Top-level arrays are
   * not converted.
   *
   * @default {`snaky` of the client, or true with a `snakyHashClass`}
   */
  snaky?: boolean | undefined;
  /**
   * Class of parsed objects.
   *
   * @default {plain objects}
   */
  // deno-lint-ignore no-explicit-any -- load and dump of one class agree on its type
  snakyHashClass?: HashClass<any> | undefined;
}

/** Settings of a client for parsing and printing responses. */
export interface ResponseSettings {
  /** Parsers of the client; they override those of the process. */
  readonly parsers?: Parsers | undefined;
  /** Text that replaces the body when the response is printed. */
  readonly label?: string | undefined;
}

const PARSERS = new Map<string, Parser>([
  ["json", parseJson],
  ["application/json", parseJson],
  ["text/javascript", parseJson],
  ["query", parseForm],
  [FORM_TYPE, parseForm],
  ["text", parseText],
]);

/** Creating one for each response would take as long as decoding. */
const DECODER = new TextDecoder();

/** Result of a parser. */
interface Parsed {
  readonly value: unknown;
  /** True if `value` is an instance of `snakyHashClass`. */
  readonly isLoaded?: boolean;
  readonly error?: unknown;
}

/**
 * Response with its complete body. `T` is the type of
 * {@linkcode OAuth2Response.parsed}; it is not checked.
 *
 * Printing a response shows neither body nor headers.
 *
 * @example
 * ```ts
 * import { OAuth2Response } from "@carteiro/oauth2";
 *
 * const response = new OAuth2Response<{ userName: string }>({
 *   status: 200,
 *   headers: { "content-type": "application/json" },
 *   body: '{"userName":"ana"}',
 * });
 * console.assert(response.contentType === "application/json");
 * console.assert(response.parsed.userName === "ana");
 * ```
 */
export class OAuth2Response<T = unknown> extends Inspectable {
  /** HTTP status. */
  readonly status: number;
  /** Reason why the response cannot be used, e.g. a body over the limit. */
  readonly problem: string | undefined;
  /**
   * Error of the response if the call has `raiseErrors: false`: an error
   * status, an `error` of the authorization server, a missing token or an
   * invalid body.
   */
  error: OAuth2Error | undefined;
  #headers: Headers;
  #url: string;
  #bytes: Uint8Array | undefined;
  #body: string | undefined;
  #options: ParseOptions & ResponseSettings;
  #parsed: Parsed | undefined;

  /** Creates a response. */
  constructor(
    init: OAuth2ResponseInit,
    options: ParseOptions & ResponseSettings = {},
  ) {
    super();
    const { status, headers, body, url = "", problem } = init;
    this.status = status;
    this.problem = problem;
    this.#headers = headers instanceof Headers ? headers : new Headers(headers);
    this.#url = url;
    if (typeof body === "string") this.#body = body.replace(/^\uFEFF/, "");
    else this.#bytes = body;
    this.#options = options;
  }

  /**
   * Registers a parser for the process, used for these media types and for
   * calls with `parse: name`. For a single client, use its option `parsers`.
   *
   * @example
   * ```ts
   * import { OAuth2Response } from "@carteiro/oauth2";
   *
   * OAuth2Response.registerParser(
   *   "csv",
   *   ["text/csv"],
   *   (body) => body.trim().split("\n").map((line) => line.split(",")),
   * );
   * ```
   */
  static registerParser(
    name: string,
    mimeTypes: readonly string[],
    parser: Parser,
  ): void {
    for (const key of [name, ...mimeTypes]) {
      PARSERS.set(key.toLowerCase(), parser);
    }
  }

  /** HTTP headers. */
  get headers(): Headers {
    return this.#headers;
  }

  /** URL of the response, after redirects. */
  get url(): string {
    return this.#url;
  }

  /** True for the statuses 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** True for 301, 302, 303, 307 and 308. */
  get isRedirect(): boolean {
    return [301, 302, 303, 307, 308].includes(this.status);
  }

  /** Media type in lower case and without parameters, or "". */
  get contentType(): string {
    return mediaType(this.headers.get("content-type"));
  }

  /** Body as text, decoded as UTF-8. */
  get body(): string {
    return this.#body ??= DECODER.decode(this.#bytes);
  }

  /** Body as bytes. */
  get bytes(): Uint8Array {
    return this.#bytes ??= new TextEncoder().encode(this.#body);
  }

  /**
   * Parsed body: an object for a form or JSON object, an array for a JSON
   * array, the result of a custom parser, or otherwise the body as text. Never
   * throws: if the parser fails, its error is {@linkcode
   * OAuth2Response.parseError}.
   */
  get parsed(): T {
    return this.#parse().value as T;
  }

  /** Error of the parser. It may quote the body: do not log it. */
  get parseError(): unknown {
    return this.#parse().error;
  }

  /**
   * Fields of a parsed object of any class.
   *
   * @throws {Error} If `dump` of `snakyHashClass` throws.
   */
  get fields(): Record<string, unknown> | undefined {
    const { value, isLoaded } = this.#parse();
    return isLoaded
      ? this.#options.snakyHashClass!.dump(value as object)
      : isPlainObject(value)
      ? value
      : undefined;
  }

  /** Returns status and content type, with the body redacted. */
  override toJSON(): Record<string, unknown> {
    return {
      status: this.status,
      contentType: this.contentType,
      body: this.body && (this.#options.label ?? config.filteredLabel),
    };
  }

  #parse(): Parsed {
    if (!this.#parsed) {
      try {
        this.#parsed = this.#parseBody();
      } catch (error) {
        this.#parsed = { value: this.body, error };
      }
    }
    return this.#parsed;
  }

  #parseBody() {
    const { parse, untyped, snakyHashClass, parsers } = this.#options;
    const { snaky: isSnaky = snakyHashClass !== undefined } = this.#options;
    const parser = findParser(parse, this.contentType, untyped, parsers);
    const value = parser(this.body, this);
    if (!isPlainObject(value)) return { value };
    const fields = isSnaky ? toSnaky(value) : value;
    return snakyHashClass
      ? { value: snakyHashClass.load(fields), isLoaded: true }
      : { value: fields };
  }
}

/** Returns the parser of a call, a client or a media type. */
function findParser(
  parse: Parse | undefined,
  contentType: string,
  untyped: Parser = parseText,
  own: Parsers = {},
): Parser {
  if (typeof parse === "function") return parse;
  if (parse === false) return parseText;
  const find = (key: string) => {
    const name = Object.keys(own).find((name) => name.toLowerCase() === key);
    return (name !== undefined && own[name]) || PARSERS.get(key);
  };
  return (parse && find(parse.toLowerCase())) || find(contentType) ||
    (isJsonType(contentType)
      ? parseJson
      : contentType === ""
      ? untyped
      : parseText);
}

function parseText(body: string): string {
  return body;
}

function toSnaky(fields: Record<string, unknown>): Record<string, unknown> {
  try {
    return snaky(fields) as Record<string, unknown>;
  } catch {
    throw new MalformedBody("Cannot parse the body: it is nested too deeply");
  }
}

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
