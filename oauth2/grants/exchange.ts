/**
 * Token exchange (RFC 8693).
 *
 * @module
 */
import type { CallParams, Value } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { OAuth2Error, type OAuth2Response } from "../core/response.ts";
import { parseSeconds } from "../core/seconds.ts";
import { Inspectable } from "../core/inspectable.ts";
import { refuseResponse } from "../core/endpoints.ts";
import type { AccessToken } from "../core/token.ts";
import { asText, type TokenOverrides } from "../core/token_hash.ts";
import { invalid } from "../core/type_error.ts";

/** Types of tokens (RFC 8693 section 3). */
export const TOKEN_TYPE = {
  /** Access token. */
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
  /** Refresh token. */
  refreshToken: "urn:ietf:params:oauth:token-type:refresh_token",
  /** ID token. */
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  /** SAML 1.1 assertion, in base64url. */
  saml1: "urn:ietf:params:oauth:token-type:saml1",
  /** SAML 2.0 assertion, in base64url. */
  saml2: "urn:ietf:params:oauth:token-type:saml2",
  /** JSON Web Token. */
  jwt: "urn:ietf:params:oauth:token-type:jwt",
} as const;

/** Type of a token: one of {@linkcode TOKEN_TYPE} or another URI. */
export type TokenType =
  | (typeof TOKEN_TYPE)[keyof typeof TOKEN_TYPE]
  // Keeps the completions of the registered types.
  | (string & Record<never, never>);

/** Parameters of {@linkcode exchangeToken}. */
export interface ExchangeParams extends CallParams {
  /** Token of the party on whose behalf the request is made. */
  subject_token: string;
  /**
   * Type of `subject_token`.
   *
   * @default {TOKEN_TYPE.accessToken}
   */
  subject_token_type?: TokenType | undefined;
  /** Token of the acting party; needs `actor_token_type`. */
  actor_token?: string | undefined;
  /** Type of `actor_token`. */
  actor_token_type?: TokenType | undefined;
  /**
   * Type of the requested token.
   *
   * @default {chosen by the server}
   */
  requested_token_type?: TokenType | undefined;
}

/** Types of tokens that a resource server does not accept. */
const NOT_FOR_REQUESTS: readonly string[] = [
  TOKEN_TYPE.refreshToken,
  TOKEN_TYPE.idToken,
  TOKEN_TYPE.saml1,
  TOKEN_TYPE.saml2,
];

/** Content of an {@linkcode IssuedToken}. */
interface Issued<T extends AccessToken> {
  readonly value: string;
  readonly issuedTokenType: string;
  readonly accessToken: T | undefined;
  readonly expiresAt: number | undefined;
  readonly response: OAuth2Response | undefined;
  readonly label: string;
}

/** Token of an exchange. Printing it shows no token. */
export class IssuedToken<T extends AccessToken = AccessToken>
  extends Inspectable {
  #issued: Issued<T>;

  /** Creates the result of an exchange. */
  constructor(issued: Issued<T>) {
    super();
    this.#issued = issued;
  }

  /** Token of any type. */
  get value(): string {
    return this.#issued.value;
  }

  /** Type of the token. */
  get issuedTokenType(): TokenType {
    return this.#issued.issuedTokenType;
  }

  /**
   * Token for requests to a resource server; undefined if the `token_type` is
   * `N_A`, and for an ID token, a refresh token and SAML.
   */
  get accessToken(): T | undefined {
    return this.#issued.accessToken;
  }

  /** Time of expiry in seconds since 1970, if the server told it. */
  get expiresAt(): number | undefined {
    return this.#issued.expiresAt;
  }

  /** Response of the server, with its body: do not log it. */
  get response(): OAuth2Response | undefined {
    return this.#issued.response;
  }

  /** Returns type and expiry, with the token redacted. */
  override toJSON(): Record<string, unknown> {
    const { label: value } = this.#issued;
    const { issuedTokenType, expiresAt } = this;
    return { value, issuedTokenType, expiresAt };
  }
}

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange";

/**
 * Exchanges a token for another one, e.g. for another resource server
 * (`resource` or `audience`), with fewer scopes, or on behalf of its user.
 *
 * @throws {TypeError} If a token has no type, or a type no token; nothing is
 * sent.
 * @throws {OAuth2Error} If the server refuses, or its response has no token or
 * not the requested type.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { exchangeToken, TOKEN_TYPE } from "@carteiro/oauth2/exchange";
 *
 * const client = new Client("api", "secret", {
 *   site: "https://provider.example",
 *   fetch: () =>
 *     Promise.resolve(Response.json({
 *       access_token: "monkey",
 *       issued_token_type: TOKEN_TYPE.accessToken,
 *       token_type: "Bearer",
 *     })),
 * });
 * const { accessToken } = await exchangeToken(client, {
 *   subject_token: "token of a request",
 *   resource: "https://other.example",
 * });
 * console.assert(accessToken?.token === "monkey");
 * ```
 */
export async function exchangeToken<T extends AccessToken>(
  client: Client<T>,
  params: ExchangeParams,
  options: TokenOverrides = {},
): Promise<IssuedToken<T>> {
  const { subject_token_type = TOKEN_TYPE.accessToken } = params;
  requireText("subject_token", params.subject_token);
  requireText("subject_token_type", subject_token_type);
  if (isSet(params.actor_token) || isSet(params.actor_token_type)) {
    requireText("actor_token", params.actor_token);
    requireText("actor_token_type", params.actor_token_type);
  }
  const { requested_token_type } = params;
  const { filteredLabel: label } = client.config;
  const call = client.getToken({
    ...params,
    grant_type: GRANT_TYPE,
    subject_token_type,
    raiseErrors: true,
  }, options);
  const { accessToken, response } = await call.then(
    (accessToken) => ({ accessToken, response: accessToken.response }),
    // Not a token for requests, so that it is not an AccessToken.
    (error) => ({ accessToken: undefined, response: responseOf(error) }),
  );
  const fields = response?.fields ?? {};
  const type = asText(fields.issued_token_type) ??
    asText(accessToken?.params.issued_token_type);
  if (response && type === undefined) {
    refuseResponse("issued token", response, "it has no issued_token_type");
  }
  if (
    response && isSet(requested_token_type) && type !== requested_token_type
  ) {
    refuseResponse(
      "issued token",
      response,
      "its type is not the requested one",
    );
  }
  const lifetime = parseSeconds(fields.expires_in);
  return new IssuedToken({
    value: accessToken?.token ?? String(fields.access_token),
    issuedTokenType: type ?? "",
    accessToken: NOT_FOR_REQUESTS.includes(type ?? "")
      ? undefined
      : accessToken,
    expiresAt: accessToken?.expiresAt ??
      (lifetime === undefined
        ? undefined
        : Math.floor(client.now() / 1000) + lifetime),
    response,
    label,
  });
}

/** Returns the response of a token that is not for requests (`N_A`). */
function responseOf(error: unknown): OAuth2Response {
  if (error instanceof OAuth2Error && error.response.ok) {
    const { problem, fields } = error.response;
    const { error: code, token_type, access_token } = fields ?? {};
    if (
      problem === undefined && !code && asText(access_token) !== undefined &&
      asText(token_type)?.toUpperCase() === "N_A"
    ) {
      return error.response;
    }
  }
  throw error;
}

function isSet(value: Value): boolean {
  return value !== undefined && value !== null;
}

function requireText(name: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  throw invalid(
    `Cannot use the ${name}: it must be text, not empty`,
  );
}
