import { config } from "./config.ts";
import { parseInstant, parseSeconds } from "./expiry.ts";
import { refresh } from "./grants.ts";
import { mergeHeaders } from "./headers.ts";
import { onlyDefined, type Resolved, withDefaults } from "./options.ts";
import { parseForm } from "./parsers.ts";
import { Redactor } from "./redact.ts";
import { Redacted } from "./redacted.ts";
import type { CallParams, RequestOptions } from "./request.ts";
import type { OAuth2Response } from "./response.ts";
import { toSnakeCase } from "./snaky.ts";

/** Fields of a token as a server or a caller spells them. */
export type TokenHash = { readonly [field: string]: unknown };

/** Where a request carries the token (RFC 6750 section 2). */
export type Placement = "header" | "query" | "body";

/**
 * Where requests carry the token: always the same place, or one by the verb in
 * lower case. A verb that a map leaves out has it in the header.
 */
export type Mode =
  | Placement
  | ((verb: string) => Placement)
  | { readonly [verb: string]: Placement };

/** How a token is read and used. A server can set none of these. */
export interface TokenOptions {
  /**
   * Seconds by which the token is taken to expire early.
   *
   * @default 0
   */
  expiresLatency?: number | string | undefined;
  /**
   * The field that holds the token.
   *
   * @default the first of access_token, token and accessToken
   */
  tokenName?: string | undefined;
  /**
   * Where requests carry the token.
   *
   * @default "header"
   */
  mode?: Mode | undefined;
  /**
   * The `Authorization` header; `%s` stands for the token.
   *
   * @default "Bearer %s"
   */
  headerFormat?: string | undefined;
  /**
   * The name of the parameter, in the modes query and body.
   *
   * @default "access_token"
   */
  paramName?: string | undefined;
  /** The answer that the token came with. */
  response?: OAuth2Response | undefined;
}

/** Options of a token, and beside them fields that win over the server's. */
export type TokenOverrides = TokenOptions & TokenHash;

/** What a token needs of a client. */
export interface TokenClient {
  /** Whether errors are thrown. */
  readonly raiseErrors: boolean;
  /** The time, in milliseconds since 1970. */
  now(): number;
  /** Says what may be a mistake. */
  warn(message: string): void;
  /** Asks the token endpoint. */
  getToken(
    params: CallParams,
    options: TokenOverrides,
  ): Promise<AccessToken>;
  /** Asks the revocation endpoint. */
  revokeToken(
    token: string,
    tokenTypeHint?: string,
    params?: CallParams,
  ): Promise<OAuth2Response>;
  /** Asks a resource server. */
  request(
    verb: string,
    url: string,
    options?: RequestOptions,
  ): Promise<OAuth2Response>;
}

/** How a class of tokens makes one. */
export type TokenConstructor<T extends AccessToken> = new (
  client: TokenClient,
  token: string,
  hash?: TokenHash,
  options?: TokenOptions,
) => T;

/** A class of tokens: {@link AccessToken}, or one of the caller's that extends it. */
export interface TokenClass<T extends AccessToken> {
  /** Makes a token; by whatever arguments the class likes. */
  new (...args: never[]): T;
  /** Makes a token of the fields of an answer, whose options are set apart. */
  fromHash(
    client: TokenClient,
    hash: TokenHash,
    options: TokenOptions,
  ): AccessToken;
}

/** Where the token is looked for, in this order. An id_token is none. */
const TOKEN_NAMES = ["access_token", "token", "accessToken"];
const REFRESH_TOKEN_NAMES = ["refresh_token", "refreshToken"];
const EXPIRES_AT_NAMES = ["expires_at", "expiresAt"];
const EXPIRES_IN_NAMES = ["expires_in", "expiresIn", "expires"];
/** The options as they are called here and in a hash. */
const OPTION_NAMES = ([
  "expiresLatency",
  "tokenName",
  "mode",
  "headerFormat",
  "paramName",
] as const).map((name) => [name, toSnakeCase(name)] as const);
/** What a hash may hold that is no field of a token. */
const RESERVED_NAMES = ["params", ...OPTION_NAMES.flat()];
/** What must stand apart in a hash to be read as an ordinary field. */
const READ_NAMES = [
  ...RESERVED_NAMES,
  ...TOKEN_NAMES,
  ...REFRESH_TOKEN_NAMES,
  ...EXPIRES_AT_NAMES,
  ...EXPIRES_IN_NAMES,
];
const DEFAULTS = {
  mode: "header",
  headerFormat: "Bearer %s",
  paramName: "access_token",
} satisfies TokenOptions;

