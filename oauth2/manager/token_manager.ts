/**
 * Token manager: requests with a valid token.
 */
import type { CallParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { Inspectable } from "../core/inspectable.ts";
import { checkNames, knownNames } from "../core/names.ts";
import type { OAuth2Response } from "../core/response.ts";
import { checkRefreshed } from "../oidc/refreshed_id_token.ts";
import { type AccessToken, refreshChecks } from "../core/token.ts";
import { cancel } from "../core/read_body.ts";
import { forbidden } from "../core/type_error.ts";
import { resolveUrl } from "../core/url.ts";
import type { HeldToken } from "./held.ts";
import { TokenKeeper } from "./keeper.ts";
import { readOptions, type TokenManagerOptions } from "./options.ts";
import { copyInit, isTokenRejected } from "./repeatable.ts";

/** Options of {@linkcode TokenManager.token}. */
export interface TokenCallOptions {
  /** Signal that rejects this call; a renewal continues for other callers. */
  signal?: AbortSignal | undefined;
}

const CALL_OPTIONS = knownNames<TokenCallOptions>({ signal: true });
/**
 * Milliseconds after its issue during which a rejected token is not renewed: a
 * server that rejects every token would cause a renewal per request.
 */
const MIN_AGE = 10_000;

/**
 * Manager of one token: of a user's session, or of a service.
 *
 * Renews the token ahead of its expiry, once for all callers and for all
 * processes that share the store, and stores it before it is handed out.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { TokenManager } from "@carteiro/oauth2/manager";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   // Stands in for the server in this example; leave it out.
 *   fetch: (url) =>
 *     Promise.resolve(Response.json(
 *       url.endsWith("/token")
 *         ? { access_token: "monkey", expires_in: 600 }
 *         : { name: "Ana" },
 *     )),
 * });
 * const api = new TokenManager({
 *   client,
 *   grant: () => client.clientCredentials.getToken({ scope: "read" }),
 * });
 * const response = await api.fetch("/me");
 * console.assert((await response.json()).name === "Ana");
 * ```
 */
export class TokenManager extends Inspectable {
  readonly #client: Client;
  readonly #origins: readonly string[];
  readonly #keeper: TokenKeeper;

  /**
   * Creates a manager; nothing is read or sent.
   *
   * @throws {TypeError} If an option is misspelled, invalid or missing.
   */
  constructor(options: TokenManagerOptions) {
    super();
    const settings = readOptions(options);
    refreshChecks.set(settings.client, checkRefreshed);
    this.#client = settings.client;
    this.#origins = settings.binding.origins;
    this.#keeper = new TokenKeeper(settings);
  }

  /**
   * Sends a request with a valid token and returns the `Response` of `fetch`,
   * whatever its status, as {@linkcode AccessToken.fetch} does.
   *
   * If the server answers 401 with the error `invalid_token`, the token is
   * renewed and the request sent once more, unless its body is a stream.
   *
   * @throws {TypeError} If the arguments are invalid, or the origin is not in
   * `allowedOrigins`; nothing is sent.
   * @throws {TokenManagerError} If there is no valid token.
   * @throws {OAuth2Error} If a redirect is refused.
   * @throws {ConnectionError} If no response arrives.
   */
  async fetch(
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> {
    // `instanceof` would miss the Request of another library.
    const request = Object(input).method === undefined
      ? undefined
      : input as Request;
    const url = resolveUrl(this.#client.site, request?.url ?? input as URL);
    if (!this.#origins.includes(url.origin)) refuse(url, "in allowedOrigins");
    const { init: sent, isRepeatable } = copyInit(request, init);
    const signal = init.signal ?? request?.signal;
    const held = this.#keeper.fresh ?? await this.#keeper.get(signal);
    const send = ({ token, record }: HeldToken) => {
      if (!record.origins.includes(url.origin)) {
        refuse(url, "one of those for which the token was stored");
      }
      return token.fetch(request ?? url, sent);
    };
    const response = await send(held);
    const age = this.#client.now() - (held.record.issued_at ?? 0);
    if (!isTokenRejected(response, url) || age < MIN_AGE) return response;
    if (!isRepeatable) {
      // The next call renews it.
      held.renewAt = 0;
      return response;
    }
    cancel(response.body);
    return await send(await this.#keeper.get(signal, held.token.token));
  }

  /**
   * Returns a valid token, e.g. for its `get` and `post`. As
   * {@linkcode TokenManager.fetch}, it sends requests to `allowedOrigins` only.
   * It is valid at the time of the call: ask for it again for later requests.
   *
   * @throws {TypeError} If an option is unknown.
   * @throws {TokenManagerError} If no valid token can be had.
   */
  async token(options: TokenCallOptions = {}): Promise<AccessToken> {
    checkNames(options, CALL_OPTIONS);
    const { signal } = options;
    const held = this.#keeper.fresh ?? await this.#keeper.get(signal);
    signal?.throwIfAborted();
    return held.token;
  }

  /**
   * Stores the token of a login; it replaces any other. The token that it
   * replaces is not revoked: see {@linkcode TokenManager.revoke}. Other processes
   * use the new token within `maxStale` seconds.
   *
   * @throws {TypeError} If it is not an `AccessToken`.
   * @throws {TokenManagerError} If the token is of another client, or the store
   * fails.
   */
  async set(token: AccessToken): Promise<void> {
    await this.#keeper.set(token);
  }

  /**
   * Ends the session, for every process: revokes its refresh token or, without
   * one, the token itself, and deletes it from the store. This manager does not
   * use it any more, and other processes stop within `maxStale` seconds.
   *
   * If another process is renewing the token, the call waits for it, and revokes
   * its token, too. When it resolves, no refresh token of the session is alive
   * at the server, except one that no process could save: that of a process that
   * ended, stopped or lost the store between the response of the server and the
   * end of its claim, fifteen seconds after the `timeout`. If it goes on, it
   * revokes that token.
   *
   * A login that replaces the session meanwhile is left alone. If the server
   * fails, the session is over, but its token stays in the store, so that the
   * call can be repeated.
   *
   * @throws {TypeError} If the server has no revocation endpoint; see
   * {@linkcode TokenManager.clear}.
   * @throws {TokenManagerError} If the store fails, or has a token of another
   * client.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async revoke(params: CallParams = {}): Promise<OAuth2Response | undefined> {
    return await this.#keeper.revoke(params);
  }

  /**
   * Deletes the token from the store, unless a login replaces it meanwhile.
   * Other processes stop using it within `maxStale` seconds. It stays valid at
   * the server: see {@linkcode TokenManager.revoke}.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async clear(): Promise<void> {
    await this.#keeper.clear();
  }

  /**
   * Saves a token that the store failed to save, if any. Every call tries it,
   * too; a process should before it ends.
   *
   * @throws {TokenManagerError} If the store fails again.
   */
  async save(): Promise<void> {
    await this.#keeper.save();
  }

  /** Returns the client and the origins. */
  override toJSON(): Record<string, unknown> {
    return { client: this.#client.toJSON(), allowedOrigins: this.#origins };
  }
}

function refuse({ origin }: URL, state: string): never {
  throw forbidden(
    `Cannot send a request to "${origin}": it is not ${state}`,
  );
}
