import { sha256 } from "../core/jwk.ts";
import { mediaType } from "../core/headers.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { isPlainObject } from "../core/params.ts";
import { readBody } from "../core/read_body.ts";
import { MemoryReplays, type ReplayStore } from "../core/replays.ts";
import { invalid } from "../core/type_error.ts";
import {
  type Fail,
  failing,
  ValidationError,
} from "../core/validation_error.ts";
import type { OpenIdClient } from "./client.ts";
import type { Jwks } from "./jwks.ts";
import { ServerJwts } from "./server_jwts.ts";

/** Claims of a valid logout token (section 2.4); it has `sub`, `sid` or both. */
export interface LogoutClaims {
  /** Issuer. */
  readonly iss: string;
  /** Client ids for which the token is intended. */
  readonly aud: string | readonly string[];
  /** Time of issue, in seconds since 1970. */
  readonly iat: number;
  /** Time of expiry, in seconds since 1970. */
  readonly exp: number;
  /** Id of the token. */
  readonly jti: string;
  /** Events, among them that of a back-channel logout. */
  readonly events: Readonly<Record<string, unknown>>;
  /** User. */
  readonly sub?: string;
  /** Session at the server: the `sid` of its ID tokens. */
  readonly sid?: string;
  /** Another claim. */
  readonly [claim: string]: unknown;
}

/** Sessions that a server has ended. */
export interface EndedSessions {
  /** Issuer of the ID tokens of the sessions. */
  readonly iss: string;
  /** User; without a `sid`, all sessions of this user have ended. */
  readonly sub: string | undefined;
  /** The one session that has ended: the `sid` of its ID token. */
  readonly sid: string | undefined;
}

/** Options of {@linkcode BackChannelLogout}. */
export interface BackChannelLogoutOptions {
  /**
   * Ends sessions of the application: that with the `sid`, or without one all of
   * the `sub`. Sessions that are unknown or have ended already are no error.
   */
  endSessions: (ended: EndedSessions) => unknown;
  /**
   * Called with the error of each logout that was refused or has failed, e.g. to
   * log it. The server learns the reason of a refusal only.
   */
  onError?: ((error: unknown) => unknown) | undefined;
  /**
   * Cache of the keys of the server.
   *
   * @default {`clientKeys(client)`}
   */
  keys?: Jwks | undefined;
  /**
   * Signature algorithms to accept: those of ID tokens.
   *
   * @default {asymmetric algorithms of `id_token_signing_alg_values_supported`, or RS256}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Types in the header to accept, in lower case. Some servers send none; the
   * claim `events` tells a logout token from others, too.
   *
   * @default {["logout+jwt", "jwt", ""]}
   */
  types?: readonly string[] | undefined;
  /**
   * Maximum difference between the clocks, in seconds; at most 3600.
   *
   * @default {10}
   */
  clockTolerance?: number | undefined;
  /**
   * Store of used logout tokens, which all processes should share.
   *
   * @default {a `MemoryReplays`}
   */
  replays?: ReplayStore | undefined;
}

const OPTIONS = knownNames<BackChannelLogoutOptions>({
  endSessions: true,
  onError: true,
  keys: true,
  algorithms: true,
  types: true,
  clockTolerance: true,
  replays: true,
});
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const FORM = "application/x-www-form-urlencoded";
const fail: Fail = failing("validate the logout token");
const MAX_BYTES = 64 * 1024;

/**
 * Logout endpoint of a client, at its registered `backchannel_logout_uri`. Keep
 * it for the life of the process, because it caches keys and remembers logout
 * tokens.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { BackChannelLogout } from "@carteiro/oauth2/oidc";
 *
 * const issuer = "https://provider.example";
 * const client = new Client("abc", "secret", {
 *   metadata: { issuer, jwks_uri: `${issuer}/keys` },
 * });
 * const sessions = new Map<string, { sub: string; sid: string }>();
 * const logout = new BackChannelLogout(client, {
 *   endSessions({ sub, sid }) {
 *     for (const [id, session] of sessions) {
 *       const isEnded = sid === undefined
 *         ? session.sub === sub
 *         : session.sid === sid;
 *       if (isEnded) sessions.delete(id);
 *     }
 *   },
 * });
 * const request = new Request("https://app.example/backchannel-logout", {
 *   method: "POST",
 *   body: new URLSearchParams({ logout_token: "eyJhbGciOiJub25lIn0.e30." }),
 * });
 * const response = await logout.handle(request);
 * console.assert(response.status === 400);
 * ```
 */
export class BackChannelLogout {
  #jwts: ServerJwts;
  #options: BackChannelLogoutOptions;
  #replays: ReplayStore;