/**
 * Sets the fields apart that {@link AccessToken.fromHash} would take for
 * options, so that a server cannot say where a token is sent.
 */
export function setApart(
  fields: TokenHash,
  names: readonly string[] = RESERVED_NAMES,
): TokenHash {
  const entries = Object.entries(fields);
  const apart = entries.filter(([name]) => names.includes(name));
  if (apart.length === 0) return fields;
  return {
    ...Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    params: Object.fromEntries(apart),
  };
}

/**
 * An access token and what came with it.
 *
 * It prints without its values; {@link AccessToken.toHash} gives them all, to be
 * kept in a safe place.
 *
 * @example
 * ```ts
 * import { AccessToken, Client } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: (url) => Promise.resolve(Response.json({ asked: url })),
 * });
 * const token = AccessToken.fromHash(client, {
 *   access_token: "monkey",
 *   refresh_token: "banana",
 *   expires_at: 1700003600,
 * });
 * const { parsed } = await token.get("/me", { params: { fields: "name" } });
 * console.assert(
 *   (parsed as { asked: string }).asked ===
 *     "https://provider.example/me?fields=name",
 * );
 * console.assert(!JSON.stringify(token).includes("monkey"));
 * ```
 */
export class AccessToken extends Redacted {
  #client: TokenClient;
  #token: string;
  #refreshToken: string | undefined;
  #expiresIn: number | undefined;
  #expiresAt: number | undefined;
  #params: Record<string, unknown>;
  #options: Resolved<TokenOptions, typeof DEFAULTS>;

