/** Client: token requests, revocation, and requests to resource servers. */
import {
  type AuthorizationParams,
  authorizationParams,
  type CallOptions,
  type CallParams,
  type EndpointOptions,
  REQUEST_OPTIONS,
  type RequestOptions,
  type RevokeParams,
  splitParams,
} from "./call_params.ts";
import {
  type ClientOptions,
  type ConnectionOptions,
  type Logger,
  resolveOptions,
  type Settings,
} from "./client_options.ts";
import { type Config, config } from "./config.ts";
import { Endpoints } from "./endpoints.ts";
import { OAuth2Error, OAuth2Response } from "./response.ts";
import { Assertion } from "../grants/assertion.ts";
import { AuthCode } from "../grants/auth_code.ts";
import { ClientCredentials } from "../grants/client_credentials.ts";
import { Implicit } from "../grants/implicit.ts";
import { Password } from "../grants/password.ts";
import { mergeHeaders } from "./headers.ts";
import { Inspectable } from "./inspectable.ts";
import { checkNames } from "./names.ts";
import { addParams, type Params } from "./params.ts";
import { parseUntyped } from "./parsers.ts";
import { cancel } from "./read_body.ts";
import { Redactor } from "./redactor.ts";
import { endpointRequest, resourceRequest } from "./requests.ts";
import { toSnakeCase } from "./snaky.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import { AccessToken, type TokenClass } from "./token.ts";
import { readTokenResponse } from "./token_response.ts";
import {
  checkOverrides,
  HashReader,
  nestReserved,
  type TokenHash,
  type TokenOverrides,
} from "./token_hash.ts";
import {
  checkLimit,
  describe,
  exchange,
  type ExchangeOptions,
  HIDDEN_REDIRECT,
  MAX_RESPONSE_BYTES,
  open,
  type WireRequest,
} from "./transport.ts";
import { invalid } from "./type_error.ts";

/** Parameters of the token endpoint that must not appear in a URL. */
const SECRET_PARAMS = ["client_secret", "client_assertion", "code_verifier"];
const MAX_RESOURCE_BYTES = 64 * 1024 * 1024;

/**
 * Client of an authorization server.
 *
 * Protocol parameters are spelled as on the wire, e.g. `redirect_uri`; options
 * of this library are in camel case. A call uses the settings and arguments at
 * the time of the call; later changes do not affect it.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: () =>
 *     Promise.resolve(
 *       Response.json({ access_token: "monkey", expires_in: 600 }),
 *     ),
 * });
 * const token = await client.clientCredentials.getToken({ scope: "read" });
 * console.assert(token.token === "monkey" && !token.expired());
 * ```
 */
export class Client<T extends AccessToken = AccessToken> extends Inspectable {
  /** Authorization code grant. */
  readonly authCode: AuthCode<T>;
  /** Implicit grant. */
  readonly implicit: Implicit<T>;
  /** Password grant. */
  readonly password: Password<T>;
  /** Client credentials grant. */
  readonly clientCredentials: ClientCredentials<T>;
  /** JWT bearer grant. */
  readonly assertion: Assertion<T>;

  #settings: Settings<T>;
  #redactor: Redactor;
  #endpoints: Endpoints;

  /**
   * Creates a client. The secret of a public client is null.
   *
   * @throws {TypeError} If an option is misspelled or invalid.
   */
  constructor(
    id: string | null | undefined,
    secret: string | null | undefined,
    options: ClientOptions<T> & { accessTokenClass: TokenClass<T> },
  );
  /**
   * Creates a client. The secret of a public client is null.
   *
   * @throws {TypeError} If an option is misspelled or invalid.
   */
  constructor(
    id?: string | null,
    secret?: string | null,
    ...options: AccessToken extends T ? [options?: ClientOptions<T>] : [never]
  );
  constructor(
    id?: string | null,
    secret?: string | null,
    options: ClientOptions<T> = {},
  ) {
    super();
    this.#settings = resolveOptions(id, secret, options);
    this.#endpoints = new Endpoints(this.#settings);
    this.#redactor = new Redactor({ ...config, ...this.#settings.config });
    this.authCode = new AuthCode(this);
    this.implicit = new Implicit(this);
    this.password = new Password(this);
    this.clientCredentials = new ClientCredentials(this);
    this.assertion = new Assertion(this);
  }

