/**
 * Token manager: requests with a valid token.
 *
 * @module
 */
import type { CallParams } from "../call_params.ts";
import type { Client } from "../client.ts";
import { Inspectable } from "../inspectable.ts";
import { checkName, knownNames } from "../names.ts";
import type { OAuth2Response } from "../response.ts";
import { MemoryStore } from "../stores/memory_store.ts";
import type { AccessToken } from "../token.ts";
import { cancel, checkLimit } from "../transport.ts";
import { resolveUrl } from "../url.ts";
import { bindingOf, readOrigins } from "./binding.ts";
import type { HeldToken } from "./held_token.ts";
import { TokenKeeper } from "./keeper.ts";
import { copyInit, isTokenRejected } from "./repeatable.ts";
import { removeRetired } from "./retire_record.ts";
import { Slot } from "./slot.ts";
import type { TokenStore } from "./store.ts";
import { forbidden, invalid } from "../type_error.ts";

/** Options of a {@linkcode TokenManager}. */
export interface TokenManagerOptions {
  /** Client of the tokens. */
  client: Client;
  /**
   * Store of the token.
   *
   * @default {memory of this manager}
   */
  store?: TokenStore | undefined;
  /** Key in the store, e.g. the id of a session; required with a store. */
  key?: string | undefined;
  /**
   * Function that requests a token without the user, e.g. by client
   * credentials. Without it, tokens are refreshed.
   */
  grant?: (() => Promise<AccessToken>) | undefined;
  /**
   * Origins to which the token may be sent, e.g. `https://api.example`.
   *
   * @default {the origin of the client's site}
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Seconds before its expiry at which a token is renewed, but at most a
   * quarter of its lifetime.
   *
   * @default {60}
   */
  margin?: number | undefined;
  /**
   * Timeout of a refresh in milliseconds. The claim of a process that ends
   * during a refresh expires fifteen seconds after this time.
   *
   * @default {that of the client, or a minute if it has none}
   */
  timeout?: number | undefined;
  /**
   * Parameters of a refresh, e.g. `scope` or `resource`.
   *
   * @default {{}}
   */
  refreshParams?: CallParams | undefined;
  /**
   * Function that receives errors of the store that no call throws, because the
   * token is in memory.
   *
   * @default {a warning of the client}
   */
  report?: ((error: unknown) => void) | undefined;
  /**
   * Function that resolves after a number of milliseconds, to wait for the
   * refresh of another process.
   *
   * @default {a timer}
   */
  wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /**
   * Function that returns a random id.
   *
   * @default {crypto.randomUUID}
   */
  random?: (() => string) | undefined;
}

/** Options of {@linkcode TokenManager.token}. */
export interface TokenCallOptions {
  /** Signal that rejects this call; a renewal continues for other callers. */
  signal?: AbortSignal | undefined;
}

/** Longest timeout of an operation of the store in milliseconds. */
const STORE_TIMEOUT = 10_000;
const OPTIONS = knownNames(
  "client store key grant allowedOrigins margin timeout refreshParams report wait random"
    .split(" "),
);
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
  readonly #slot: Slot;
  readonly #keeper: TokenKeeper;

  /**
   * Creates a manager; nothing is read or sent.
   *
   * @throws {TypeError} If an option is misspelled, invalid or missing.
   */
  constructor(options: TokenManagerOptions) {
    super();
    for (const name of Object.keys(options)) checkName(name, OPTIONS);
    const {
      client,
      store = new MemoryStore(),
      key = options.store ? undefined : "token",
      grant,
      margin = 60,
      timeout = timeoutOf(client),
      refreshParams = {},
      report = (error) => client.warn(`oauth2: ${(error as Error).message}`),
      wait = (milliseconds) =>
        new Promise((done) => setTimeout(done, milliseconds)),
      random = () => crypto.randomUUID(),
    } = options;
    if (!key) throw invalid("Cannot use the store: key is missing");
    checkLimit("margin", margin);
    checkLimit("timeout", timeout > 0 && timeout < Infinity ? timeout : -1);
    this.#client = client;
    this.#origins = readOrigins(options.allowedOrigins, client.site);
    this.#slot = new Slot(store, key, Math.min(timeout, STORE_TIMEOUT));
    this.#keeper = new TokenKeeper({
      client,
      slot: this.#slot,
      binding: bindingOf(client, this.#origins),
      grant,
      params: { ...refreshParams },
      margin: margin * 1000,
      timeout,
      wait,
      random,
      report: (error) => {
        try {
          report(error);
        } catch {
          // A failing report must not cause the loss of a token.
        }
      },
    });
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
    if (!isTokenRejected(response, url) || !this.#isRenewable(held)) {
      return response;
    }
    if (!isRepeatable) {
      // The next call renews it.
      held.renewAt = 0;
      return response;
    }
    cancel(response.body);
    return await send(await this.#keeper.get(signal, held.token.token));
  }

  /**
   * Returns a valid token, e.g. for its `get` and `post`.
   *
   * @throws {TokenManagerError} If no valid token can be had.
   */
  async token({ signal }: TokenCallOptions = {}): Promise<AccessToken> {
    return (await this.#keeper.get(signal)).token;
  }

  /**
   * Stores the token of a login; it replaces any other.
   *
   * @throws {TokenManagerError} If the token is of another client, or the store
   * fails.
   */
  async set(token: AccessToken): Promise<void> {
    await this.#keeper.set(token);
  }

  /**
   * Revokes the refresh token or, without one, the token itself, and deletes it
   * from the store. No call uses it any more. If the server fails, it stays in
   * the store, so that the call can be repeated.
   *
   * @throws {TypeError} If the server has no revocation endpoint; see
   * {@linkcode TokenManager.clear}.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async revoke(params: CallParams = {}): Promise<OAuth2Response | undefined> {
    const client = this.#client;
    // Throws if the server has no revocation endpoint.
    client.revokeUrl();
    const record = await this.#keeper.retire();
    if (!record) {
      await this.#keeper.clear();
      return undefined;
    }
    const fields = record.token!;
    const name = fields.refresh_token
      ? "refresh_token"
      : String(fields.token_name ?? "access_token");
    const hint = fields.refresh_token ? name : "access_token";
    const response = await client
      .revokeToken(String(fields[name]), hint, params);
    if (response.ok) await removeRetired(this.#slot, record);
    return response;
  }

  /**
   * Deletes the token from the store.
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

  #isRenewable({ record }: HeldToken): boolean {
    return this.#client.now() - (record.issued_at ?? 0) >= MIN_AGE;
  }
}

/** Returns the timeout of a client, or a minute if it has none. */
function timeoutOf({ connectionOpts: { timeout = 30_000 } }: Client): number {
  return timeout > 0 && timeout < Infinity ? timeout : 60_000;
}

function refuse({ origin }: URL, state: string): never {
  throw forbidden(
    `Cannot send a request to "${origin}": it is not ${state}`,
  );
}