  /**
   * Makes a token of its value and of the other fields and options that
   * {@link AccessToken.fromHash} knows.
   *
   * @throws {TypeError} When there is neither a token nor a refresh token,
   * unless the client does not raise errors.
   */
  constructor(
    client: TokenClient,
    token: string,
    hash: TokenHash = {},
    options: TokenOptions = {},
  ) {
    super();
    const fields = { ...hash };
    this.#client = client;
    this.#token = token;
    this.#options = withDefaults(
      copyMode({ ...takeOptions(fields), ...onlyDefined(options) }),
      DEFAULTS,
    );
    this.#refreshToken = text(take(fields, REFRESH_TOKEN_NAMES));
    const expiresAt = parseInstant(take(fields, EXPIRES_AT_NAMES));
    this.#expiresIn = parseSeconds(take(fields, EXPIRES_IN_NAMES));
    this.#expiresAt = expiresAt ??
      (this.#expiresIn ? this.#nowInSeconds() + this.#expiresIn : undefined);
    const { params: apart, ...params } = fields;
    this.#params = {
      ...params,
      ...(typeof apart === "object" ? apart : apart && { params: apart }),
    };
    if (!token && !this.#refreshToken && !this.response) {
      const message = "Cannot make a token: it has no value";
      if (client.raiseErrors) throw new TypeError(message);
      if (!config.silenceNoTokensWarning) client.warn(`oauth2: ${message}`);
    }
  }

  /**
   * Makes a token of its fields, as a server spells them or as
   * {@link AccessToken.toHash} gave them. The hash may also hold the options
   * `mode`, `header_format`, `param_name`, `token_name` and `expires_latency`:
   * it is yours, and not what a server said.
   *
   * `expires_in` counts from now; `expires_at` is in seconds since 1970 or an
   * ISO 8601 date.
   *
   * @throws {TypeError} When there is neither a token nor a refresh token,
   * unless the client does not raise errors.
   */
  static fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: TokenClient,
    hash: TokenHash,
    options: TokenOptions = {},
  ): T {
    const fields = { ...hash };
    const given: TokenOptions = {
      ...takeOptions(fields),
      ...onlyDefined(options),
    };
    const { tokenName } = given;
    if (!config.silenceExtraTokensWarning) warnOfExtraTokens(client, fields);
    if (
      !config.silenceNoTokensWarning && tokenName !== undefined &&
      !Object.hasOwn(fields, tokenName)
    ) {
      client.warn(
        `oauth2: token name mismatch: no "${tokenName}" among the fields; you may need snaky: false`,
      );
    }
    const token = takeToken(fields, tokenName) ?? "";
    return new this(client, token, fields, given);
  }

  /**
   * Makes a token of a query or form, such as the fragment that the implicit
   * grant sends to the redirect URI. A leading `?` or `#` is tolerated.
   */
  static fromKvform<T extends AccessToken>(
    this: TokenConstructor<T> & TokenClass<T>,
    client: TokenClient,
    text: string,
    options: TokenOptions = {},
  ): T {
    const fields = parseForm(text.trim().replace(/^[?#]/, ""));
    return this.fromHash(client, setApart(fields), options) as T;
  }

  /** The client that the token belongs to. */
  get client(): TokenClient {
    return this.#client;
  }

  /** The token itself; "" if there is none. */
  get token(): string {
    return this.#token;
  }

  /** The refresh token. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** Replaces the refresh token. */
  set refreshToken(value: string | undefined) {
    this.#refreshToken = value;
  }

  /** The lifetime that was told, in seconds. */
  get expiresIn(): number | undefined {
    return this.#expiresIn;
  }

  /** When the token is taken to expire, in seconds since 1970, latency subtracted. */
  get expiresAt(): number | undefined {
    return this.#expiresAt === undefined
      ? undefined
      : this.#expiresAt - (this.expiresLatency ?? 0);
  }

  /** Seconds by which the token is taken to expire early. */
  get expiresLatency(): number | undefined {
    return parseSeconds(this.#options.expiresLatency);
  }

  /** All other fields that came with the token. */
  get params(): Record<string, unknown> {
    return this.#params;
  }

  /** The answer that the token came with. */
  get response(): OAuth2Response | undefined {
    return this.#options.response;
  }

  /** How the token is read and used. */
  get options(): Readonly<TokenOptions> {
    return this.#options;
  }

  /** The header that carries the token. */
  get headers(): { Authorization: string } {
    const { headerFormat } = this.#options;
    return { Authorization: headerFormat.replace("%s", () => this.#token) };
  }

  /** Whether it is known when the token expires. */
  expires(): boolean {
    return this.#expiresAt !== undefined;
  }

  /** Whether the token has expired. */
  expired(): boolean {
    return (this.expiresAt ?? Infinity) <= this.#nowInSeconds();
  }

  /**
   * Asks for a new token (RFC 6749 section 6). This one is left as it is; the
   * new one takes its options over, and its refresh token if the server sends
   * no other.
   *
   * @throws {TypeError} When there is no refresh token.
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   */
  async refresh(
    params: CallParams = {},
    options: TokenOverrides = {},
  ): Promise<AccessToken> {
    const refreshToken = this.#refreshToken;
    if (!refreshToken) throw new TypeError("A refresh_token is not available");
    const { response: _, ...kept } = this.#options;
    const token = await this.#client.getToken(
      refresh(refreshToken, params),
      { ...kept, ...onlyDefined(options) },
    );
    token.refreshToken ||= refreshToken;
    return token;
  }

  /**
   * Tells the server that the token is used no more (RFC 7009). The parameter
   * `token_type_hint` says which: `access_token`, the default if there is one,
   * or `refresh_token`.
   *
   * @throws {TypeError} When there is no such token.
   * @throws {OAuth2Error} When the server refuses.
   * @throws {ConnectionError} When no answer comes.
   */
  async revoke(params: CallParams = {}): Promise<OAuth2Response> {
    const { token_type_hint, ...others } = params;
    const hint = token_type_hint ??
      (!this.#token && this.#refreshToken ? "refresh_token" : "access_token");
    if (hint !== "access_token" && hint !== "refresh_token") {
      throw new TypeError(
        "token_type_hint must be one of access_token, refresh_token",
      );
    }
    const token = hint === "refresh_token" ? this.#refreshToken : this.#token;
    if (!token) throw new TypeError(`${hint} is not available for revoking`);
    return await this.#client.revokeToken(token, hint, others);
  }

  /**
   * Sends a request that carries the token. The path is resolved against the
   * site of the client; an absolute URL stands for itself.
   *
   * @throws {TypeError} When the token is empty, or cannot be placed as the
   * mode says.
   * @throws {OAuth2Error} When the server answers with an error.
   * @throws {ConnectionError} When no answer comes.
   */
  async request(
    verb: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<OAuth2Response> {
    if (!this.#token) {
      throw new TypeError("Cannot send a request: the token is empty", {
        cause: this.response?.error,
      });
    }
    return await this.#client.request(verb, path, {
      ...await this.#place(verb, options),
      secrets: [...options.secrets ?? [], this.#token],
    });
  }

  /** Sends a GET request that carries the token. */
  get(path: string, options?: RequestOptions): Promise<OAuth2Response> {
    return this.request("get", path, options);
  }

  /** Sends a POST request that carries the token. */
  post(path: string, options?: RequestOptions): Promise<OAuth2Response> {
    return this.request("post", path, options);
  }

  /** Sends a PUT request that carries the token. */
  put(path: string, options?: RequestOptions): Promise<OAuth2Response> {
    return this.request("put", path, options);
  }

  /** Sends a PATCH request that carries the token. */
  patch(path: string, options?: RequestOptions): Promise<OAuth2Response> {
    return this.request("patch", path, options);
  }

  /** Sends a DELETE request that carries the token. */
  delete(path: string, options?: RequestOptions): Promise<OAuth2Response> {
    return this.request("delete", path, options);
  }

  /**
   * The token as plain data, secrets included, from which
   * {@link AccessToken.fromHash} makes the same token again, also by way of
   * JSON. Only a `mode` that is a function is left out: give it again.
   */
  toHash(): Record<string, unknown> {
    const { tokenName } = this.#options;
    const names = tokenName === undefined
      ? READ_NAMES
      : [...READ_NAMES, tokenName];
    const options = copyMode(this.#options);
    if (typeof options.mode === "function") options.mode = undefined;
    return {
      ...setApart(this.#params, names),
      ...onlyDefined({
        [tokenName ?? "access_token"]: this.#token,
        refresh_token: this.#refreshToken,
        expires_in: this.#expiresIn,
        expires_at: this.#expiresAt,
        ...Object.fromEntries(
          OPTION_NAMES.map(([name, field]) => [field, options[name]]),
        ),
      }),
    };
  }

  /** What is shown of the token: no secret, and of its other fields the names. */
  override toJSON(): Record<string, unknown> {
    const { label } = new Redactor();
    const hidden = (value: string | undefined) => value && label;
    return {
      token: hidden(this.#token),
      refreshToken: hidden(this.#refreshToken),
      expiresIn: this.#expiresIn,
      expiresAt: this.expiresAt,
      params: Object.keys(this.#params),
    };
  }

  async #place(
    verb: string,
    options: RequestOptions,
  ): Promise<RequestOptions> {
    const { mode: modes, paramName } = this.#options;
    const mode = modeOf(modes, verb.toLowerCase());
    if (mode === "header") {
      const headers = mergeHeaders(options.headers, this.headers);
      return { ...options, headers };
    }
    const { placeToken } = await import("./placement.ts");
    const token = this.#token;
    return placeToken(options, { mode, verb, paramName, token });
  }

  #nowInSeconds(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}

/** A map of modes is the caller's, who may change it. */
function copyMode(options: TokenOptions): TokenOptions {
  const { mode } = options;
  return { ...options, mode: typeof mode === "object" ? { ...mode } : mode };
}

function modeOf(mode: Mode, verb: string): unknown {
  if (typeof mode === "function") return mode(verb);
  if (typeof mode !== "object") return mode;
  return Object.hasOwn(mode, verb) ? mode[verb] : "header";
}

/** Takes the token out of a hash. */
export function takeToken(
  fields: Record<string, unknown>,
  tokenName: string | undefined,
): string | undefined {
  return text(
    take(fields, tokenName === undefined ? TOKEN_NAMES : [tokenName]),
  );
}

/** Takes options out of a hash, by either of their names. */
export function takeOptions(
  fields: Record<string, unknown>,
  names: readonly (readonly [name: string, field: string])[] = OPTION_NAMES,
): Record<string, unknown> {
  return onlyDefined(Object.fromEntries(
    names.map(([name, field]) => [name, take(fields, [field, name])]),
  ));
}

/** Takes the first of some fields that says anything out of a hash. */
function take(
  fields: Record<string, unknown>,
  names: readonly string[],
): unknown {
  let taken: unknown;
  for (const name of names) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name] ?? undefined;
    if (taken === undefined || value === undefined) delete fields[name];
    taken ??= value;
  }
  return taken;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function warnOfExtraTokens(client: TokenClient, fields: TokenHash): void {
  const found = [...TOKEN_NAMES, "id_token", "idToken"]
    .filter((name) => Object.hasOwn(fields, name));
  if (found.length < 2) return;
  client.warn(
    `oauth2: the fields contained more than one 'token' key (${
      JSON.stringify(found)
    }); using "${found[0]}"`,
  );
}
