import { checkKeys } from "../core/aes_gcm.ts";
import type { AuthorizationParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { describeError } from "../core/errors.ts";
import { Inspectable } from "../core/inspectable.ts";
import { sha256 } from "../core/jwk.ts";
import { TokenManagerError } from "../manager/manager_error.ts";
import { TokenManager } from "../manager/token_manager.ts";
import { checkClient, checkNames, knownNames } from "../core/names.ts";
import { BackChannelLogout } from "../oidc/back_channel_logout.ts";
import type { IdTokenClaims } from "../oidc/claims.ts";
import { clientKeys } from "../oidc/client.ts";
import { endSessionUrl } from "../oidc/end_session_url.ts";
import { fetchUserInfo } from "../oidc/user_info.ts";
import { checkSeconds } from "../core/seconds.ts";
import { Flow } from "../sign_in/flow.ts";
import { hasOpenId, randomText } from "../sign_in/new_flow.ts";
import { readRequest } from "../sign_in/response_params.ts";
import { type SignedIn, SignIn } from "../sign_in/sign_in.ts";
import { withDeadline } from "../core/transport.ts";
import { invalid } from "../core/type_error.ts";
import { checkSecure } from "../core/url.ts";
import { ValidationError } from "../core/validation_error.ts";
import { Cookies } from "./cookies.ts";
import {
  hasForbiddenMethod,
  type HasHeaders,
  headerOf,
  type SessionRequest,
  toRequest,
} from "./node.ts";
import {
  type CurrentSession,
  SESSION_MANAGER_OPTIONS,
  SESSION_OPTIONS,
  type SessionManagerOptions,
  type SessionOptions,
} from "./options.ts";
import { Records, type SessionRecord } from "./records.ts";
import { SessionError, type SessionErrorCode } from "./session_error.ts";

/** Options of {@linkcode Session.login}. */
export interface LoginOptions {
  /**
   * Path of the application to which the user returns.
   *
   * @default {that of the request, if it is a GET}
   */
  returnTo?: string | undefined;
  /** Other parameters of the authorization request, e.g. of `stepUpParams`. */
  params?: AuthorizationParams | undefined;
}

/** User whose sessions end, as in a logout token. */
export interface EndedUser {
  /** User: claim `sub`. */
  readonly sub?: string | undefined;
  /** Session at the server: claim `sid`. */
  readonly sid?: string | undefined;
}

/** Sign-in in a cookie. */
interface Started {
  readonly flow: unknown;
  readonly to: string;
  readonly repeated: number;
}

/** Session in a cookie. */
interface Identified {
  readonly id: string;
  /** Time of the login, in seconds since 1970. */
  readonly at: number;
  /** Number of logins before this one, each shortly after the other. */
  readonly repeated: number;
}

const OPTIONS = knownNames<SessionOptions>(SESSION_OPTIONS);
const MANAGER_OPTIONS = knownNames<SessionManagerOptions>(
  SESSION_MANAGER_OPTIONS,
);
const LOGIN_OPTIONS = knownNames<LoginOptions>({
  returnTo: true,
  params: true,
});
const ENDED_USER = knownNames<EndedUser>({ sub: true, sid: true });
/** Seconds after a login in which another one is part of a loop. */
const LOOP_SECONDS = 10;
/** Number of logins in a loop that are not yet refused. */
const MAX_REPEATED = 3;
/** Most sign-ins of one browser at a time, e.g. in tabs. */
const MAX_STARTED = 5;
/** Longest path to return to: it is in a cookie. */
const MAX_PATH = 2000;
const ROUTES = ["/login", "/callback", "/logout"];
/** Longest time in milliseconds that a logout waits for the revocation. */
const REVOCATION_TIMEOUT = 5_000;
/** Most token managers in memory. */
const MAX_MANAGERS = 1000;

/**
 * Sessions of a web application, from login to logout. The browser gets a cookie
 * with a random id; user and tokens are in the store.
 *
 * {@linkcode Session.handle} answers four paths; {@linkcode Session.get} returns
 * the user of any other request.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { Session } from "@carteiro/oauth2/session";
 * import { MemoryStore } from "@carteiro/oauth2/stores";
 *
 * const session = new Session({
 *   client: new Client("abc", "secret", { site: "https://provider.example" }),
 *   store: new MemoryStore(),
 *   secret: crypto.getRandomValues(new Uint8Array(32)),
 *   origin: "https://app.example",
 *   scope: "notes",
 *   profile: async (token) => (await token.get<{ name: string }>("/me")).parsed,
 * });
 *
 * async function handle(request: Request): Promise<Response> {
 *   const response = await session.handle(request);
 *   if (response) return response;
 *   const current = await session.get(request);
 *   if (!current) return await session.login(request);
 *   return new Response(`Hello, ${current.user.name}`);
 * }
 *
 * const { status, headers } = await handle(new Request("https://app.example/"));
 * console.assert(status === 303);
 * console.assert(headers.get("location")?.startsWith("https://provider.example"));
 * ```
 */
export class Session<User = IdTokenClaims> extends Inspectable {
  readonly #options: SessionOptions<User>;
  readonly #client: Client;
  readonly #origin: string;
  readonly #home: string;
  readonly #cookies: Cookies;
  readonly #cookie: string;
  readonly #records: Records;
  readonly #signIn: SignIn;
  readonly #logout: BackChannelLogout | undefined;
  readonly #managers = new Map<string, TokenManager>();

  /**
   * Creates the sessions of an application; nothing is read or sent.
   *
   * @throws {TypeError} If an option is unknown, invalid or missing.
   */
  constructor(options: SessionOptions<User>) {
    super();
    checkNames(options, OPTIONS);
    checkClient(options.client);
    checkNames(options.manager ?? {}, MANAGER_OPTIONS);
    const { client, store, path = "", home = "/", cookie = "session" } =
      options;
    const { maxAge = 8 * 3600, scope = "openid", random } = options;
    if (!store?.compareAndSwap && !store?.lock) {
      throw invalid(
        "Cannot create the session: the store must have compareAndSwap or lock",
      );
    }
    checkSeconds("maxAge", maxAge);
    if (maxAge < 1) {
      throw invalid(
        `Cannot use maxAge ${maxAge}: it must be at least 1 second`,
      );
    }
    const { profile = "userinfo" } = options;
    if (typeof profile !== "function" && profile !== "userinfo") {
      throw invalid(
        `Cannot use profile "${profile}": it must be a function or "userinfo"`,
      );
    }
    checkKeys(options.secret as Uint8Array, "encrypt");
    const origin = URL.parse(options.origin);
    if (!origin || origin.href !== `${origin.origin}/`) {
      throw invalid(
        `Cannot use the origin "${options.origin}": it must be one such as https://app.example`,
      );
    }
    this.#origin = checkSecure(origin, false).origin;
    for (const [name, value] of Object.entries({ path, home })) {
      if (name === "path" && value === "") continue;
      const isPath = /^\/[\w~.%/-]*$/.test(value) && !value.includes("//");
      if (isPath && (name === "home" || !value.endsWith("/"))) continue;
      throw invalid(
        `Cannot use ${name} "${value}": it must be a path such as "/auth"`,
      );
    }
    if (!/^[\w-]+$/.test(cookie)) {
      throw invalid(
        `Cannot use cookie "${cookie}": it must be a name of letters, digits, _ and -`,
      );
    }
    const isOpenId = hasOpenId([scope].flat().join(" "));
    if (!isOpenId && typeof options.profile !== "function") {
      throw invalid(
        'Cannot create the session: without the scope "openid", profile must be a function that returns the user',
      );
    }
    this.#options = { ...options, path, maxAge, scope };
    this.#home = this.#origin + home;
    this.#client = client;
    this.#cookies = new Cookies({
      secret: options.secret,
      context: `${client.id} ${client.tokenUrl()}`,
      secure: origin.protocol === "https:",
      clock: () => client.now(),
      random,
    });
    this.#cookie = this.#cookies.nameOf(cookie);
    const records = new Records(store, () => this.#now());
    this.#records = records;
    const { keys = clientKeys(client), algorithms, clockTolerance } =
      options.signIn ?? {};
    this.#signIn = new SignIn(client, {
      consume: (state, expiresAt) => records.use(state, expiresAt),
      random,
      ...options.signIn,
      keys,
    });
    if (client.issuer !== undefined) {
      this.#logout = new BackChannelLogout(client, {
        endSessions: ({ sub, sid }) => this.end({ sub, sid }),
        replays: {
          add: (key, expiresAt) => records.use(key, expiresAt),
          delete: (key) => records.forget(key),
        },
        onError: (error) => {
          if (!(error instanceof ValidationError)) this.#report(error);
        },
        ...{ keys, algorithms, clockTolerance },
      });
    }
    // Checks their options.
    this.#manager("").toJSON();
    this.#managers.clear();
  }

  /**
   * Answers the requests to `/login`, `/callback`, `/logout` and
   * `/backchannel-logout`, below `path`. Returns undefined for any other.
   */
  async handle(request: SessionRequest): Promise<Response | undefined> {
    // Node accepts them, `Request` does not.
    if (hasForbiddenMethod(request)) return answer("method_not_allowed", 405);
    const web = toRequest(request, this.#origin);
    const { pathname, searchParams } = new URL(web.url);
    const { path } = this.#options;
    switch (pathname.startsWith(path!) && pathname.slice(path!.length)) {
      case "/login":
        return only("GET", web) ?? await this.login(web, {
          returnTo: this.#urlOf(searchParams.get("return_to")) ?? this.#home,
        });
      case "/callback":
        return only("GET, POST", web) ?? await this.callback(web);
      case "/logout":
        return only("POST", web) ?? await this.logout(web);
      case "/backchannel-logout":
        return only("POST", web) ?? await this.backchannelLogout(web);
      default:
        return undefined;
    }
  }

  /**
   * Returns the session of the user who sent a request; undefined if the user
   * has not signed in. Of the request, only the headers are read.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async get(request: HasHeaders): Promise<CurrentSession<User> | undefined> {
    const found = await this.#find(request);
    if (!found) return undefined;
    const { key, record } = found;
    return {
      user: record.user as User,
      api: this.#manager(key),
      expiresAt: record.expires_at,
    };
  }

  /**
   * Redirects the user to the server for a login, and then back. A request that
   * is no navigation, such as one of `fetch` in a page, gets status 401.
   *
   * @throws {TypeError} If an option is unknown, a parameter is invalid, or
   * `returnTo` is no path of the application.
   */
  async login(
    request: SessionRequest,
    options: LoginOptions = {},
  ): Promise<Response> {
    checkNames(options, LOGIN_OPTIONS);
    const { returnTo, params } = options;
    const web = toRequest(request, this.#origin);
    const mode = headerOf(web, "sec-fetch-mode") || "navigate";
    if (mode !== "navigate") return answer("login_required", 401);
    const { pathname, search } = new URL(web.url);
    const own = web.method === "GET" ? pathname + search : undefined;
    const to = this.#urlOf(returnTo ?? own);
    if (to === undefined && returnTo !== undefined) {
      throw invalid(
        `Cannot return to "${returnTo}": it must be a path of ${this.#origin}, of at most ${MAX_PATH} characters`,
      );
    }
    return await this.#run(
      web,
      () => this.#start(web, to ?? this.#home, params),
    );
  }

  /**
   * Completes a login: validates the response of the server, stores user and
   * tokens under a new id, and redirects the user to where the login began.
   */
  async callback(request: SessionRequest): Promise<Response> {
    const web = toRequest(request, this.#origin);
    const used: string[] = [];
    const response = await this.#run(web, async () => {
      const params = await readRequest(web);
      const name = this.#flowCookie(params.get("state") ?? "");
      const started = await this.#cookies.read<Started>(web, name);
      if (!started) {
        throw new SessionError(
          "missing_cookie",
          "Cannot complete the sign-in: its cookie is missing, because it took too long, was completed before, or the browser refuses cookies",
        );
      }
      used.push(this.#cookies.delete(name));
      const flow = new Flow(started.flow);
      const signedIn = await this.#signIn.callback(params, flow);
      return await this.#open(web, signedIn, started);
    });
    // Without the keys of the server, for example, the flow was not used.
    return response.status >= 500 ? response : withCookies(response, used);
  }

  /**
   * Ends the session of the user: here, with its tokens, and at the server if it
   * has an `end_session_endpoint`. The request must come from a page of the
   * application, such as a form with the method POST.
   */
  async logout(request: SessionRequest): Promise<Response> {
    const web = toRequest(request, this.#origin);
    return await this.#run(web, async () => {
      this.#checkSite(web);
      const found = await this.#find(web);
      if (found) await this.#end(found.key, found.record, "revoke");
      const hint = found?.record.id_token;
      const { end_session_endpoint } = this.#client.metadata ?? {};
      const url = end_session_endpoint === undefined
        ? this.#home
        : endSessionUrl(this.#client, {
          id_token_hint: hint,
          post_logout_redirect_uri: this.#home,
        });
      return redirect(url, this.#cookies.delete(this.#cookie));
    });
  }

  /**
   * Ends sessions that the server has ended: answers its request with a logout
   * token (OpenID Connect Back-Channel Logout 1.0), 404 without an issuer.
   */
  async backchannelLogout(request: SessionRequest): Promise<Response> {
    const web = toRequest(request, this.#origin);
    return await this.#logout?.handle(web) ?? answer("not_found", 404);
  }

  /**
   * Returns the response for an error of {@linkcode Session.get} or of the
   * user's `api`: a login if only that helps, 503 if the store or the server
   * fails; undefined for any other error, which the framework handles.
   */
  async recover(
    error: unknown,
    request: SessionRequest,
  ): Promise<Response | undefined> {
    const web = toRequest(request, this.#origin);
    return isLoginRequired(error)
      ? await this.login(web)
      : await this.#fail(error, web);
  }

  /**
   * Ends all sessions of a user or, with `sid`, those of one session at the
   * server, and deletes their tokens. Returns their number.
   *
   * @throws {TypeError} If another member than `sub` and `sid` is given.
   * @throws {TokenManagerError} If the store fails.
   */
  async end(ended: EndedUser): Promise<number> {
    checkNames(ended, ENDED_USER);
    const { sub, sid } = ended;
    const iss = this.#client.issuer;
    const keys = await this.#records.removeAll({ iss, sub, sid });
    for (const key of keys) await this.#manager(key).clear();
    return keys.length;
  }

  /** Returns the client and the origin. */
  override toJSON(): Record<string, unknown> {
    return { client: this.#client.toJSON(), origin: this.#origin };
  }

  /** Starts a sign-in, whose flow is in a cookie of its own. */
  async #start(
    request: Request,
    to: string,
    params: AuthorizationParams | undefined,
  ): Promise<Response> {
    const last = await this.#cookies.read<Identified>(request, this.#cookie);
    const isRepeated = last &&
      Math.abs(this.#now() - last.at) < LOOP_SECONDS;
    const repeated = isRepeated ? last.repeated + 1 : 0;
    if (repeated > MAX_REPEATED) {
      throw new SessionError(
        "login_loop",
        `Cannot sign in: ${repeated} logins, each less than ${LOOP_SECONDS} s after the other, left no session; all processes must share one store, which keeps values for maxAge, and their clocks must agree`,
      );
    }
    const { scope, path, params: others, signIn = {} } = this.#options;
    const wire: AuthorizationParams = {
      ...others,
      ...params,
      scope: params?.scope ?? scope,
      redirect_uri: `${this.#origin}${path}/callback`,
    };
    const flow = await this.#signIn.start(wire);
    const sameSite = wire.response_mode === "form_post" ? "None" : "Lax";
    const { lifetime: maxAge = 600 } = signIn;
    const name = this.#flowCookie(flow.toJSON().state);
    const started: Started = { flow, to, repeated };
    const old = this.#cookies.names(request)
      .filter((one) => one.startsWith(this.#flowCookie("")))
      .slice(0, -(MAX_STARTED - 1));
    return redirect(
      flow.url,
      ...old.map((one) => this.#cookies.delete(one)),
      await this.#cookies.write(name, started, { maxAge, sameSite }),
    );
  }

  /** Stores the session of a completed sign-in. */
  async #open(
    request: Request,
    { token, claims }: SignedIn,
    { to, repeated }: Started,
  ): Promise<Response> {
    const { profile, maxAge } = this.#options;
    const { iss, sub, sid } = claims ?? {};
    // A new id: one that was known before the login is not continued.
    const id = randomText(this.#options.random);
    // The store must not have the ids of cookies.
    const key = await sha256(id);
    const { id_token } = token.params;
    const record = {
      expires_at: this.#now() + maxAge!,
      ...{ iss, sub, sid },
      ...typeof id_token === "string" && { id_token },
    };
    try {
      // A logout that arrives from now on ends this login.
      await this.#records.begin(key, record);
      const user = profile === "userinfo"
        ? { ...claims, ...await fetchUserInfo(token, { sub: sub! }) }
        : profile
        ? await profile(token, claims)
        : claims;
      await this.#manager(key).set(token);
      if (!await this.#records.add(key, { ...record, user })) {
        throw new SessionError(
          "session_ended",
          "Cannot complete the sign-in: the server has ended the session",
        );
      }
    } catch (error) {
      await this.#attempt(() => this.#records.remove(key, record));
      await this.#attempt(() => this.#manager(key).clear());
      if (hasRevocation(this.#client)) {
        const hint = token.refreshToken ? "refresh_token" : "access_token";
        await this.#attempt(() => token.revoke({ token_type_hint: hint }));
      }
      throw error;
    }
    await this.#attempt(() => this.#replace(request, sub));
    const cookie: Identified = { id, at: this.#now(), repeated };
    return redirect(
      to,
      await this.#cookies.write(this.#cookie, cookie, { maxAge: maxAge! }),
    );
  }

  /** Ends the session that a browser had before its login. */
  async #replace(request: Request, sub: string | undefined): Promise<void> {
    const old = await this.#find(request);
    if (!old) return;
    // For the same user, a server may revoke the tokens of both logins.
    const isOther = sub !== undefined && sub !== old.record.sub;
    await this.#end(old.key, old.record, isOther ? "revoke" : "clear");
  }

  /** Ends a session. It has ended even if the server refuses to revoke. */
  async #end(
    key: string,
    record: SessionRecord,
    how: "revoke" | "clear",
  ): Promise<void> {
    await this.#records.remove(key, record);
    const manager = this.#manager(key);
    this.#managers.delete(key);
    const revokes = how === "revoke" && hasRevocation(this.#client);
    const { timeout = REVOCATION_TIMEOUT } = this.#options.manager ?? {};
    const limit = Math.min(timeout, REVOCATION_TIMEOUT);
    await this.#attempt(() =>
      // The user does not wait for another process that renews the token, or
      // has ended meanwhile; the revocation goes on.
      withDeadline("revoked token", "safe", { timeout: limit }, async () => {
        if (revokes && await this.#attempt(() => manager.revoke())) return;
        await this.#attempt(() => manager.clear());
      })
    );
  }

  /** Returns the session of a request, and its key in the store. */
  async #find(request: HasHeaders) {
    const cookie = await this.#cookies.read<Identified>(request, this.#cookie);
    if (!cookie) return undefined;
    const key = await sha256(cookie.id);
    const record = await this.#records.read(key);
    return record && { key, record };
  }

  /** Returns the token manager of a session, which all its requests share. */
  #manager(key: string): TokenManager {
    const { store, manager = {} } = this.#options;
    const client = this.#client;
    const found = this.#managers.get(key) ?? new TokenManager({
      report: (error) => this.#report(error),
      allowedOrigins: [client.site ?? client.tokenUrl()],
      ...manager,
      client,
      store,
      key: `token:${key}`,
    });
    // The last one that was used is kept longest.
    this.#managers.delete(key);
    this.#managers.set(key, found);
    if (this.#managers.size > MAX_MANAGERS) {
      this.#managers.delete(this.#managers.keys().next().value!);
    }
    return found;
  }

  /**
   * Refuses a logout that another site asks for: `Sec-Fetch-Site` or `Origin`
   * must name this one.
   */
  #checkSite(request: Request): void {
    const site = headerOf(request, "sec-fetch-site");
    const origin = headerOf(request, "origin");
    if (site ? site === "same-origin" : origin === this.#origin) return;
    throw new SessionError(
      "cross_site",
      `Cannot sign out: the request comes from ${
        site || origin || "an unknown site"
      }, not from a page of ${this.#origin}`,
    );
  }

  /**
   * Returns the absolute URL of a path to return to: of another site, or one
   * that would sign in or out again, undefined.
   */
  #urlOf(path: string | null | undefined): string | undefined {
    if (typeof path !== "string") return undefined;
    const url = URL.parse(path, this.#origin);
    // Not `blob:`, which has this origin, too, and no user name.
    if (!url?.href.startsWith(`${this.#origin}/`)) return undefined;
    if (url.href.length > this.#origin.length + MAX_PATH) return undefined;
    const own = ROUTES.map((route) => this.#options.path + route);
    return own.includes(url.pathname) ? undefined : url.href;
  }

  /** Runs a step, and answers with its error. */
  async #run(
    request: Request,
    step: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await step();
    } catch (error) {
      const response = await this.#fail(error, request);
      if (response) return response;
      throw error;
    }
  }

  /** Returns the page of an error that is no mistake of the application. */
  async #fail(error: unknown, request: Request): Promise<Response | undefined> {
    const status = statusOf(error);
    if (status === undefined) return undefined;
    if (status >= 500) this.#report(error);
    const { code = "failed", retryAfter } = describeError(error);
    const { onError } = this.#options;
    if (onError) return await onError({ error, code, status }, request);
    const text = error instanceof SessionError && status < 500
      ? error.message
      : status === 503
      ? `Temporarily unavailable: ${code}`
      : `Sign-in failed: ${code}`;
    const response = answer(text, status);
    if (retryAfter) response.headers.set("retry-after", String(retryAfter));
    return response;
  }

  /** Runs a step whose failure only the operator needs to know. */
  async #attempt(run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #report(error: unknown): void {
    const { report } = this.#options;
    try {
      if (report) report(error);
      else this.#client.warn(`oauth2: ${describeError(error).message}`);
    } catch {
      // A failing report must not fail a login.
    }
  }

  /** Returns the name of the cookie of a sign-in. */
  #flowCookie(state: string): string {
    const { cookie = "session" } = this.#options;
    return this.#cookies.nameOf(`${cookie}-login-${state.slice(0, 8)}`);
  }

  #now(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}

