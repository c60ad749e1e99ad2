import {
  type GrantParams,
  joinScopes,
  type RequestOptions,
  type RevokeParams,
} from "./call_params.ts";
import type { Client } from "./client.ts";
import { onlyDefined } from "./params.ts";
import { OAuth2Error, OAuth2Response } from "./response.ts";
import { parseInstant, parseSeconds } from "./seconds.ts";
import { Inspectable } from "./inspectable.ts";
import { parseForm } from "./parsers.ts";
import { placeOf, placeToken } from "./placement.ts";
import { SharedCall } from "./shared_call.ts";
import {
  asText,
  checkTokenOptions,
  EXPIRES_AT_NAMES,
  EXPIRES_IN_NAMES,
  findToken,
  HashReader,
  nestKnown,
  nestReserved,
  OPTION_NAMES,
  REFRESH_TOKEN_NAMES,
  TOKEN_NAMES,
  type TokenHash,
  type TokenOptions,
  type TokenOverrides,
} from "./token_hash.ts";
import { forbidden, invalid } from "./type_error.ts";

/** Constructor of a class of tokens. */
export type TokenConstructor<T extends AccessToken> = new (
  client: Client,
  token: string,
  hash?: TokenHash,
  options?: TokenOptions,
) => T;

/** {@linkcode AccessToken} or a subclass. */
export interface TokenClass<T extends AccessToken> {
  /** Creates a token; the arguments depend on the class. */
  new (...args: never[]): T;
  /** Creates a token from the fields of a response. */
  fromHash(
    client: Client,
    hash: TokenHash,
    options: TokenOptions,
  ): AccessToken;
}

/**
 * Checks of refreshed tokens by client; they return the ID token to keep.
 * `SignIn` and `TokenManager` set them: the core does not read ID tokens.
 */
export const refreshChecks: WeakMap<
  object,
  (token: AccessToken, before: AccessToken) => Promise<unknown>
> = new WeakMap();

const DEFAULTS = {
  mode: "header",
  headerFormat: "Bearer %s",
  paramName: "access_token",
} satisfies TokenOptions;

