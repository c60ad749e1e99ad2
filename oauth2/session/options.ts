import type { AuthorizationParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import type {
  TokenManager,
  TokenManagerOptions,
  TokenStore,
} from "../manager/mod.ts";
import type { IdTokenClaims } from "../oidc/claims.ts";
import type { FillRandom } from "../sign_in/new_flow.ts";
import type { SealKey } from "../sign_in/seal.ts";
import type { SignInOptions } from "../sign_in/sign_in_options.ts";
import type { AccessToken } from "../core/token.ts";

/** Session of the user who sent a request. */
export interface CurrentSession<User = IdTokenClaims> {
  /** Claims of the ID token, or what `profile` returned at the login. */
  readonly user: User;
  /**
   * Requests with the user's token, which is renewed when it must be. Its
   * calls throw a `TokenManagerError` with the code `login_required` when only
   * another login helps: return `session.login(request)` then.
   */
  readonly api: TokenManager;
  /** Time at which the session ends, in seconds since 1970. */
  readonly expiresAt: number;
}

/** Login, callback or logout that failed. */
export interface Failure {
  /** Error. */
  readonly error: unknown;
  /** Error code, e.g. `access_denied` if the user refused. */
  readonly code: string;
  /** HTTP status of the response: 400, 403, 500 or 503. */
  readonly status: number;
}

/** Options of the token managers of a session. */
export type SessionManagerOptions = Omit<
  TokenManagerOptions,
  "client" | "store" | "key" | "grant"
>;

/** Options of a {@linkcode Session}. */
export interface SessionOptions<User = IdTokenClaims> {
  /** Client of the server, e.g. of `discover`. */
  client: Client;
  /**
   * Store of sessions and tokens, which all processes share. It needs
   * `compareAndSwap` or `lock`, and should have a `ttl` of at least `maxAge`.
   */
  store: TokenStore;
  /**
   * Key that seals the cookies: 32 bytes, as base64 or hex. Of a list, the
   * first seals and all unseal, so that a key can be replaced.
   */
  secret: SealKey | readonly SealKey[];
  /**
   * Origin of the application as browsers see it, e.g. `https://app.example`.
   * The `Host` of a request is never believed. Plain http is for loopback only.
   */
  origin: string;
  /**
   * Beginning of the paths `/login`, `/callback`, `/logout` and
   * `/backchannel-logout`, e.g. `/auth`. Register `origin + path + "/callback"`
   * as redirect URI.
   *
   * @default {""}
   */
  path?: string | undefined;
  /**
   * Path to which users go after a login without `return_to`, and after the
   * logout. Register `origin + home` as post-logout redirect URI.
   *
   * @default {"/"}
   */
  home?: string | undefined;
  /**
   * Requested scopes.
   *
   * @default {"openid"}
   */
  scope?: string | readonly string[] | undefined;
  /**
   * Other parameters of each authorization request, e.g. `prompt`.
   *
   * @default {{}}
   */
  params?: AuthorizationParams | undefined;
  /**
   * Seconds from the login to the end of the session.
   *
   * @default {28,800, eight hours}
   */
  maxAge?: number | undefined;
  /**
   * Name of the cookie, without its prefix `__Host-`. Two sessions of one
   * application need two names.
   *
   * @default {"session"}
   */
  cookie?: string | undefined;
  /**
   * Source of the `user` of a new session: `"userinfo"` adds the claims of the
   * UserInfo endpoint to those of the ID token; a function returns JSON, e.g.
   * from the API of a server without OpenID Connect.
   *
   * @default {claims of the ID token}
   */
  profile?:
    | "userinfo"
    | ((
      token: AccessToken,
      claims: IdTokenClaims | undefined,
    ) => User | Promise<User>)
    | undefined;
  /** Options of the token manager, e.g. `allowedOrigins` and `margin`. */
  manager?: SessionManagerOptions | undefined;
  /** Options of the sign-in, e.g. `lifetime`. */
  signIn?: SignInOptions | undefined;
  /**
   * Returns the page for a login, callback or logout that failed.
   *
   * @default {a text with the code}
   */
  onError?:
    | ((failure: Failure, request: Request) => Response | Promise<Response>)
    | undefined;
  /**
   * Function that receives errors for the operator: failures with status 500
   * and above, and tokens that could not be revoked.
   *
   * @default {a warning of the client}
   */
  report?: ((error: unknown) => void) | undefined;
  /**
   * Fills an array with random bytes.
   *
   * @default {crypto.getRandomValues}
   */
  random?: FillRandom | undefined;
}

/** Names of {@linkcode SessionManagerOptions}, to refuse unknown ones. */
export const SESSION_MANAGER_OPTIONS: Readonly<
  Record<keyof SessionManagerOptions, true>
> = {
  allowedOrigins: true,
  margin: true,
  maxStale: true,
  timeout: true,
  refreshParams: true,
  report: true,
  wait: true,
  random: true,
};

/** Names of {@linkcode SessionOptions}, to refuse unknown ones. */
export const SESSION_OPTIONS: Readonly<
  Record<keyof SessionOptions, true>
> = {
  client: true,
  store: true,
  secret: true,
  origin: true,
  path: true,
  home: true,
  scope: true,
  params: true,
  maxAge: true,
  cookie: true,
  profile: true,
  manager: true,
  signIn: true,
  onError: true,
  report: true,
  random: true,
};
