import { type AuthScheme, findAuthMethod } from "./client_auth.ts";
import { isDebugWanted } from "./config.ts";
import { OAuth2Error } from "./error.ts";
import { type HeaderSource, mergeHeaders } from "./headers.ts";
import type { JwtKey } from "./jwt.ts";
import { onlyDefined, type Resolved, withDefaults } from "./options.ts";
import { addParams } from "./params.ts";
import { parseUntyped } from "./parsers.ts";
import { Redactor } from "./redact.ts";
import { Redacted } from "./redacted.ts";
import {
  type CallOptions,
  type CallParams,
  type EndpointOptions,
  type RequestOptions,
  type TokenMethod,
  wireRequest,
} from "./request.ts";
import type { OAuth2Response } from "./response.ts";
import { toSnakeCase } from "./snaky.ts";
import * as strategies from "./strategies.ts";
import {
  AccessToken,
  setApart,
  takeOptions,
  type TokenClass,
  type TokenClient,
  type TokenHash,
  type TokenOptions,
  type TokenOverrides,
} from "./token.ts";
import {
  exchange,
  type Fetch,
  MAX_ANSWER_BYTES,
  type WireRequest,
} from "./transport.ts";
import { readTokenAnswer } from "./token_answer.ts";
import { checkSecure, resolveUrl } from "./url.ts";

/** Where lines go: `console`, or any logger with these two. */
export interface Logger {
  /** Takes a line about a request or a response. */
  debug(line: string): void;
  /** Takes a line about what may be a mistake. */
  warn(line: string): void;
}

/** What holds for every request of a client, unless a call says otherwise. */
export interface ConnectionOptions {
  /**
   * Milliseconds for each request; 0 for no limit.
   *
   * @default 30000
   */
  timeout?: number | undefined;
  /** Ends the calls that have no signal of their own. */
  signal?: AbortSignal | undefined;
  /** Headers of every request. */
  headers?: HeaderSource | undefined;
  /**
   * Bytes after which a body is refused.
   *
   * @default 1048576 for tokens and revocation, 67108864 for resources
   */
  maxBodyBytes?: number | undefined;
}

