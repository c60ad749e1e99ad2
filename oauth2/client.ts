import {
  type AuthorizationParams,
  authorizationParams,
  type CallParams,
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
import { endpointRequest } from "./endpoint_request.ts";
import { Endpoints } from "./endpoints.ts";
import { OAuth2Error } from "./error.ts";
import { Assertion } from "./grants/assertion.ts";
import { AuthCode } from "./grants/auth_code.ts";
import { ClientCredentials } from "./grants/client_credentials.ts";
import { Implicit } from "./grants/implicit.ts";
import { Password } from "./grants/password.ts";
import { Inspectable } from "./inspectable.ts";
import { addParams, type Params } from "./params.ts";
import { parseUntyped } from "./parsers.ts";
import { follow } from "./redirects.ts";
import { Redactor } from "./redactor.ts";
import type {
  CallOptions,
  EndpointOptions,
  RequestOptions,
  WireRequest,
} from "./request.ts";
import { resourceRequest } from "./resource_request.ts";
import { isRedirect, OAuth2Response } from "./response.ts";
import { toSnakeCase } from "./snaky.ts";
import { AccessToken, type TokenClass } from "./token.ts";
import { readTokenAnswer } from "./token_answer.ts";
import {
  checkTokenOptions,
  HashReader,
  setApart,
  type TokenHash,
  type TokenOverrides,
} from "./token_hash.ts";
import {
  cancel,
  checkLimit,
  exchange,
  HIDDEN_REDIRECT,
  MAX_RESPONSE_BYTES,
  open,
} from "./transport.ts";

/** Parameters of the token endpoint that must not be in a URL. */
const SECRET_PARAMS = ["client_secret", "client_assertion", "code_verifier"];
const MAX_RESOURCE_BYTES = 64 * 1024 * 1024;

/** Call to the authorization server, and its answer. */
interface Answered {
  readonly request: WireRequest;
  readonly response: OAuth2Response;
}

/**
 * Client of an authorization server.
 *
 * Parameters that go over the wire are spelled as on the wire, such as
 * `redirect_uri`; options of this library are in camel case. A call takes the
 * client and its own arguments as they are when it is made.
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
   * Makes a client. A public client has the secret null.
   *
   * @throws {TypeError} When an option is misspelled or cannot be used.
   */
  constructor(
    id: string | null | undefined,
    secret: string | null | undefined,
    options: ClientOptions<T> & { accessTokenClass: TokenClass<T> },
  );
  /**
   * Makes a client. A public client has the secret null.
   *
   * @throws {TypeError} When an option is misspelled or cannot be used.
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

  /** Id under which the server knows the client. */
  get id(): string | undefined {
    return this.#settings.id;
  }

  /** Secret. */
  get secret(): string | undefined {
    return this.#settings.secret;
  }

  /** Base URL, against which paths are resolved. */
  get site(): string | undefined {
    return this.#settings.site;
  }

  /** Changes the base URL for later calls. */
  set site(site: string | URL | undefined) {
    this.#settings = { ...this.#settings, site: site?.toString() };
    this.#endpoints = new Endpoints(this.#settings);
  }

  /** Redirect URI of calls that name none. */
  get redirectUri(): string | undefined {
    return this.#settings.redirectUri;
  }

  /** True if errors of the server are thrown. */
  get raiseErrors(): boolean {
    return this.#settings.raiseErrors;
  }

  /** Defaults of every request. */
  get connectionOpts(): ConnectionOptions {
    return this.#settings.connectionOpts;
  }

  /** Settings of this client: its own, and beside them those of the process. */
  get config(): Readonly<Config> {
    return {
      ...config,
      ...this.#settings.config,
      filteredLabel: this.#redactor.label,
    };
  }

  /** Time in milliseconds since 1970. */
  now(): number {
    return this.#settings.clock();
  }

  /** Logs a likely mistake. */
  warn(message: string): void {
    this.#log(message, "warn");
  }

  /**
   * Builds the URL of the authorization endpoint, with these parameters in the
   * query.
   *
   * @throws {TypeError} When the server has no such endpoint, its URL is not
   * one or not secure, or a secret is among the parameters: the URL passes
   * through browsers and logs.
   */
  authorizeUrl(params: AuthorizationParams = {}): string {
    const secret = Object.keys(params)
      .find((name) => SECRET_PARAMS.includes(toSnakeCase(name)));
    if (secret !== undefined) {
      throw new TypeError(
        `${secret} is not allowed in authorize URL query params`,
      );
    }
    const wire = authorizationParams(params);
    const { redirectUri: redirect_uri } = this.#settings;
    const endpoint = this.#endpoints.get("authorizeUrl");
    return addParams(endpoint, { redirect_uri, ...wire }).href;
  }

  /**
   * Builds the URL of the token endpoint, with these parameters in the query.
   *
   * @throws {TypeError} When the URL is not one or not secure.
   */
  tokenUrl(params?: Params): string {
    return addParams(this.#endpoints.get("tokenUrl"), params).href;
  }

  /**
   * Builds the URL of the revocation endpoint, with these parameters in the
   * query.
   *
   * @throws {TypeError} When the server has no such endpoint, or its URL is not
   * one or not secure.
   */
  revokeUrl(params?: Params): string {
    return addParams(this.#endpoints.get("revokeUrl"), params).href;
  }

  /**
   * Asks the token endpoint (RFC 6749 section 3.2), by any grant.
   *
   * `params` go over the wire, but for these names, which are options of the
   * call: `headers`, `parse`, `snaky`, `snakyHashClass`, `untyped`,
   * `tokenMethod`, `raiseErrors`, `signal`, `timeout`, `maxBodyBytes`. `options` say how the
   * token is read and used; further fields in them win over the server's.
   *
   * With `raiseErrors: false` an answer without a token gives an empty token,
   * whose `response.error` tells the reason.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When there is no answer.
   * @throws {TypeError} When the request cannot be made.
   */
  async getToken(
    params: CallParams = {},
    options: TokenOverrides = {},
  ): Promise<T> {
    const settings = this.#settings;
    const { call, wire } = splitParams(params);
    checkTokenOptions(options);
    const { response: _, ...given } = options;
    const fields = new HashReader(given);
    const tokenOptions = fields.takeOptions();
    const { tokenName } = tokenOptions;
    if (tokenName !== undefined) this.#redactor.hide(tokenName);
    call.untyped ??= parseUntyped;
    call.tokenMethod ??= settings.tokenMethod;
    const endpoint = this.#endpoints.get("tokenUrl");
    const { request, response } = await this.#ask(endpoint, wire, call);
    const { accessTokenClass = AccessToken as unknown as TokenClass<T> } =
      settings;
    const make = (hash: TokenHash) =>
      accessTokenClass
        .fromHash(this as Client, hash, { ...tokenOptions, response }) as T;
    const answer = readTokenAnswer(response, settings, tokenName);
    if (answer.fields) {
      const token = make(setApart({ ...answer.fields, ...fields.rest() }));
      if (token.token) return token;
    }
    this.#fail(response, request, call, answer.problem);
    return make({});
  }

  /**
   * Revokes a token (RFC 7009). `tokenTypeHint` is `access_token` or
   * `refresh_token`; `params` are as for {@link Client.getToken}.
   *
   * @throws {TypeError} When the server has no revocation endpoint.
   * @throws {OAuth2Error} When the server refuses.
   * @throws {ConnectionError} When there is no answer.
   */
  async revokeToken(
    token: string,
    tokenTypeHint?: string,
    params: CallParams = {},
  ): Promise<OAuth2Response> {
    const token_type_hint = tokenTypeHint ?? params.token_type_hint;
    return await this.#post(this.#endpoints.get("revokeUrl"), {
      ...params,
      token,
      token_type_hint,
    });
  }

  /**
   * Sends parameters to an endpoint of the authorization server, such as that
   * of introspection (RFC 7662) or pushed authorization requests (RFC 9126),
   * and authenticates the client as at the token endpoint. Redirects are not
   * followed. `params` are as for {@link Client.getToken}. Beside the
   * `allowedOrigins`, those of the client's own endpoints are allowed.
   *
   * @throws {TypeError} When the request cannot be made.
   * @throws {OAuth2Error} When the server refuses.
   * @throws {ConnectionError} When there is no answer.
   */
  async post<Parsed = unknown>(
    endpoint: string | URL,
    params: CallParams = {},
  ): Promise<OAuth2Response<Parsed>> {
    return await this.#post<Parsed>(this.#endpoints.find(endpoint), params);
  }

  /**
   * Sends a request, without a token, to the site or to an absolute URL.
   * `Parsed` is the type of the parsed body; it is not checked.
   *
   * @throws {OAuth2Error} When the answer has a status of 400 or above, or a
   * redirect is refused.
   * @throws {ConnectionError} When there is no answer.
   * @throws {TypeError} When the request cannot be made.
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
      (response) => response,
    );
    if (response.status >= 400 || response.problem) {
      this.#fail(response, first, call, response.problem);
    }
    return response as OAuth2Response<Parsed>;
  }

  /**
   * Sends a request, without a token, and gives the raw response, whatever its
   * status: for streams and events. The timeout ends with the headers. Members
   * of `init` go to `fetch`, but for method, headers, body and signal, which verb
   * and options give; `redirect` may be `manual` or `error`.
   *
   * @throws {OAuth2Error} When a redirect is refused.
   * @throws {ConnectionError} When there is no answer.
   * @throws {TypeError} When the request cannot be made.
   */
  async open(
    verb: string,
    target: string | URL,
    options: RequestOptions = {},
    init: Omit<RequestInit, "method" | "headers" | "body" | "signal"> = {},
  ): Promise<Response> {
    const call = { ...options };
    let last: Response | undefined;
    const send = async (request: WireRequest) => {
      cancel(last?.body ?? null);
      return last = await open(request, this.#exchangeOptions(call));
    };
    const toResponse = ({ status, headers, url, body }: Response) => {
      cancel(body);
      return new OAuth2Response({ status, headers, url });
    };
    // Callers without types may give what the options are for.
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
    if (redirect === "manual") return await send(first);
    const answer = redirect === "error"
      ? await send(first)
      : await this.#follow(first, call, send, toResponse);
    const problem = answer.type === "opaqueredirect"
      ? HIDDEN_REDIRECT
      : redirect === "error" && isRedirect(answer.status)
      ? "Cannot follow the redirect: the call allows none"
      : undefined;
    if (problem === undefined) return answer;
    throw this.#error(toResponse(answer), first, problem);
  }

  /** View of the client without its secret. */
  override toJSON(): Record<string, unknown> {
    return { id: this.id, secret: this.secret && this.#redactor.label };
  }

  async #post<Parsed>(
    endpoint: URL,
    params: CallParams,
  ): Promise<OAuth2Response<Parsed>> {
    const { call, wire } = splitParams(params);
    const { request, response } = await this.#ask(endpoint, wire, call);
    const { ok, problem, fields } = response;
    if (!ok || problem || fields?.error) {
      this.#fail(response, request, call, problem);
    }
    return response as OAuth2Response<Parsed>;
  }

  /** Asks an endpoint of the authorization server, whose redirects are never followed. */
  async #ask(
    endpoint: URL,
    params: Map<string, unknown>,
    call: EndpointOptions,
  ): Promise<Answered> {
    const settings = this.#settings;
    const endpoints = this.#endpoints;
    const request = await endpointRequest(
      {
        endpoint,
        params,
        call,
        audience: () => settings.issuer ?? endpoints.get("tokenUrl").href,
      },
      settings,
      this.#exchangeOptions(call),
    );
    const response = await this.#send(request, call, MAX_RESPONSE_BYTES);
    return { request, response };
  }

  /** Sends a request and follows its redirects. */
  async #follow<R extends { status: number; headers: Headers }>(
    request: WireRequest,
    options: RequestOptions,
    send: (request: WireRequest) => Promise<R>,
    toResponse: (answer: R) => OAuth2Response,
  ): Promise<R> {
    const { maxRedirects, allowCrossOriginRedirects, allowInsecure } =
      this.#settings;
    const endpoints = this.#endpoints;
    const answer = await send(request);
    if (!isRedirect(answer.status)) return answer;
    return await follow(
      request,
      answer,
      {
        maxRedirects,
        allowCrossOrigin: options.allowCrossOriginRedirects ??
          allowCrossOriginRedirects,
        allowInsecure,
        isAllowed: (url) => endpoints.isAllowed(url),
        redactor: this.#redactor,
      },
      send,
      (answer, request, message) =>
        this.#error(toResponse(answer), request, message),
    );
  }

  #exchangeOptions(call: CallOptions) {
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
  ): Promise<OAuth2Response> {
    const { connectionOpts, debug, snaky, parsers } = this.#settings;
    const lines = debug ? await import("./debug.ts") : undefined;
    if (lines) this.#log(lines.describeRequest(request, this.#redactor));
    const limit = call.maxBodyBytes ?? connectionOpts.maxBodyBytes ??
      maxBodyBytes;
    checkLimit("maxBodyBytes", limit);
    const response = await exchange(
      request,
      { ...this.#exchangeOptions(call), maxBodyBytes: limit },
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

  /** Logs a line; a logger that fails must not cost a token. */
  #log(line: string, level: keyof Logger = "debug"): void {
    try {
      this.#settings.logger[level](line);
    } catch {
      // A failing logger cannot be reported.
    }
  }

  /** Throws the error of an answer, or leaves it with the answer. */
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
      redact: (text) => this.#redactor.text(text, request),
      label: this.#redactor.label,
      now: this.now(),
      repetition: request.repetition,
    });
  }
}