/**
 * Access token, and the other fields of its response.
 *
 * Printing a token shows no values. {@linkcode AccessToken.toHash} returns them
 * for storage in a safe place.
 *
 * @example
 * ```ts
 * import { AccessToken, Client } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: (url) => Promise.resolve(Response.json({ url })),
 * });
 * const token = AccessToken.fromHash(client, {
 *   access_token: "monkey",
 *   refresh_token: "banana",
 *   expires_at: 1700003600,
 * });
 * const { parsed } = await token.get<{ url: string }>("/me", {
 *   params: { fields: "name" },
 * });
 * console.assert(parsed.url === "https://provider.example/me?fields=name");
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
  #options:
    & TokenOptions
    & {
      [name in keyof typeof DEFAULTS]: NonNullable<TokenOptions[name]>;
    };
  #refreshing = new SharedCall<this>();

  /**
   * Creates a token from its value and the other fields that
   * {@linkcode AccessToken.fromHash} accepts.
   *
   * @throws {TypeError} If there is neither a token nor a refresh token and the
   * client raises errors, a token is the filtered label of a log, or an option
   * is misspelled.
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
    this.#options = copyMode({
      ...DEFAULTS,
      ...fields.takeOptions(),
      ...onlyDefined(options),
    });
    this.#refreshToken = asText(fields.take(REFRESH_TOKEN_NAMES));
    const labels = ["[FILTERED]", client.config.filteredLabel];
    // From the JSON of a token, or a log.
    if ([token, this.#refreshToken].some((it) => it && labels.includes(it))) {
      throw invalid(
        "Cannot create the token: its value was redacted; store the result of toHash",
      );
    }
    const expiresAt = this.#parseField(fields, EXPIRES_AT_NAMES, parseInstant);
    this.#expiresIn = this.#parseField(fields, EXPIRES_IN_NAMES, parseSeconds);
    this.#expiresAt = expiresAt ??
      (this.#expiresIn ? this.#nowInSeconds() + this.#expiresIn : undefined);
    const { params: nested, ...params } = fields.rest();
    this.#params = typeof nested === "object"
      ? { ...params, ...nested }
      : nested === undefined
      ? params
      : { ...params, params: nested };
    if (!token && !this.#refreshToken && !this.response) {
      const message =
        "Cannot create the token: it has no value and no refresh_token";
      if (client.raiseErrors) throw invalid(message);
      if (!client.config.silenceNoTokensWarning) {
        client.warn(`oauth2: ${message}`);
      }
    }
  }

  /**
   * Creates a token from its fields, in the spelling of a server or from
   * {@linkcode AccessToken.toHash}. `expires_in` counts from now; `expires_at`
   * is in seconds since 1970 or an ISO 8601 date.
   *
   * The hash may contain the options `mode`, `header_format`, `param_name`,
   * `token_name` and `expires_latency`. Do not pass the fields of a server
   * unchecked.
   *
   * @throws {TypeError} If there is neither a token nor a refresh token and the
   * client raises errors, a token is the filtered label of a log, or an option
   * is unknown.
   */
  static fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: Client,
    hash: TokenHash,
    options: TokenOptions = {},
  ): T {
    const fields = new HashReader(hash);
    const tokenName = options.tokenName ?? fields.takeTokenName();
    const { silenceExtraTokensWarning, silenceNoTokensWarning } = client.config;
    if (!silenceExtraTokensWarning && tokenName === undefined) {
      warnOfExtraTokens(client, hash);
    }
    if (
      !silenceNoTokensWarning && tokenName !== undefined &&
      !Object.hasOwn(hash, tokenName)
    ) {
      client.warn(
        `oauth2: tokenName "${tokenName}" is not a field; snaky: false keeps the names of the server`,
      );
    }
    const token = findToken(fields, tokenName) ?? "";
    return new this(client, token, fields.rest(), { ...options, tokenName });
  }

  /**
   * Creates a token from a query string, form or fragment, e.g. of the redirect
   * URI of the implicit grant. A leading `?` or `#` is ignored.
   *
   * @throws {OAuth2Error} If the text has an `error`; its status is 400. If the
   * client does not raise errors, the token is empty instead.
   * @throws {TypeError} In the same cases as {@linkcode AccessToken.fromHash}.
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
      return this.fromHash(client, nestReserved(fields), options) as T;
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

  /** Client of the token. */
  get client(): Client {
    return this.#client;
  }

  /** Value of the token, or "". */
  get token(): string {
    return this.#token;
  }

  /** Refresh token. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** Sets the refresh token. */
  set refreshToken(value: string | undefined) {
    this.#refreshToken = value;
  }

  /** Lifetime in seconds, as the server sent it. */
  get expiresIn(): number | undefined {
    return this.#expiresIn;
  }

  /** Time of expiry in seconds since 1970, minus `expiresLatency`. */
  get expiresAt(): number | undefined {
    return this.#expiresAt === undefined
      ? undefined
      : this.#expiresAt - (this.expiresLatency ?? 0);
  }

  /** Seconds subtracted from the time of expiry. */
  get expiresLatency(): number | undefined {
    return parseSeconds(this.#options.expiresLatency);
  }

  /** Other fields of the token, e.g. `scope` and `id_token`. */
  get params(): Record<string, unknown> {
    return this.#params;
  }

  /** Response that contained the token. */
  get response(): OAuth2Response | undefined {
    return this.#options.response;
  }

  /** Options for reading and using the token. */
  get options(): Readonly<TokenOptions> {
    return this.#options;
  }

  /**
   * `Authorization` header with the token.
   *
   * @throws {TypeError} If the token is bound to a DPoP key and the client has
   * no DPoP.
   */
  get headers(): { Authorization: string } {
    const { headerFormat } = this.#options;
    if (this.#isDpop && !this.#client.tokenTypes.includes("dpop")) {
      throw forbidden("Cannot send the DPoP token: the client has no DPoP key");
    }
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
   * Requests a new token with the refresh token (RFC 6749 section 6). The new
   * token inherits the options and, unless the server sends others, the refresh
   * token, the scope and the authorization details. This token is not changed.
   *
   * Concurrent calls with equal arguments share a request, because a server that
   * rotates refresh tokens may end the session at the second. A `signal`
   * rejects only its own caller; the `timeout` of the first call counts.
   *
   * With a client of `SignIn` or `TokenManager`, an ID token must have the
   * issuer, user and audience of the one before (OpenID
   * Connect Core section 12.2), which the new token inherits otherwise.
   *
   * An error is `retryable` only if the server did not act on the refresh token:
   * after a lost connection or a timeout, it may have replaced it.
   *
   * @throws {TypeError} If there is no refresh token.
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   * @throws {ValidationError} If the ID token belongs to another login; the new
   * refresh token is revoked.
   */
  async refresh(
    params: GrantParams = {},
    options: TokenOverrides = {},
  ): Promise<this> {
    const refreshToken = this.#refreshToken;
    if (!refreshToken) {
      throw invalid("A refresh_token is not available");
    }
    const { timeout: _, ...sent } = params;
    const { signal = this.#client.connectionOpts.signal } = params;
    return await this.#refreshing.join(
      (signal) => this.#refresh(refreshToken, { ...params, signal }, options),
      signal,
      [refreshToken, { ...sent, signal: undefined }, options],
    );
  }

  async #refresh(
    refresh_token: string,
    params: GrantParams,
    options: TokenOverrides,
  ): Promise<this> {
    const { response: _, ...kept } = this.#options;
    // RFC 6749 section 5.1: a response without a scope grants the requested
    // one; RFC 9396 section 6: likewise for authorization details.
    const inherited: Record<string, unknown> = {
      scope: joinScopes(params.scope) ?? this.#params.scope,
      authorization_details: structuredClone(
        params.authorization_details ?? this.#params.authorization_details,
      ),
    };
    const token = await this.#client.getToken(
      { ...params, grant_type: "refresh_token", refresh_token },
      { ...kept, ...onlyDefined(options) },
    );
    token.refreshToken ||= refresh_token;
    if (token.token) {
      const check = refreshChecks.get(this.#client);
      inherited.id_token = await check?.(token, this);
      for (const [name, value] of Object.entries(inherited)) {
        if (value !== undefined) token.params[name] ??= value;
      }
    }
    if (token instanceof this.constructor) return token as this;
    // The client has another `accessTokenClass`.
    return (this.constructor as TokenConstructor<this> & typeof AccessToken)
      .fromHash(this.#client, token.toHash(), token.options) as this;
  }

  /**
   * Revokes the token (RFC 7009). The parameter `token_type_hint` selects
   * `access_token`, the default if there is one, or `refresh_token`.
   *
   * @throws {TypeError} If there is no such token, or no revocation endpoint.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async revoke(params: RevokeParams = {}): Promise<OAuth2Response> {
    const { token_type_hint, ...others } = params;
    const hint = token_type_hint ??
      (!this.#token && this.#refreshToken ? "refresh_token" : "access_token");
    if (hint !== "access_token" && hint !== "refresh_token") {
      throw invalid(
        "token_type_hint must be one of access_token, refresh_token",
      );
    }
    const token = hint === "refresh_token" ? this.#refreshToken : this.#token;
    if (!token) {
      throw invalid(`${hint} is not available for revoking`);
    }
    return await this.#client.revokeToken(token, hint, others);
  }

  /**
   * Sends a request with the token, to a path of the client's site or an
   * absolute URL. `T` is the type of the parsed body; it is not checked.
   *
   * @throws {TypeError} If the arguments are invalid or the token is empty;
   * nothing is sent.
   * @throws {OAuth2Error} If the status is 400 or above, or a redirect is
   * refused.
   * @throws {ConnectionError} If no complete response arrives.
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

  /** Sends a GET request with the token. */
  get<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("get", target, options);
  }

  /** Sends a POST request with the token. */
  post<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("post", target, options);
  }

  /** Sends a PUT request with the token. */
  put<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("put", target, options);
  }

  /** Sends a PATCH request with the token. */
  patch<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("patch", target, options);
  }

  /** Sends a DELETE request with the token. */
  delete<T = unknown>(
    target: string | URL,
    options?: RequestOptions,
  ): Promise<OAuth2Response<T>> {
    return this.request("delete", target, options);
  }

  /**
   * Sends a request with the token and returns the `Response` of `fetch`,
   * whatever its status: for streams and events. Origins and redirects are
   * checked as in {@linkcode AccessToken.request}; `redirect` may be `manual`
   * or `error`. The timeout covers the time until the headers arrive. The mode
   * `body` is not supported.
   *
   * @throws {TypeError} If the arguments are invalid or the token is empty;
   * nothing is sent.
   * @throws {OAuth2Error} If a redirect is refused.
   * @throws {ConnectionError} If no response arrives.
   */
  async fetch(
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> {
    // `instanceof` would miss the Request of another library.
    const { method: verb } = Object(input);
    const given: Partial<Request> = verb === undefined ? {} : input as Request;
    if (verb !== undefined && !("body" in given)) {
      throw invalid(
        "Cannot read the body of the Request: pass it in init",
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
    // Every Request has a signal, which must not replace that of the client.
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
      throw invalid(
        "Cannot put the token into the body of a fetch: mode must be header or query",
      );
    }
    const target = given.url ?? input as string | URL;
    return await this.#client.open(method, target, placed, {
      ...others,
      redirect,
    });
  }

  /**
   * Returns the token as JSON-serializable data, including its secrets, for
   * {@linkcode AccessToken.fromHash}. A `mode` that is a function is omitted.
   */
  toHash(): Record<string, unknown> {
    const { tokenName = "access_token", mode } = this.#options;
    const options = copyMode({
      ...this.#options,
      mode: typeof mode === "function" ? undefined : mode,
    });
    return {
      ...nestKnown(this.#params, tokenName),
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

  /**
   * Returns the expiry and the names of the other fields, with secrets
   * redacted.
   */
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

  get #isDpop(): boolean {
    const { token_type, tokenType } = this.#params;
    return /^dpop$/i.test(String(token_type ?? tokenType));
  }

  #place(verb: string, options: RequestOptions): RequestOptions {
    if (!this.#token) {
      throw invalid("Cannot send a request: the token is empty", {
        cause: this.response?.error,
      });
    }
    const { mode, paramName, allowedOrigins } = this.#options;
    const { headers } = this;
    // RFC 9449 section 7.1: it would be sent without a proof.
    if (this.#isDpop && placeOf(mode, verb.toLowerCase()) !== "header") {
      throw invalid("Cannot send the DPoP token: mode must be header");
    }
    const placed: RequestOptions = {
      ...placeToken(options, verb, {
        mode,
        paramName,
        token: this.#token,
        headers,
      }, this.#client.connectionOpts.headers),
      secrets: [...options.secrets ?? [], this.#token],
    };
    return allowedOrigins ? { ...placed, allowedOrigins } : placed;
  }

  /** Parses a field, and logs a warning if its value is invalid. */
  #parseField(
    fields: HashReader,
    names: readonly string[],
    parse: (value: unknown) => number | undefined,
  ): number | undefined {
    const value = fields.take(names);
    const parsed = parse(value);
    if (value !== undefined && parsed === undefined) {
      this.#client.warn(
        `oauth2: Cannot parse ${names[0]}: the expiry of the token is unknown`,
      );
    }
    return parsed;
  }

  #nowInSeconds(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}

/** Copies the mode, because the caller may change a map. */
function copyMode<O extends TokenOptions>(options: O): O {
  const { mode } = options;
  return typeof mode === "object" ? { ...options, mode: { ...mode } } : options;
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
