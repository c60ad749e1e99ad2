/**
 * Client-initiated backchannel authentication (OpenID CIBA Core 1.0) in poll
 * and ping mode: the user answers on a device of their own, such as a phone.
 *
 * @module
 */
import type { CallParams, GrantParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { parseSeconds } from "../core/seconds.ts";
import { Inspectable } from "../core/inspectable.ts";
import {
  type EndpointChoice,
  findEndpoint,
  refuseResponse,
} from "../core/endpoints.ts";
import { checkNames, knownNames } from "../core/names.ts";
import {
  PolledToken,
  POLLING_OPTIONS,
  type PollingLimits,
  type PollingOptions,
  readInterval,
} from "./polling.ts";
import { isSameText } from "../core/same_text.ts";
import type { AccessToken } from "../core/token.ts";
import { invalid } from "../core/type_error.ts";

export { ExpiredError, type PollingOptions, type Wait } from "./polling.ts";
export type { EndpointChoice } from "../core/endpoints.ts";

/** Options of {@linkcode BackchannelLogin.start}. */
export interface BackchannelOptions extends EndpointChoice, PollingOptions {}

const OPTIONS = knownNames<BackchannelOptions>({
  ...POLLING_OPTIONS,
  endpoint: true,
});

/** Parameters that name the user; a request has exactly one (section 7.1). */
const HINTS = ["login_hint", "login_hint_token", "id_token_hint"] as const;
const GRANT_TYPE = "urn:openid:params:grant-type:ciba";
const ENDPOINT = "backchannel_authentication_endpoint";

/**
 * Login that the user approves on a device of their own. Printing it shows no
 * id of the request.
 *
 * In ping mode, send `client_notification_token`, and call
 * {@linkcode BackchannelLogin.getToken} at the notification with a `delay` of
 * 0. The ID token of the token response is in `token.params.id_token`:
 * validate it with `IdTokenValidator`.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { BackchannelLogin } from "@carteiro/oauth2/ciba";
 *
 * const client = new Client("till", "secret", {
 *   site: "https://provider.example",
 *   fetch: (url) =>
 *     Promise.resolve(Response.json(
 *       url.endsWith("/bc")
 *         ? { auth_req_id: "1c266114", expires_in: 120, interval: 0 }
 *         : { access_token: "monkey" },
 *     )),
 * });
 * const login = await BackchannelLogin.start(client, {
 *   scope: "openid",
 *   login_hint: "ana@example.com",
 *   binding_message: "W4SCT",
 * }, { endpoint: "/bc" });
 * const token = await login.getToken();
 * console.assert(token.token === "monkey");
 * ```
 */
export class BackchannelLogin<T extends AccessToken = AccessToken>
  extends Inspectable {
  #id: string;
  #token: PolledToken<T>;
  /** Time of expiry, in seconds since 1970. */
  readonly expiresAt: number;
  /** Seconds between two token requests. */
  readonly interval: number;

  private constructor(
    client: Client<T>,
    id: string,
    limits: PollingLimits,
  ) {
    super();
    this.#id = id;
    this.expiresAt = limits.expiresAt;
    this.interval = limits.interval;
    this.#token = new PolledToken(
      client,
      { grant_type: GRANT_TYPE, auth_req_id: id },
      limits,
    );
  }

  /**
   * Requests the authentication of a user, whom one of `login_hint`,
   * `login_hint_token` and `id_token_hint` names. A signed `request` may
   * contain it instead.
   *
   * @throws {TypeError} If the client has no backchannel authentication
   * endpoint, or the parameters name no user or name one twice.
   * @throws {OAuth2Error} If the server refuses, or its response cannot be
   * used.
   * @throws {ConnectionError} If no complete response arrives.
   */
  static async start<T extends AccessToken>(
    client: Client<T>,
    params: CallParams,
    options: BackchannelOptions = {},
  ): Promise<BackchannelLogin<T>> {
    checkNames(options, OPTIONS);
    const endpoint = findEndpoint(ENDPOINT, client.metadata, options);
    const hints = HINTS.filter((name) => (params[name] ?? null) !== null);
    if (hints.length !== (params.request === undefined ? 1 : 0)) {
      throw invalid(
        `Cannot use the hints: the parameters must have one of ${
          HINTS.join(", ")
        }, or a request that contains it`,
      );
    }
    const response = await client.post(endpoint, {
      ...params,
      raiseErrors: true,
    });
    const { auth_req_id, expires_in, interval } = response.fields ?? {};
    const refuse = (state: string) =>
      refuseResponse("backchannel authentication", response, state);
    if (typeof auth_req_id !== "string" || auth_req_id === "") {
      return refuse("it has no auth_req_id");
    }
    const lifetime = parseSeconds(expires_in) ?? 0;
    if (lifetime <= 0) refuse("expires_in is not a number above 0");
    return new BackchannelLogin(client, auth_req_id, {
      ...options,
      expiresAt: Math.floor(client.now() / 1000) + lifetime,
      interval: readInterval(interval),
    });
  }

  /** Returns true if a notification in ping mode has the id of this request. */
  matches(authReqId: unknown): boolean {
    return typeof authReqId === "string" && isSameText(this.#id, authReqId);
  }

  /**
   * Waits until the user has answered, and returns the token. Concurrent calls
   * share one request. `params` are sent with each token request, or are
   * options of the call, e.g. `signal`. `delay` is the time before the first
   * request, in seconds: 0 at the notification in ping mode.
   *
   * @throws {ExpiredError} If the request expires.
   * @throws {OAuth2Error} If the user or the server refuses, e.g.
   * `access_denied`.
   * @throws {ConnectionError} If a connection fails for good; others are
   * repeated.
   */
  async getToken(
    params: GrantParams = {},
    delay: number = this.interval,
  ): Promise<T> {
    return await this.#token.get(params, delay);
  }

  /** Returns expiry and interval, without the id of the request. */
  override toJSON(): Record<string, unknown> {
    return { expiresAt: this.expiresAt, interval: this.interval };
  }
}
