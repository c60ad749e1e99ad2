/**
 * Device authorization grant (RFC 8628): a device without a browser, such as a
 * terminal or a television, whose user signs in on another one.
 *
 * @module
 */
import type { GrantParams } from "../core/call_params.ts";
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
  type PollingOptions,
  readInterval,
} from "./polling.ts";
import type { OAuth2Response } from "../core/response.ts";
import type { AccessToken } from "../core/token.ts";

export { ExpiredError, type PollingOptions, type Wait } from "./polling.ts";
export type { EndpointChoice } from "../core/endpoints.ts";

/** Options of {@linkcode DeviceLogin.start}. */
export interface DeviceOptions extends EndpointChoice, PollingOptions {}

const OPTIONS = knownNames<DeviceOptions>({
  ...POLLING_OPTIONS,
  endpoint: true,
});

/** Content of a device authorization response (RFC 8628 section 3.2). */
interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string | undefined;
  readonly expiresAt: number;
  readonly interval: number;
}

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** Maximum length of a text to show to the user. */
const MAX_TEXT = 2048;

/**
 * Login on another device. Printing it shows no code.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { DeviceLogin } from "@carteiro/oauth2/device";
 *
 * const issuer = "https://provider.example";
 * const client = new Client("cli", null, {
 *   site: issuer,
 *   metadata: { issuer, device_authorization_endpoint: `${issuer}/device` },
 *   fetch: (url) =>
 *     Promise.resolve(Response.json(
 *       url.endsWith("/device")
 *         ? {
 *           device_code: "GmRhmhcxhwAz",
 *           user_code: "WDJB-MJHT",
 *           verification_uri: "https://provider.example/activate",
 *           expires_in: 600,
 *           interval: 0,
 *         }
 *         : { access_token: "monkey" },
 *     )),
 * });
 * const login = await DeviceLogin.start(client, { scope: "notes" });
 * console.assert(login.verificationUri.endsWith("/activate"));
 * console.assert(login.userCode === "WDJB-MJHT");
 * const token = await login.getToken();
 * console.assert(token.token === "monkey");
 * ```
 */
export class DeviceLogin<T extends AccessToken = AccessToken>
  extends Inspectable {
  #client: Client<T>;
  #authorization: DeviceAuthorization;
  #token: PolledToken<T>;

  private constructor(
    client: Client<T>,
    authorization: DeviceAuthorization,
    options: DeviceOptions,
  ) {
    super();
    this.#client = client;
    this.#authorization = authorization;
    const { deviceCode: device_code, ...limits } = authorization;
    this.#token = new PolledToken(
      client,
      { grant_type: GRANT_TYPE, device_code },
      { ...limits, ...options },
    );
  }

  /**
   * Requests the codes of a login. `params` are sent, e.g. `scope` and
   * `resource`, or are options of the call, e.g. `signal`.
   *
   * @throws {TypeError} If the client has no device authorization endpoint.
   * @throws {OAuth2Error} If the server refuses, or its response cannot be
   * used.
   * @throws {ConnectionError} If no complete response arrives.
   */
  static async start<T extends AccessToken>(
    client: Client<T>,
    params: GrantParams = {},
    options: DeviceOptions = {},
  ): Promise<DeviceLogin<T>> {
    checkNames(options, OPTIONS);
    const endpoint = findEndpoint(
      "device_authorization_endpoint",
      client.metadata,
      options,
    );
    const response = await client.post(endpoint, {
      ...params,
      raiseErrors: true,
    });
    const authorization = readAuthorization(response, client.now());
    return new DeviceLogin(client, authorization, options);
  }

  /** Code that the user enters at {@linkcode DeviceLogin.verificationUri}. */
  get userCode(): string {
    return this.#authorization.userCode;
  }

  /** URL that the user visits, http or https. */
  get verificationUri(): string {
    return this.#authorization.verificationUri;
  }

  /**
   * URL that contains the user code, e.g. for a QR code; undefined if the
   * server sends none, or one on another origin than
   * {@linkcode DeviceLogin.verificationUri}.
   */
  get verificationUriComplete(): string | undefined {
    return this.#authorization.verificationUriComplete;
  }

  /** Time of expiry of the codes, in seconds since 1970. */
  get expiresAt(): number {
    return this.#authorization.expiresAt;
  }

  /**
   * Waits until the user has answered, and returns the token. Concurrent calls
   * with equal parameters share one request. `params` are sent with each token
   * request, e.g. `resource`, or are options of the call, e.g. `signal`.
   *
   * @throws {ExpiredError} If the codes expire.
   * @throws {OAuth2Error} If the user or the server refuses, e.g.
   * `access_denied`.
   * @throws {ConnectionError} If a connection fails for good; others are
   * repeated.
   */
  async getToken(params: GrantParams = {}): Promise<T> {
    return await this.#token.get(params);
  }

  /** Returns URL and expiry, with the codes redacted. */
  override toJSON(): Record<string, unknown> {
    const { verificationUri, expiresAt } = this.#authorization;
    const { filteredLabel: userCode } = this.#client.config;
    return { verificationUri, userCode, expiresAt };
  }
}

function readAuthorization(
  response: OAuth2Response,
  now: number,
): DeviceAuthorization {
  const fields = response.fields ?? {};
  const refuse = (state: string) =>
    refuseResponse("device authorization", response, state);
  const { device_code, user_code, verification_uri } = fields;
  if (typeof device_code !== "string" || device_code === "") {
    refuse("it has no device_code");
  }
  if (!isPrintable(user_code)) refuse("user_code is not printable text");
  if (!isPage(verification_uri)) refuse("verification_uri is not a web page");
  const complete = fields.verification_uri_complete ?? undefined;
  if (complete !== undefined && !isPage(complete)) {
    refuse("verification_uri_complete is not a web page");
  }
  const lifetime = parseSeconds(fields.expires_in) ?? 0;
  if (lifetime <= 0) refuse("expires_in is not a number above 0");
  return {
    deviceCode: device_code as string,
    userCode: user_code as string,
    verificationUri: verification_uri as string,
    verificationUriComplete: isSameOrigin(complete, verification_uri)
      ? complete as string
      : undefined,
    expiresAt: Math.floor(now / 1000) + lifetime,
    interval: readInterval(fields.interval),
  };
}

/** Refuses control characters, which a terminal would obey. */
function isPrintable(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" &&
    value.length <= MAX_TEXT && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value);
}

/**
 * Refuses other schemes, which a program might open, and a user, which looks
 * like a host: `https://good.example@evil.example`.
 */
function isPage(value: unknown): value is string {
  if (!isPrintable(value) || !/^https?:\/\/[^\s]+$/i.test(value)) return false;
  // An empty user, too, which leaves no trace in a parsed URL.
  return URL.canParse(value) && !/^https?:[\\/]*[^\\/?#]*@/i.test(value);
}

function isSameOrigin(a: unknown, b: unknown): boolean {
  return URL.parse(String(a))?.origin === URL.parse(String(b))?.origin;
}
