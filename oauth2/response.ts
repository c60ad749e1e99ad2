import type { HeaderSource } from "./headers.ts";
import type { OAuth2Error } from "./error.ts";
import {
  findParser,
  type Parse,
  type Parseable,
  type Parser,
  registerParser,
} from "./parsers.ts";
import { isPlainObject } from "./params.ts";
import { Redactor } from "./redact.ts";
import { Redacted } from "./redacted.ts";
import { snaky } from "./snaky.ts";

/** What came over the wire. */
export interface OAuth2ResponseInit {
  /** The HTTP status. */
  status: number;
  /**
   * The headers of the answer.
   *
   * @default {}
   */
  headers?: HeaderSource | undefined;
  /**
   * The body.
   *
   * @default ""
   */
  body?: string | Uint8Array | undefined;
  /**
   * The address that answered, after redirects.
   *
   * @default ""
   */
  url?: string | undefined;
  /** Why the answer cannot be used, such as a body over the limit. */
  problem?: string | undefined;
}

/**
 * A class for parsed objects. Its two hooks turn the fields of an answer into
 * an instance and back.
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

/** How to read a response. */
export interface ParseOptions {
  /**
   * How to read the body.
   *
   * @default by the media type of the answer
   */
  parse?: Parse | undefined;
  /**
   * How to read a body whose media type is not told.
   *
   * @default as text
   */
  untyped?: Parser | undefined;
  /**
   * Whether the names of parsed objects are turned into snake case.
   *
   * @default true
   */
  snaky?: boolean | undefined;
  /**
   * The class of parsed objects.
   *
   * @default plain objects
   */
  // deno-lint-ignore no-explicit-any -- any class will do: load and dump agree among themselves
  snakyHashClass?: HashClass<any> | undefined;
}

/**
 * What a server answered, body included.
 *
 * It prints without its body and its headers.
 *
 * @example
 * ```ts
 * import { OAuth2Response } from "@carteiro/oauth2";
 *
 * const response = new OAuth2Response({
 *   status: 200,
 *   headers: { "content-type": "application/json" },
 *   body: '{"userName":"ana"}',
 * });
 * console.assert(response.contentType === "application/json");
 * console.assert((response.parsed as { user_name: string }).user_name === "ana");
 * ```
 */
export class OAuth2Response extends Redacted implements Parseable {
  /** The HTTP status. */
  readonly status: number;
  /** Why the answer cannot be used, such as a body over the limit. */
  readonly problem: string | undefined;
  /**
   * The error, for status 400 and above and for token calls without a token,
   * where the caller asked for `raiseErrors: false`.
   */
  error: OAuth2Error | undefined;
  #headers: Headers;
  #url: string;
  #bytes: Uint8Array;
  #body: string | undefined;
  #options: ParseOptions;
  #parsed: { value: unknown; error?: unknown } | undefined;

  /** Makes a response of what came over the wire. */
  constructor(init: OAuth2ResponseInit, options: ParseOptions = {}) {
    super();
    this.status = init.status;
    this.problem = init.problem;
    this.#headers = new Headers(init.headers);
    this.#bytes = init.body instanceof Uint8Array
      ? init.body
      : new TextEncoder().encode(init.body);
    this.#url = init.url ?? "";
    this.#options = options;
  }

  /**
   * Registers a parser for the whole process: responses of these media types
   * are read by it, and `parse: name` asks for it.
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

  /** Whether the status is one of success, 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** Whether the status asks to look elsewhere. */
  get isRedirect(): boolean {
    return [301, 302, 303, 307, 308].includes(this.status);
  }

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#headers;
  }

  /** The address that answered, after redirects. */
  get url(): string {
    return this.#url;
  }

  /** The media type, in lower case and without parameters; "" if not told. */
  get contentType(): string {
    const [type = ""] = (this.#headers.get("content-type") ?? "").split(";");
    return type.trim().toLowerCase();
  }

  /** The body as text, taken for UTF-8 as `fetch` does. */
  get body(): string {
    return this.#body ??= new TextDecoder().decode(this.#bytes);
  }

  /** The body as bytes. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * What the body says: an object for a form or a JSON object, an array for a
   * JSON array, what a parser of the caller's gives, and otherwise the body as
   * text. It never throws: where a parser fails, see {@link parseError}.
   */
  get parsed(): unknown {
    return this.#parse().value;
  }

  /** What the parser threw. It may quote the body: not for logs. */
  get parseError(): unknown {
    return this.#parse().error;
  }

  #parse(): { value: unknown; error?: unknown } {
    if (!this.#parsed) {
      try {
        this.#parsed = { value: this.#read() };
      } catch (error) {
        this.#parsed = { value: this.body, error };
      }
    }
    return this.#parsed;
  }

  #read(): unknown {
    const { parse, untyped, snaky: asSnake = true, snakyHashClass } =
      this.#options;
    const parser = findParser(parse, this.contentType, untyped);
    const value = parser(this.body, this);
    if (!isPlainObject(value)) return value;
    const fields = asSnake ? snaky(value) as Record<string, unknown> : value;
    return snakyHashClass ? snakyHashClass.load(fields) : fields;
  }

  /** The fields of a parsed object, of whatever class it is. */
  get fields(): Record<string, unknown> | undefined {
    const { parsed } = this;
    const { snakyHashClass } = this.#options;
    if (isPlainObject(parsed)) return parsed;
    if (typeof parsed !== "object" || parsed === null || !snakyHashClass) {
      return undefined;
    }
    try {
      return snakyHashClass.dump(parsed);
    } catch {
      // An array, or what a parser of the caller's gave.
      return undefined;
    }
  }

  /** What is shown of the response: no body, and no header but the type. */
  override toJSON(): Record<string, unknown> {
    return {
      status: this.status,
      contentType: this.contentType,
      body: this.body && new Redactor().label,
    };
  }
}