  /** Client id. */
  get id(): string | undefined {
    return this.#settings.id;
  }

  /** Client secret. */
  get secret(): string | undefined {
    return this.#settings.secret;
  }

  /** Base URL for paths. */
  get site(): string | undefined {
    return this.#settings.site;
  }

  /** Sets the base URL of later calls. */
  set site(site: string | URL | undefined) {
    this.#settings = { ...this.#settings, site: site?.toString() };
    this.#endpoints = new Endpoints(this.#settings);
  }

  /** Issuer of the server, from the options or the metadata. */
  get issuer(): string | undefined {
    return this.#settings.issuer ?? this.metadata?.issuer;
  }

  /** Issuer in the ID tokens of a server with many tenants. */
  get issuerTemplate(): string | undefined {
    return this.#settings.issuerTemplate;
  }

  /** Metadata of the server. */
  get metadata(): ServerMetadata | undefined {
    return this.#settings.metadata;
  }

  /** Default redirect URI. */
  get redirectUri(): string | undefined {
    return this.#settings.redirectUri;
  }

  /** Class of the tokens. */
  get accessTokenClass(): TokenClass<T> {
    return this.#settings.accessTokenClass ??
      AccessToken as unknown as TokenClass<T>;
  }

  /** Values of `token_type` to accept besides `bearer`, in lower case. */
  get tokenTypes(): readonly string[] {
    return this.#settings.tokenTypes ?? [];
  }

  /** True if error responses are thrown. */
  get raiseErrors(): boolean {
    return this.#settings.raiseErrors;
  }

  /** Defaults of every request. */
  get connectionOpts(): ConnectionOptions {
    return this.#settings.connectionOpts;
  }

  /** Settings of the process, overridden by those of this client. */
  get config(): Readonly<Config> {
    return {
      ...config,
      ...this.#settings.config,
      filteredLabel: this.#redactor.label,
    };
  }

  /** Returns the time in milliseconds since 1970. */
  now(): number {
    return this.#settings.clock();
  }

  /** Logs a warning. */
  warn(message: string): void {
    this.#log(message, "warn");
  }