  /**
   * Creates the logout endpoint of a client.
   *
   * @throws {TypeError} If the client has no id or issuer, or an option is
   * missing, misspelled or invalid.
   */
  constructor(client: OpenIdClient, options: BackChannelLogoutOptions) {
    checkNames(options ?? {}, OPTIONS);
    const { types = ["logout+jwt", "jwt", ""] } = options ?? {};
    this.#jwts = new ServerJwts(client, options ?? {}, {
      name: "logout token",
      supported: "id_token_signing_alg_values_supported",
      required: ["iat", "exp"],
      types,
    });
    if (typeof options?.endSessions !== "function") {
      throw invalid("Cannot end sessions: endSessions must be a function");
    }
    this.#options = { ...options };
    this.#replays = options.replays ??
      new MemoryReplays({ clock: () => client.now() });
  }

  /**
   * Answers the request of the server, a form with `logout_token`: 200 if the
   * sessions have ended, otherwise 400 (section 2.8). Never rejects.
   */
  async handle(request: Request): Promise<Response> {
    const headers = { "cache-control": "no-store" };
    try {
      await this.end(await readToken(request), request.signal);
      return new Response(null, { headers });
    } catch (error) {
      this.#report(error);
      const error_description = error instanceof ValidationError
        ? error.message
        : "Cannot end the sessions";
      return Response.json(
        { error: "invalid_request", error_description },
        { status: 400, headers },
      );
    }
  }

  /**
   * Validates a logout token (section 2.6), ends its sessions and returns its
   * claims. Its form is read by {@linkcode BackChannelLogout.handle}, or by your
   * framework.
   *
   * @throws {ValidationError} If the token breaks a rule or was used before.
   * @throws {OAuth2Error} If the server refuses the request for its keys.
   * @throws {ConnectionError} If no complete response with the keys arrives.
   * @throws {TypeError} If the metadata of the client has no `jwks_uri`.
   * @throws {unknown} If `endSessions` or the store of used tokens throws.
   */
  async end(
    logoutToken: unknown,
    signal?: AbortSignal,
  ): Promise<LogoutClaims> {
    const claims = await this.#validate(logoutToken, signal);
    const { iss, jti, exp, sub, sid } = claims;
    const key = await sha256(`logout ${iss} ${jti}`);
    const { clockTolerance = 10 } = this.#options;
    const until = Math.ceil(exp) + clockTolerance + 1;
    const isNew = await this.#replays.add(key, until);
    if (!isNew) fail("invalid_jti", "it was used before");
    try {
      await this.#options.endSessions({ iss, sub, sid });
    } catch (error) {
      await this.#replays.delete?.(key);
      throw error;
    }
    return claims;
  }

  /** Calls `onError`, whose failure must not keep the server from its answer. */
  #report(error: unknown): void {
    const call = async () => await this.#options.onError?.(error);
    call().catch(() => {});
  }

  async #validate(
    logoutToken: unknown,
    signal: AbortSignal | undefined,
  ): Promise<LogoutClaims> {
    const claims = await this.#jwts.read(logoutToken, signal);
    const { jti, events, sub, sid, nonce } = claims;
    if (!isText(jti)) fail("invalid_jti", "jti is missing");
    if (sub !== undefined && !isText(sub)) {
      fail("invalid_sub", "sub is no text");
    }
    if (sid !== undefined && !isText(sid)) {
      fail("invalid_sid", "sid is no text");
    }
    if (sub === undefined && sid === undefined) {
      fail("invalid_sub", "sub and sid are missing");
    }
    if (
      !isPlainObject(events) || !Object.hasOwn(events, EVENT) ||
      !isPlainObject(events[EVENT])
    ) {
      fail("invalid_events", `events has no object "${EVENT}"`);
    }
    // An ID token must not pass for a logout token.
    if (nonce !== undefined) fail("invalid_nonce", "it has a nonce");
    return claims as unknown as LogoutClaims;
  }
}

/** Reads the logout token from the form of a request (section 2.5). */
async function readToken(request: Request): Promise<string> {
  const { method, headers } = request;
  if (method !== "POST" || mediaType(headers.get("content-type")) !== FORM) {
    fail("invalid_request", "the request is not a POST of a form");
  }
  const bytes = await readBody(request, MAX_BYTES) ??
    fail("invalid_request", `the form is longer than ${MAX_BYTES} bytes`);
  const [token, ...others] = new URLSearchParams(
    new TextDecoder().decode(bytes),
  ).getAll("logout_token");
  if (token === undefined || others.length > 0) {
    fail("invalid_request", "the form must have one logout_token");
  }
  return token;
}

function isText(claim: unknown): claim is string {
  return typeof claim === "string" && claim !== "";
}