/** Statuses by the code of an error of this package. */
const STATUSES: Readonly<Record<SessionErrorCode, number>> = {
  login_loop: 500,
  cross_site: 403,
  missing_cookie: 400,
  session_ended: 400,
};

/**
 * Returns the status for an error; undefined for a mistake of the application,
 * which its framework handles.
 */
function statusOf(error: unknown): number | undefined {
  if (error instanceof SessionError) return STATUSES[error.code];
  const { kind, code, retryable } = describeError(error);
  if (error instanceof TypeError || kind === "unknown" || kind === "abort") {
    return undefined;
  }
  if (retryable || kind === "network" || kind === "timeout") return 503;
  if (error instanceof TokenManagerError) return undefined;
  return code === "access_denied" ? 403 : 400;
}

function isLoginRequired(error: unknown): boolean {
  return error instanceof TokenManagerError && error.code === "login_required";
}

/** Returns a response if the method is not one of those that are allowed. */
function only(methods: string, { method }: Request): Response | undefined {
  if (methods.split(", ").includes(method)) return undefined;
  return answer("method_not_allowed", 405, { allow: methods });
}

function answer(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}

function redirect(location: string, ...cookies: string[]): Response {
  const headers = { location, "cache-control": "no-store" };
  return withCookies(new Response(null, { status: 303, headers }), cookies);
}

/** Adds cookies to a response, whose headers may be immutable. */
function withCookies(
  response: Response,
  cookies: readonly string[],
): Response {
  const { status, headers: given, body } = response;
  const headers = new Headers(given);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(body, { status, headers });
}

function hasRevocation(client: Client): boolean {
  try {
    return client.revokeUrl() !== "";
  } catch {
    return false;
  }
}
