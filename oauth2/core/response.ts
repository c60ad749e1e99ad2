import { config } from "./config.ts";
import type { OAuth2Error } from "./error.ts";
import type { HeaderSource } from "./headers.ts";
import { Inspectable } from "./inspectable.ts";
import { mediaType } from "./media_type.ts";
import { isPlainObject } from "./params.ts";
import {
  findParser,
  MalformedBody,
  type Parse,
  type Parser,
  type Parsers,
  registerParser,
} from "./parsers.ts";
import { snaky } from "./snaky.ts";

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
    registerParser(name, mimeTypes, parser);
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

function toSnaky(fields: Record<string, unknown>): Record<string, unknown> {
  try {
    return snaky(fields) as Record<string, unknown>;
  } catch {
    throw new MalformedBody("Cannot parse the body: it is nested too deeply");
  }
}