/** How a client behaves. */
export interface ClientOptions<T extends AccessToken = AccessToken> {
  /** The base URL, against which paths are resolved. */
  site?: string | undefined;
  /**
   * Where users are asked: a path or a URL, as the other two.
   *
   * @default "oauth/authorize"
   */
  authorizeUrl?: string | undefined;
  /**
   * Where tokens are asked for.
   *
   * @default "oauth/token"
   */
  tokenUrl?: string | undefined;
  /**
   * Where tokens are revoked.
   *
   * @default "oauth/revoke"
   */
  revokeUrl?: string | undefined;
  /** The redirect URI where a call names none. */
  redirectUri?: string | undefined;
  /**
   * How the client tells who it is.
   *
   * @default "basic_auth"
   */
  authScheme?: AuthScheme | undefined;
  /**
   * Whether the id and the secret are form-encoded in Basic credentials, as
   * RFC 6749 section 2.3.1 wants it, or sent as they are, as some servers do.
   *
   * @default "form"
   */
  basicAuthEncoding?: "form" | "raw" | undefined;
  /** The key that signs the assertions of private_key_jwt. */
  assertionKey?: JwtKey | undefined;
  /**
   * The issuer that the server is known by; assertions are addressed to it.
   *
   * @default the URL of the token endpoint
   */
  issuer?: string | undefined;
  /**
   * How the token endpoint is asked, for servers that need it.
   *
   * @default "post"
   */
  tokenMethod?: TokenMethod | undefined;
  /**
   * Types of tokens that are taken besides bearer, in any letter case.
   *
   * @default []
   */
  tokenTypes?: readonly string[] | undefined;
  /**
   * Finds the object with the token among the fields of an answer, where it is
   * not the answer itself.
   */
  extractAccessToken?:
    | ((fields: Record<string, unknown>) => TokenHash | undefined)
    | undefined;
  /**
   * The class of tokens.
   *
   * @default AccessToken
   */
  accessTokenClass?: TokenClass<T> | undefined;
  /**
   * Whether errors of the server are thrown. If not, they are in the `error`
   * of the response.
   *
   * @default true
   */
  raiseErrors?: boolean | undefined;
  /**
   * How many redirects of resource servers are followed.
   *
   * @default 5
   */
  maxRedirects?: number | undefined;
  /**
   * Whether redirects of resource servers may lead to another origin, to which
   * no credential goes.
   *
   * @default false
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /**
   * The origins to which `request` may send a token, and anything else, such
   * as `https://api.example`. The endpoints of the authorization server are
   * named by their own options.
   *
   * @default any
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether plain http is allowed beyond loopback.
   *
   * @default false
   */
  allowInsecure?: boolean | undefined;
  /** What holds for every request. */
  connectionOpts?: ConnectionOptions | undefined;
  /**
   * Where log lines go.
   *
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * Whether requests and responses are logged, without their secrets.
   *
   * @default whether the environment variable OAUTH_DEBUG is "true"
   */
  debug?: boolean | undefined;
  /**
   * What sends requests. Wrap it for middleware, proxies and certificates.
   *
   * @default globalThis.fetch
   */
  fetch?: Fetch | undefined;
  /**
   * The time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  clock?: (() => number) | undefined;
}

/** They prove who the client is, and go to the token endpoint only. */
const SECRET_PARAMS = ["client_secret", "client_assertion", "code_verifier"];
const TOKEN_METHODS: readonly TokenMethod[] = [
  "post",
  "get",
  "post_with_query_string",
];
/** Options among the parameters of a call; they never go over the wire. */
const CALL_OPTIONS = [
  "headers",
  "parse",
  "untyped",
  "snaky",
  "snakyHashClass",
  "tokenMethod",
  "raiseErrors",
  "signal",
  "timeout",
].map((name) => [name, name] as const);
const DEFAULTS = {
  authorizeUrl: "oauth/authorize",
  tokenUrl: "oauth/token",
  revokeUrl: "oauth/revoke",
  authScheme: "basic_auth",
  basicAuthEncoding: "form",
  tokenMethod: "post",
  raiseErrors: true,
  maxRedirects: 5,
  connectionOpts: {},
  logger: console,
  clock: () => Date.now(),
} satisfies ClientOptions;

/** The options of a client and who it is, defaults filled in. */
type Settings<T extends AccessToken> = Resolved<
  ClientOptions<T> & { id?: string | null; secret?: string | null },
  typeof DEFAULTS & { debug: boolean }
>;

const MAX_RESOURCE_BYTES = 64 * 1024 * 1024;

/**
 * A client of an authorization server.
 *
 * Parameters that go over the wire are spelled as on the wire, such as
 * `redirect_uri`; options of this library are in camel case.
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
export class Client<T extends AccessToken = AccessToken> extends Redacted
  implements TokenClient, strategies.StrategyClient<T> {
  /** The authorization code grant. */
  readonly authCode: strategies.AuthCode<T> = strategies.authCode<T>(this);
  /** The implicit grant. */
  readonly implicit: strategies.Implicit = strategies.implicit(this);
  /** The password grant. */
  readonly password: strategies.Password<T> = strategies.password<T>(this);
  /** The client credentials grant. */
  readonly clientCredentials: strategies.ClientCredentials<T> = strategies
    .clientCredentials<T>(this);
  /** The JWT bearer assertion grant. */
  readonly assertion: strategies.Assertion<T> = strategies.assertion<T>(this);

  #options: Settings<T>;
  #redactor = new Redactor();

