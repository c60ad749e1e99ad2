import { type CallParams, joinScopes } from "./call_params.ts";
import type { Client } from "./client.ts";
import { onlyDefined, type Resolved, withDefaults } from "./defaults.ts";
import { OAuth2Error } from "./error.ts";
import { parseInstant, parseSeconds } from "./expiry.ts";
import { Inspectable } from "./inspectable.ts";
import { parseForm } from "./parsers.ts";
import { placeToken } from "./placement.ts";
import type { RequestOptions } from "./request.ts";
import { OAuth2Response } from "./response.ts";
import { SharedCall } from "./shared_call.ts";
import {
  asText,
  checkTokenOptions,
  EXPIRES_AT_NAMES,
  EXPIRES_IN_NAMES,
  findToken,
  HashReader,
  OPTION_NAMES,
  REFRESH_TOKEN_NAMES,
  setApart,
  setParamsApart,
  TOKEN_NAMES,
  type TokenHash,
  type TokenOptions,
  type TokenOverrides,
} from "./token_hash.ts";

/** Constructor of a class of tokens. */
export type TokenConstructor<T extends AccessToken> = new (
  client: Client,
  token: string,
  hash?: TokenHash,
  options?: TokenOptions,
) => T;

/** Class of tokens: {@link AccessToken}, or one of the caller's that extends it. */
export interface TokenClass<T extends AccessToken> {
  /** Makes a token; by whatever arguments the class likes. */
  new (...args: never[]): T;
  /** Makes a token of the fields of a response, whose options are set apart. */
  fromHash(
    client: Client,
    hash: TokenHash,
    options: TokenOptions,
  ): AccessToken;
}

const DEFAULTS = {
  mode: "header",
  headerFormat: "Bearer %s",
  paramName: "access_token",
} satisfies TokenOptions;

/**
 * Access token and what came with it.
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
 * const { parsed } = await token.get<{ asked: string }>("/me", {
 *   params: { fields: "name" },
 * });
 * console.assert(
 *   parsed.asked === "https://provider.example/me?fields=name",
 * );
 * console.assert(!JSON.stringify(token).includes("monkey"));
 * ```
 */
export class AccessToken extends Inspectable {
  #client: Client;
  #token: string;
  #refreshToken: string | undefined;
  #expiresIn: number | undefined;
  #expiresAt: number | undefined;
  #params: Record<string, unknown>;
  #options: Resolved<TokenOptions, typeof DEFAULTS>;
  #refreshing = new SharedCall<this>();

  /**
   * Makes a token of its value and of the other fields and options that
   * {@link AccessToken.fromHash} knows.
   *
   * @throws {TypeError} When there is neither a token nor a refresh token,
   * unless the client does not raise errors, or an option is misspelled.
   */
  constructor(
    client: Client,
    token: string,
    hash: TokenHash = {},
    options: TokenOptions = {},
  ) {
    super();
    checkTokenOptions(options);
    const fields = new HashReader(hash);
    this.#client = client;
    this.#token = token;
    this.#options = withDefaults(
      copyMode({ ...fields.takeOptions(), ...onlyDefined(options) }),
      DEFAULTS,
    );
    this.#refreshToken = asText(fields.take(REFRESH_TOKEN_NAMES));
    const expiresAt = this.#read(fields, EXPIRES_AT_NAMES, parseInstant);
    this.#expiresIn = this.#read(fields, EXPIRES_IN_NAMES, parseSeconds);
    this.#expiresAt = expiresAt ??
      (this.#expiresIn ? this.#nowInSeconds() + this.#expiresIn : undefined);
    const { params: apart, ...params } = fields.rest();
    this.#params = typeof apart === "object"
      ? { ...params, ...apart }
      : apart === undefined
      ? params
      : { ...params, params: apart };
    if (!token && !this.#refreshToken && !this.response) {
      const message = "Cannot make a token: it has no value";
      if (client.raiseErrors) throw new TypeError(message);
      if (!client.config.silenceNoTokensWarning) {
        client.warn(`oauth2: ${message}`);
      }
    }
  }