  /**
   * Builds the URL of the authorization endpoint with these parameters in the
   * query string.
   *
   * @throws {TypeError} If the server has no authorization endpoint, its URL is
   * invalid or insecure, or a parameter is secret: the URL appears in browser
   * histories and logs.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    const secret = Object.keys(params)
      .find((name) => SECRET_PARAMS.includes(toSnakeCase(name)));
    if (secret !== undefined) {
      throw invalid(
        `${secret} is not allowed in authorize URL query params`,
      );
    }
    const wire = authorizationParams(params);
    const { redirectUri: redirect_uri, adapter } = this.#settings;
    const endpoint = this.#endpoints.get("authorizeUrl");
    const { href } = addParams(endpoint, { redirect_uri, ...wire });
    return adapter?.authorizeUrl(href) ?? href;
  }

  /**
   * Builds the URL of the token endpoint with these parameters in the query
   * string.
   *
   * @throws {TypeError} If the URL is invalid or insecure.
   */
  tokenUrl(params?: Params): string {
    return addParams(this.#endpoints.get("tokenUrl"), params).href;
  }

  /**
   * Builds the URL of the revocation endpoint with these parameters in the
   * query string.
   *
   * @throws {TypeError} If the server has no revocation endpoint, or its URL is
   * invalid or insecure.
   */
  revokeUrl(params?: Params): string {
    return addParams(this.#endpoints.get("revokeUrl"), params).href;
  }

  /**
   * Requests a token from the token endpoint (RFC 6749 section 3.2) with any
   * grant.
   *
   * `params` are sent, except for the options of the call: `headers`, `parse`,
   * `snaky`, `snakyHashClass`, `untyped`, `tokenMethod`, `raiseErrors`,
   * `signal`, `timeout` and `maxBodyBytes`. `options` configure how the token
   * is read and used; other fields in them override those of the response.
   *
   * With `raiseErrors: false`, a response without a token returns an empty
   * token, whose `response.error` is the reason.
   *
   * @throws {OAuth2Error} If the server refuses, or its response has no token.
   * @throws {ConnectionError} If no complete response arrives.
   * @throws {TypeError} If the arguments are invalid; nothing is sent.
   */
  async getToken(
    params: CallParams = {},
    options: TokenOverrides = {},
  ): Promise<T> {
    const settings = this.#settings;
    const { call, wire } = splitParams(params);
    checkOverrides(options);
    const { response: _, allowedOrigins, ...given } = options;
    const fields = new HashReader(given);
    const tokenOptions = fields.takeOptions();
    const { tokenName } = tokenOptions;
    if (tokenName !== undefined) this.#redactor.hide(tokenName);
    call.untyped ??= parseUntyped;
    call.tokenMethod ??= settings.tokenMethod;
    const endpoint = this.#endpoints.get("tokenUrl");
    const { response, fail } = await this.#sendToEndpoint(endpoint, wire, call);
    const { accessTokenClass } = this;
    const make = (hash: TokenHash) =>
      accessTokenClass
        .fromHash(this as Client, hash, {
          ...tokenOptions,
          allowedOrigins,
          response,
        }) as T;
    const result = readTokenResponse(response, settings, tokenName);
    if (result.fields) {
      const token = make(nestReserved({ ...result.fields, ...fields.rest() }));
      if (token.token) return token;
    }
    fail(result.problem);
    return make({});
  }

  /**
   * Revokes a token (RFC 7009). `tokenTypeHint` is `access_token` or
   * `refresh_token`; `params` are those of {@linkcode Client.getToken}.
   *
   * @throws {TypeError} If the server has no revocation endpoint.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async revokeToken(
    token: string,
    tokenTypeHint?: string,
    params: RevokeParams = {},
  ): Promise<OAuth2Response> {
    const token_type_hint = tokenTypeHint ?? params.token_type_hint;
    return await this.#post(this.#endpoints.get("revokeUrl"), {
      ...params,
      token,
      token_type_hint,
    });
  }

  /**
   * Sends parameters to another endpoint of the authorization server, e.g. for
   * introspection (RFC 7662) or pushed authorization requests (RFC 9126). The
   * client authenticates as at the token endpoint. `params` are those of
   * {@linkcode Client.getToken}. The origins of the client's own endpoints are
   * allowed in addition to `allowedOrigins`. Redirects are not followed.
   *
   * @throws {TypeError} If the arguments are invalid; nothing is sent.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async post<Parsed = unknown>(
    endpoint: string | URL,
    params: CallParams = {},
  ): Promise<OAuth2Response<Parsed>> {
    return await this.#post<Parsed>(this.#endpoints.find(endpoint), params);
  }

  /**
   * Fetches a public document of the authorization server, such as its keys,
   * without client authentication. The origins are those of
   * {@linkcode Client.post}. Redirects are not followed.
   *
   * @throws {TypeError} If the arguments are invalid; nothing is sent.
   * @throws {OAuth2Error} If the status is not 200 to 299.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async get<Parsed = unknown>(
    endpoint: string | URL,
    options: CallOptions = {},
  ): Promise<OAuth2Response<Parsed>> {
    checkNames(options, REQUEST_OPTIONS);
    const call = { ...options };
    const { endpointHeaders, secrets } = this.#settings;
    const request: WireRequest = {
      method: "GET",
      url: this.#endpoints.find(endpoint),
      headers: mergeHeaders(endpointHeaders, call.headers),
      secrets,
      repetition: "safe",
    };
    const response = await this.#send(request, call, MAX_RESPONSE_BYTES);
    const { ok, problem } = response;
    if (!ok || problem) this.#fail(response, request, call, problem);
    return response as OAuth2Response<Parsed>;
  }

  /**
   * Sends a request without a token, to a path of the site or an absolute URL.
   * `Parsed` is the type of the parsed body; it is not checked.
   *
   * @throws {OAuth2Error} If the status is 400 or above, or a redirect is
   * refused.
   * @throws {ConnectionError} If no complete response arrives.
   * @throws {TypeError} If the arguments are invalid; nothing is sent.
   */
  async request<Parsed = unknown>(
    verb: string,
    target: string | URL,
    options: RequestOptions = {},
  ): Promise<OAuth2Response<Parsed>> {
    const call = { ...options };
    const given = { verb, target, options: call };
    const first = resourceRequest(given, this.#endpoints, this.#settings);
    const response = await this.#follow(
      first,
      call,
      (request) => this.#send(request, call, MAX_RESOURCE_BYTES),
    );
    if (response.status >= 400 || response.problem) {
      this.#fail(response, first, call, response.problem);
    }
    return response as OAuth2Response<Parsed>;
  }

  /**
   * Sends a request without a token and returns the `Response` of `fetch`,
   * whatever its status: for streams and events. The timeout covers the time
   * until the headers arrive. `init` is passed to `fetch`; its `redirect` may
   * be `manual` or `error`.
   *
   * @throws {OAuth2Error} If a redirect is refused.
   * @throws {ConnectionError} If no response arrives.
   * @throws {TypeError} If the arguments are invalid; nothing is sent.
   */
  async open(
    verb: string,
    target: string | URL,
    options: RequestOptions = {},
    init: Omit<RequestInit, "method" | "headers" | "body" | "signal"> = {},
  ): Promise<Response> {
    const call = { ...options };
    // Untyped callers may set members that `verb` and `options` define.
    const {
      redirect = "follow",
      method: _method,
      headers: _headers,
      body: _body,
      signal: _signal,
      ...others
    } = init as RequestInit;
    const given = { verb, target, options: call, init: others };
    const first = resourceRequest(given, this.#endpoints, this.#settings);
    let last: Response | undefined;
    const send = async (request: WireRequest) => {
      cancel(last?.body);
      last = await open(request, this.#exchangeOptions(call));
      const { status, headers, url } = last;
      return new OAuth2Response({ status, headers, url });
    };
    try {
      const response = redirect === "manual" || redirect === "error"
        ? await send(first)
        : await this.#follow(first, call, send);
      if (redirect === "manual") return last!;
      const problem = last!.type === "opaqueredirect"
        ? HIDDEN_REDIRECT
        : redirect === "error" && response.isRedirect
        ? 'Cannot follow the redirect: redirect is "error"'
        : undefined;
      if (problem === undefined) return last!;
      throw this.#error(response, first, problem);
    } catch (error) {
      cancel(last?.body);
      throw error;
    }
  }

  /** Returns the id, with the secret redacted. */
  override toJSON(): Record<string, unknown> {
    return { id: this.id, secret: this.secret && this.#redactor.label };
  }

  async #post<Parsed>(
    endpoint: URL,
    params: CallParams,
  ): Promise<OAuth2Response<Parsed>> {
    const { call, wire } = splitParams(params);
    const { response, fail } = await this.#sendToEndpoint(endpoint, wire, call);
    const { ok, problem, fields } = response;
    if (!ok || problem || fields?.error) fail(problem);
    return response as OAuth2Response<Parsed>;
  }

  /**
   * Sends a request to the authorization server; redirects are not followed.
   */
  async #sendToEndpoint(
    endpoint: URL,
    params: Map<string, unknown>,
    call: EndpointOptions,
  ) {
    const settings = this.#settings;
    const endpoints = this.#endpoints;
    call.snaky ??= settings.snaky ?? true;
    const options = this.#exchangeOptions(call);
    const request = await endpointRequest(
      {
        endpoint,
        params,
        call,
        audience: () => settings.issuer ?? endpoints.get("tokenUrl").href,
      },
      settings,
      options,
    );
    const response = await this.#send(
      request,
      call,
      MAX_RESPONSE_BYTES,
      options,
    );
    const fail = (problem?: string) =>
      this.#fail(response, request, call, problem);
    return { response, fail };
  }

  /**
   * Sends a request and follows its redirects. Returns the last redirect if the
   * limit is reached.
   */
  async #follow(
    request: WireRequest,
    options: RequestOptions,
    send: (request: WireRequest) => Promise<OAuth2Response>,
  ): Promise<OAuth2Response> {
    const { maxRedirects, allowCrossOriginRedirects, allowInsecure } =
      this.#settings;
    const endpoints = this.#endpoints;
    const { origin } = request.url;
    let response = await send(request);
    for (let hops = 0; response.isRedirect && hops < maxRedirects; hops++) {
      const { redirect } = await import("./redirects.ts");
      const next = redirect(request, response, origin, {
        allowCrossOrigin: options.allowCrossOriginRedirects ??
          allowCrossOriginRedirects,
        allowInsecure,
        isAllowed: (url) => endpoints.isAllowed(url),
        redactor: this.#redactor,
      });
      if (typeof next === "string") throw this.#error(response, request, next);
      request = next;
      response = await send(request);
    }
    return response;
  }

  #exchangeOptions(call: CallOptions): ExchangeOptions {
    const { fetch, connectionOpts } = this.#settings;
    return {
      fetch,
      redactor: this.#redactor,
      timeout: call.timeout ?? connectionOpts.timeout,
      signal: call.signal ?? connectionOpts.signal,
    };
  }

