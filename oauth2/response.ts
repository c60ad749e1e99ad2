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

/** Response as it came over the wire. */
export interface OAuth2ResponseInit {
  /** The HTTP status. */
  status: number;
  /**
   * HTTP headers.
   *
   * @default {}
   */
  headers?: HeaderSource | undefined;
  /**
   * Body, as text or bytes.
   *
   * @default ""
   */
  body?: string | Uint8Array | undefined;
  /**
   * URL that answered, after redirects.
   *
   * @default ""
   */
  url?: string | undefined;
  /** Problem that makes the response unusable, such as a body over the limit. */
  problem?: string | undefined;
}

/**
 * Class of parsed objects. Its two hooks turn the fields of a response into an
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
  /** Makes an instance of the fields of an object, names in snake case. */
  load(fields: Record<string, unknown>): T;
  /** Gives the fields of an instance back: a token is made of them. */
  dump(instance: T): Record<string, unknown>;
}

/** Options by which a response is read. */
export interface ParseOptions {
  /**
   * Parser of the body, or its name.
   *
   * @default by the media type
   */
  parse?: Parse | undefined;
  /**
   * Parser of a body without a media type.
   *
   * @default text
   */
  untyped?: Parser | undefined;
  /**
   * Turns the names in parsed objects into snake case; those in a list that is
   * the whole body stay.
   *
   * @default the `snaky` of the client, which is true
   */
  snaky?: boolean | undefined;
  /**
   * Class of parsed objects.
   *
   * @default plain objects
   */
  // deno-lint-ignore no-explicit-any -- any class will do: load and dump agree among themselves
  snakyHashClass?: HashClass<any> | undefined;
}

/** Settings of a client by which its responses are read and printed. */
export interface ResponseSettings {
  /** Parsers of the client, before those of the process. */
  readonly parsers?: Parsers | undefined;
  /** Text that replaces the body in print. */
  readonly label?: string | undefined;
}

/** Result of a parser. */
interface Parsed {
  readonly value: unknown;
  /** True if `value` is of the caller's class. */
  readonly isLoaded?: boolean;
  readonly error?: unknown;
}

/**
 * Response of a server, body included. `T` is the type that the caller gives to
 * {@link OAuth2Response.parsed}; it is not checked.
 *
 * It prints without its body and its headers.
 *
 * @example
 * ```ts
 * import { OAuth2Response } from "@carteiro/oauth2";
 *
 * const response = new OAuth2Response<{ user_name: string }>({
 *   status: 200,
 *   headers: { "content-type": "application/json" },
 *   body: '{"userName":"ana"}',
 * });
 * console.assert(response.contentType === "application/json");
 * console.assert(response.parsed.user_name === "ana");
 * ```
 */
export class OAuth2Response<T = unknown> extends Inspectable {
  /** HTTP status. */
  readonly status: number;
  /** Problem that makes the response unusable, such as a body over the limit. */
  readonly problem: string | undefined;
  /**
   * Error of the response, where the call has `raiseErrors: false`: an error
   * status, an `error` of the authorization server, a missing token, an unusable
   * body.
   */
  error: OAuth2Error | undefined;
  #headers: Headers;
  #url: string;
  #bytes: Uint8Array | undefined;
  #body: string | undefined;
  #options: ParseOptions & ResponseSettings;
  #parsed: Parsed | undefined;

  /** Makes a response of what came over the wire. */
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
   * Registers a parser for the whole process: responses of these media types
   * are read by it, and `parse: name` asks for it. The option `parsers` of a
   * client is for that client alone.
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

  /** URL that answered, after redirects. */
  get url(): string {
    return this.#url;
  }

  /** True for the statuses of success, 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** True for the statuses of redirects with a `Location`. */
  get isRedirect(): boolean {
    return isRedirect(this.status);
  }

  /** Media type, in lower case and without parameters; "" if absent. */
  get contentType(): string {
    return mediaType(this.headers.get("content-type"));
  }

  /** Body as text, taken for UTF-8 as `fetch` does. */
  get body(): string {
    return this.#body ??= new TextDecoder().decode(this.#bytes);
  }

  /** Body as bytes. */
  get bytes(): Uint8Array {
    return this.#bytes ??= new TextEncoder().encode(this.#body);
  }

  /**
   * Parsed body: an object for a form or a JSON object, an array for a JSON
   * array, the result of a caller's parser, and otherwise the body as text. It
   * never throws: where a parser fails, see {@link OAuth2Response.parseError}.
   */
  get parsed(): T {
    return this.#parse().value as T;
  }

  /** Error of the parser. It may quote the body: not for logs. */
  get parseError(): unknown {
    return this.#parse().error;
  }

  /**
   * Fields of a parsed object, of whatever class it is.
   *
   * @throws {Error} As the `dump` of the caller's class does.
   */
  get fields(): Record<string, unknown> | undefined {
    const { value, isLoaded } = this.#parse();
    return isLoaded
      ? this.#options.snakyHashClass!.dump(value as object)
      : isPlainObject(value)
      ? value
      : undefined;
  }

  /** View of the response without its body and its headers. */
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
        this.#parsed = this.#read();
      } catch (error) {
        this.#parsed = { value: this.body, error };
      }
    }
    return this.#parsed;
  }

  #read() {
    const { parse, untyped, snaky: asSnake = true, snakyHashClass, parsers } =
      this.#options;
    const parser = findParser(parse, this.contentType, untyped, parsers);
    const value = parser(this.body, this);
    if (!isPlainObject(value)) return { value };
    const fields = asSnake ? spell(value) : value;
    return snakyHashClass
      ? { value: snakyHashClass.load(fields), isLoaded: true }
      : { value: fields };
  }
}

function spell(fields: Record<string, unknown>): Record<string, unknown> {
  try {
    return snaky(fields) as Record<string, unknown>;
  } catch {
    throw new MalformedBody("Cannot parse the body: it is nested too deep");
  }
}

/** True for the statuses of redirects with a `Location`. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