  /**
   * Makes a token of its fields, as a server spells them or as
   * {@link AccessToken.toHash} gave them. The hash may also hold the options
   * `mode`, `header_format`, `param_name`, `token_name` and `expires_latency`:
   * it is the caller's, never a server's.
   *
   * `expires_in` counts from now; `expires_at` is in seconds since 1970 or an
   * ISO 8601 date.
   *
   * @throws {TypeError} When there is neither a token nor a refresh token,
   * unless the client does not raise errors, or an option is misspelled.
   */
  static fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: Client,
    hash: TokenHash,
    options: TokenOptions = {},
  ): T {
    const fields = new HashReader(hash);
    const given: TokenOptions = {
      ...fields.takeOptions(),
      ...onlyDefined(options),
    };
    const { tokenName } = given;
    const { silenceExtraTokensWarning, silenceNoTokensWarning } = client.config;
    if (!silenceExtraTokensWarning && tokenName === undefined) {
      warnOfExtraTokens(client, hash);
    }
    if (
      !silenceNoTokensWarning && tokenName !== undefined &&
      !Object.hasOwn(hash, tokenName)
    ) {
      client.warn(
        `oauth2: token name mismatch: no "${tokenName}" among the fields; you may need snaky: false`,
      );
    }
    const token = findToken(fields, tokenName) ?? "";
    return new this(client, token, fields.rest(), given);
  }

  /**
   * Makes a token of a query or form, such as the fragment that the implicit
   * grant sends to the redirect URI. A leading `?` or `#` is tolerated.
   *
   * @throws {OAuth2Error} When the server tells an error, with status 400;
   * unless the client does not raise errors, and the token is empty then.
   * @throws {TypeError} As {@link AccessToken.fromHash} does.
   */
  static fromKvform<T extends AccessToken>(
    this: TokenConstructor<T> & TokenClass<T>,
    client: Client,
    text: string,
    options: TokenOptions = {},
  ): T {
    const body = text.trim().replace(/^[?#]/, "");
    const fields = parseForm(body);
    if (!fields.error) {
      return this.fromHash(client, setApart(fields), options) as T;
    }
    const response = new OAuth2Response({ status: 400, body }, {
      parse: parseForm,
      label: client.config.filteredLabel,
    });
    const error = new OAuth2Error(response);
    if (client.raiseErrors) throw error;
    response.error = error;
    return this.fromHash(client, {}, { ...options, response }) as T;
  }

  /** Client that the token belongs to. */
  get client(): Client {
    return this.#client;
  }

  /** Value of the token; "" if there is none. */
  get token(): string {
    return this.#token;
  }

  /** Refresh token. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** Replaces the refresh token. */
  set refreshToken(value: string | undefined) {
    this.#refreshToken = value;
  }

  /** Lifetime as the server told it, in seconds. */
  get expiresIn(): number | undefined {
    return this.#expiresIn;
  }

  /** Time of expiry in seconds since 1970, latency subtracted. */
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

  /** Response that the token came with. */
  get response(): OAuth2Response | undefined {
    return this.#options.response;
  }

  /** Options by which the token is read and used. */
  get options(): Readonly<TokenOptions> {
    return this.#options;
  }

  /** Header that carries the token. */
  get headers(): { Authorization: string } {
    const { headerFormat } = this.#options;
    return { Authorization: headerFormat.replace("%s", () => this.#token) };
  }

  /** True if the time of expiry is known. */
  expires(): boolean {
    return this.#expiresAt !== undefined;
  }

  /** True if the token has expired, or has no value. */
  expired(): boolean {
    return !this.#token ||
      (this.expiresAt ?? Infinity) <= this.#nowInSeconds();
  }

  /**
   * Asks for a new token (RFC 6749 section 6). This one is left as it is; the
   * new one takes its options over, and its refresh token and scope where the
   * server sends no others.
   *
   * Calls at the same time share one request, that of the first, since a server
   * that rotates refresh tokens ends the session at the second. A `signal` ends
   * the waiting of its own caller.
   *
   * @throws {TypeError} When there is no refresh token.
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When there is no answer.
   */
  async refresh(
    params: CallParams = {},
    options: TokenOverrides = {},
  ): Promise<this> {
    const refreshToken = this.#refreshToken;
    if (!refreshToken) throw new TypeError("A refresh_token is not available");
    const { signal = this.#client.connectionOpts.signal } = params;
    return await this.#refreshing.join(
      (signal) => this.#refresh(refreshToken, { ...params, signal }, options),
      signal,
    );
  }

  async #refresh(
    refresh_token: string,
    params: CallParams,
    options: TokenOverrides,
  ): Promise<this> {
    const { response: _, ...kept } = this.#options;
    // RFC 6749 section 5.1: without a scope in the response, the one that was
    // asked for is granted.
    const scope = joinScopes(params.scope) ?? this.#params.scope;
    const token = await this.#client.getToken(
      { ...params, grant_type: "refresh_token", refresh_token },
      { ...kept, ...onlyDefined(options) },
    );
    token.refreshToken ||= refresh_token;
    if (token.token && scope !== undefined) token.params.scope ??= scope;
    if (token instanceof this.constructor) return token as this;
    // The client makes tokens of another class.
    return (this.constructor as TokenConstructor<this> & typeof AccessToken)
      .fromHash(this.#client, token.toHash(), token.options) as this;
  }

  /**
   * Revokes the token (RFC 7009). The parameter `token_type_hint` says which:
   * `access_token`, the default if there is one, or `refresh_token`.
   *
   * @throws {TypeError} When there is no such token, or no revocation endpoint.
   * @throws {OAuth2Error} When the server refuses.
   * @throws {ConnectionError} When there is no answer.
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
   * site of the client; an absolute URL stands for itself. `T` is the type of
   * the parsed body; it is not checked.
   *
   * @throws {TypeError} When the token is empty, or cannot be placed as the
   * mode says.
   * @throws {OAuth2Error} When the server answers with an error.
   * @throws {ConnectionError} When there is no answer.
   */
  async request<T = unknown>(
    verb: string,
    target: string | URL,
    options: RequestOptions = {},
  ): Promise<OAuth2Response<T>> {
    return await this.#client.request<T>(
      verb,
      target,
      this.#place(verb, options),
    );
  }

  /** Sends a GET request that carries the token. */
  get<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("get", target, options);
  }

  /** Sends a POST request that carries the token. */
  post<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("post", target, options);
  }

  /** Sends a PUT request that carries the token. */
  put<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("put", target, options);
  }

  /** Sends a PATCH request that carries the token. */
  patch<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("patch", target, options);
  }

  /** Sends a DELETE request that carries the token. */
  delete<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("delete", target, options);
  }

  /**
   * Sends a request that carries the token and gives the raw response, whatever
   * its status: for streams and events. Origins, redirects and the timeout, up
   * to the headers, are as for {@link AccessToken.request}; `redirect` may be
   * `manual` or `error`.
   *
   * @throws {TypeError} When the token is empty, or cannot be placed as the
   * mode says.
   * @throws {OAuth2Error} When a redirect is refused.
   * @throws {ConnectionError} When there is no answer.
   */
  async fetch(
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> {
    // A Request of another library is told by its shape.
    const { method: verb } = Object(input);
    const given: Partial<Request> = verb === undefined ? {} : input as Request;
    if (verb !== undefined && !("body" in given)) {
      throw new TypeError(
        "Cannot read the body of the Request: give it as init",
      );
    }
    const {
      method = verb ?? "GET",
      redirect = given.redirect ?? "follow",
      headers,
      body,
      signal,
      ...others
    } = init;
    // Every Request has a signal, which does not replace that of the client.
    const { signal: own } = this.#client.connectionOpts;
    const inherited = own && given.signal instanceof AbortSignal
      ? AbortSignal.any([given.signal, own])
      : given.signal;
    const options = {
      headers: headers ?? given.headers,
      body: body ?? given.body ?? undefined,
      signal: signal ?? inherited ?? undefined,
    };
    const placed = this.#place(method, onlyDefined(options));
    if (placed.body !== options.body) {
      throw new TypeError("Cannot put the token into the body of a fetch");
    }
    const target = given.url ?? input as string | URL;
    return await this.#client.open(method, target, placed, {
      ...others,
      redirect,
    });
  }

  /**
   * Token as plain data, secrets included, from which
   * {@link AccessToken.fromHash} makes the same token again, also by way of
   * JSON. Only a `mode` that is a function is left out: give it again.
   */
  toHash(): Record<string, unknown> {
    const { tokenName = "access_token" } = this.#options;
    const options = copyMode(this.#options);
    if (typeof options.mode === "function") options.mode = undefined;
    return {
      ...setParamsApart(this.#params, tokenName),
      ...onlyDefined({
        [tokenName]: this.#token,
        refresh_token: this.#refreshToken,
        expires_in: this.#expiresIn,
        expires_at: this.#expiresAt,
        ...Object.fromEntries(
          OPTION_NAMES.map(([field, name]) => [field, options[name]]),
        ),
      }),
    };
  }

  /** View of the token without secrets, and with the names of its other fields. */
  override toJSON(): Record<string, unknown> {
    const { filteredLabel } = this.#client.config;
    return {
      token: this.#token && filteredLabel,
      refreshToken: this.#refreshToken && filteredLabel,
      expiresIn: this.#expiresIn,
      expiresAt: this.expiresAt,
      params: Object.keys(this.#params),
    };
  }

  #place(verb: string, options: RequestOptions): RequestOptions {
    if (!this.#token) {
      throw new TypeError("Cannot send a request: the token is empty", {
        cause: this.response?.error,
      });
    }
    const { mode, paramName } = this.#options;
    const { headers } = this;
    return {
      ...placeToken(options, verb, {
        mode,
        paramName,
        token: this.#token,
        headers,
      }, this.#client.connectionOpts.headers),
      secrets: [...options.secrets ?? [], this.#token],
    };
  }

  /** Reads a field, and warns of a value that makes the expiry unknown. */
  #read(
    fields: HashReader,
    names: readonly string[],
    parse: (value: unknown) => number | undefined,
  ): number | undefined {
    const value = fields.take(names);
    const read = parse(value);
    if (value !== undefined && read === undefined) {
      this.#client.warn(
        `oauth2: ${names[0]} is not a time: the expiry of the token is unknown`,
      );
    }
    return read;
  }

  #nowInSeconds(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}

/** Copies the options: a map of modes is the caller's, who may change it. */
function copyMode(options: TokenOptions): TokenOptions {
  const { mode } = options;
  return { ...options, mode: typeof mode === "object" ? { ...mode } : mode };
}

function warnOfExtraTokens(client: Client, fields: TokenHash): void {
  const found = [...TOKEN_NAMES, "id_token", "idToken"]
    .filter((name) => Object.hasOwn(fields, name));
  if (found.length < 2) return;
  const used = TOKEN_NAMES.find((name) =>
    Object.hasOwn(fields, name) && fields[name] != null
  );
  client.warn(
    `oauth2: the fields contained more than one 'token' key (${
      JSON.stringify(found)
    }); using ${used ? `"${used}"` : "none"}`,
  );
}