  async #send(
    request: WireRequest,
    call: CallOptions,
    maxBodyBytes: number,
    options: ExchangeOptions = this.#exchangeOptions(call),
  ): Promise<OAuth2Response> {
    const { connectionOpts, debug, snaky, parsers } = this.#settings;
    const lines = debug ? await import("./debug.ts") : undefined;
    if (lines) this.#log(lines.describeRequest(request, this.#redactor));
    const limit = call.maxBodyBytes ?? connectionOpts.maxBodyBytes ??
      maxBodyBytes;
    checkLimit("maxBodyBytes", limit);
    const response = await exchange(
      request,
      { ...options, maxBodyBytes: limit },
      {
        ...call,
        snaky: call.snaky ?? snaky,
        parsers,
        label: this.#redactor.label,
      },
    );
    if (lines) {
      this.#log(lines.describeResponse(response, request, this.#redactor));
    }
    return response;
  }

  /** Logs a line. A failing logger must not cause the loss of a token. */
  #log(line: string, level: keyof Logger = "debug"): void {
    try {
      this.#settings.logger[level](line);
    } catch {
      // There is nowhere else to report it.
    }
  }

  /** Throws the error of a response, or stores it in the response. */
  #fail(
    response: OAuth2Response,
    request: WireRequest,
    { raiseErrors = this.raiseErrors }: CallOptions,
    message?: string,
  ): void {
    const error = this.#error(response, request, message);
    if (raiseErrors) throw error;
    response.error = error;
  }

  #error(
    response: OAuth2Response,
    request: WireRequest,
    message: string | undefined,
  ): OAuth2Error {
    return new OAuth2Error(response, {
      message: message && this.#redactor.text(message, request),
      request: describe(request, this.#redactor),
      redact: (text) => this.#redactor.text(text, request),
      label: this.#redactor.label,
      now: this.now(),
      repetition: request.repetition,
    });
  }
}