  /** Makes a client. A public client has no secret. */
  constructor(
    id?: string | null,
    secret?: string | null,
    options: ClientOptions<T> = {},
  ) {
    super();
    this.#options = withDefaults(
      { ...options, id, secret },
      { ...DEFAULTS, debug: options.debug ?? isDebugWanted() },
    );
  }

  /** The id that the server knows the client by. */
  get id(): string | undefined {
    return this.#options.id;
  }

  /** The secret. */
  get secret(): string | undefined {
    return this.#options.secret;
  }

  /** The base URL, against which paths are resolved. */
  get site(): string | undefined {
    return this.#options.site;
  }

  /** Changes the base URL. */
  set site(site: string | undefined) {
    this.#options = { ...this.#options, site };
  }

  /** The redirect URI where a call names none. */
  get redirectUri(): string | undefined {
    return this.#options.redirectUri;
  }

  /** Whether errors are thrown. */
  get raiseErrors(): boolean {
    return this.#options.raiseErrors;
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.#options.clock();
  }

  /** Says what may be a mistake. */
  warn(message: string): void {
    this.#options.logger.warn(message);
  }

  /**
   * Where users are asked, with these parameters in the query.
   *
   * @throws {TypeError} When the address is not a URL or not secure, or a secret
   * stands among the parameters: the URL passes through browsers and logs.
   */
  authorizeUrl(params: TokenHash = {}): string {
    const { authorizeUrl, redirectUri: redirect_uri } = this.#options;
    const secret = Object.keys(params)
      .find((name) => SECRET_PARAMS.includes(toSnakeCase(name)));
    if (secret !== undefined) {
      throw new TypeError(
        `${secret} is not allowed in authorize URL query params`,
      );
    }
    return this.#endpoint(
      authorizeUrl,
      { redirect_uri, ...onlyDefined(params) },
    ).href;
  }

  /**
   * Where tokens are asked for, with these parameters in the query.
   *
   * @throws {TypeError} When the address is not a URL or not secure.
   */
  tokenUrl(params?: TokenHash): string {
    return this.#endpoint(this.#options.tokenUrl, params).href;
  }

  /**
   * Where tokens are revoked, with these parameters in the query.
   *
   * @throws {TypeError} When the address is not a URL or not secure.
   */
  revokeUrl(params?: TokenHash): string {
    return this.#endpoint(this.#options.revokeUrl, params).href;
  }

  /**
   * Asks the token endpoint (RFC 6749 section 3.2), by any grant.
   *
   * `params` go over the wire, but for these names, which are options of the
   * call: `headers`, `parse`, `snaky`, `snakyHashClass`, `untyped`,
   * `tokenMethod`, `raiseErrors`, `signal`, `timeout`. `options` say how the
   * token is read and used; further fields in them win over the server's.
   *
   * With `raiseErrors: false` an answer without a token gives an empty token,
   * whose `response.error` tells why.
   *
   * @throws {OAuth2Error} When the server refuses, or its answer has no token.
   * @throws {ConnectionError} When no answer comes.
   * @throws {TypeError} When the request cannot be made.
   */
  async getToken(
    params: CallParams = {},
    options: TokenOverrides = {},
  ): Promise<T> {
    const { call, wire } = splitParams(params);
    const { response: _, ...fields } = options;
    const tokenOptions: TokenOptions = takeOptions(fields);
    const { tokenName } = tokenOptions;
    if (tokenName !== undefined) this.#redactor.hide(tokenName);
    const { accessTokenClass = AccessToken, tokenMethod } = this.#options;
    const { request, response } = await this.#ask(
      this.#options.tokenUrl,
      wire,
      {
        tokenMethod,
        untyped: parseUntyped,
        ...call,
      },
    );
    const make = (fields: TokenHash) =>
      (accessTokenClass as TokenClass<AccessToken>)
        .fromHash(this, fields, { ...tokenOptions, response }) as T;
    const answer = readTokenAnswer(response, { ...this.#options, tokenName });
    if (answer.fields) {
      const token = make(setApart({ ...answer.fields, ...fields }));
      if (token.token) return token;
    }
    this.#fail(response, request, call.raiseErrors, answer.problem);
    return make({});
  }

  /**
   * Tells the server that a token is used no more (RFC 7009). `tokenTypeHint`
   * is `access_token` or `refresh_token`; `params` are as for
   * {@link Client.getToken}.
   *
   * @throws {OAuth2Error} When the server refuses.
   * @throws {ConnectionError} When no answer comes.
   */
  async revokeToken(
    token: string,
    tokenTypeHint?: string,
    params: CallParams = {},
  ): Promise<OAuth2Response> {
    const { call, wire } = splitParams(params);
    const { request, response } = await this.#ask(
      this.#options.revokeUrl,
      {
        ...wire,
        token,
        token_type_hint: tokenTypeHint ?? wire.token_type_hint,
      },
      call,
    );
    if (!response.ok || response.problem) {
      this.#fail(response, request, call.raiseErrors, response.problem);
    }
    return response;
  }

  /**
   * Sends a request, without a token, to the site or to an absolute URL.
   *
   * @throws {OAuth2Error} When the answer has a status of 400 or above, or
   * leads where a redirect may not.
   * @throws {ConnectionError} When no answer comes.
   * @throws {TypeError} When the request cannot be made.
   */
  async request(
    verb: string,
    target: string,
    options: RequestOptions = {},
  ): Promise<OAuth2Response> {
    const { connectionOpts, maxRedirects, allowedOrigins } = this.#options;
    const site = this.#resolve(target);
    const isAllowed = (url: URL) =>
      allowedOrigins?.some((origin) => new URL(origin).origin === url.origin) ??
        true;
    if (!isAllowed(site)) {
      throw new TypeError(
        `Cannot send a request to "${site.origin}": it is not an allowed origin`,
      );
    }
    const url = addParams(site, options.params);
    const request = wireRequest(verb, url, {
      body: options.body,
      headers: mergeHeaders(connectionOpts.headers, options.headers),
      secrets: [this.secret ?? "", ...options.secrets ?? []],
    });
    const send = (request: WireRequest) =>
      this.#send(request, options, MAX_RESOURCE_BYTES);
    let response = await send(request);
    if (response.isRedirect) {
      const { follow } = await import("./redirects.ts");
      response = await follow(request, response, {
        maxRedirects,
        allowCrossOrigin: options.allowCrossOriginRedirects ??
          this.#options.allowCrossOriginRedirects,
        allowInsecure: this.#options.allowInsecure,
        isAllowed,
        redactor: this.#redactor,
        now: this.#options.clock,
      }, send);
    }
    const { status, problem } = response;
    if (status >= 400 || problem) {
      this.#fail(response, request, options.raiseErrors, problem);
    }
    return response;
  }

  /** What is shown of the client: no secret. */
  override toJSON(): Record<string, unknown> {
    return { id: this.id, secret: this.secret && this.#redactor.label };
  }

  #endpoint(path: string, params?: TokenHash): URL {
    return addParams(this.#resolve(path), params);
  }

  #resolve(target: string): URL {
    const url = resolveUrl(this.site, target);
    checkSecure(url, this.#options.allowInsecure);
    return url;
  }

  /** Asks an endpoint of the authorization server, whose redirects are never followed. */
  async #ask(
    path: string,
    params: Record<string, unknown>,
    call: EndpointOptions,
  ): Promise<{ request: WireRequest; response: OAuth2Response }> {
    const { authScheme, connectionOpts } = this.#options;
    const authenticate = findAuthMethod(authScheme);
    const headers = mergeHeaders(
      { accept: "application/json" },
      connectionOpts.headers,
      call.headers,
    );
    const identity = {
      ...this.#options,
      audience: () => this.#options.issuer ?? this.tokenUrl(),
    };
    await authenticate(identity, params, headers);
    const { tokenMethod = "post" } = call;
    if (!TOKEN_METHODS.includes(tokenMethod)) {
      throw new TypeError(`invalid tokenMethod option of ${tokenMethod}`);
    }
    const verb = tokenMethod === "get" ? "get" : "post";
    const [inQuery, body] = tokenMethod === "post"
      ? [undefined, params]
      : [params, undefined];
    const request = wireRequest(verb, this.#endpoint(path, inQuery), {
      body,
      headers,
      secrets: [this.secret ?? ""],
    });
    const response = await this.#send(request, call, MAX_ANSWER_BYTES);
    return { request, response };
  }

  async #send(
    request: WireRequest,
    call: CallOptions & { maxBodyBytes?: number | undefined },
    maxBodyBytes: number,
  ): Promise<OAuth2Response> {
    const { fetch = globalThis.fetch, connectionOpts, debug: isDebug } =
      this.#options;
    const debug = isDebug ? await import("./debug.ts") : undefined;
    if (debug) {
      this.#options.logger.debug(
        debug.describeRequest(request, this.#redactor),
      );
    }
    const response = await exchange(request, {
      maxBodyBytes,
      ...onlyDefined(connectionOpts),
      ...onlyDefined(call),
      fetch,
      redactor: this.#redactor,
    });
    if (debug) {
      this.#options.logger.debug(
        debug.describeResponse(response, request, this.#redactor),
      );
    }
    return response;
  }

  /** Throws the error of an answer, or leaves it with the answer. */
  #fail(
    response: OAuth2Response,
    request: WireRequest,
    raiseErrors: boolean = this.raiseErrors,
    message?: string,
  ): void {
    const error = new OAuth2Error(response, {
      message,
      redact: (text) => this.#redactor.text(text, request),
      now: this.now(),
    });
    if (raiseErrors) throw error;
    response.error = error;
  }
}

/** Tells the options of a call from what goes over the wire. */
function splitParams(
  params: CallParams,
): { call: EndpointOptions; wire: Record<string, unknown> } {
  const wire: Record<string, unknown> = onlyDefined(params);
  return { call: takeOptions(wire, CALL_OPTIONS), wire };
}
