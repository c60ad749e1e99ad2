/**
 * Signed authorization responses (JWT Secured Authorization Response Mode,
 * JARM).
 *
 * @module
 */
import { checkNames, knownNames } from "../core/names.ts";
import { oneLine } from "../core/redactor.ts";
import type { Fail } from "../core/validation_error.ts";
import type { OpenIdClient } from "../oidc/client.ts";
import type { Jwks } from "../oidc/jwks.ts";
import { ServerJwts } from "../oidc/server_jwts.ts";
import {
  type AuthorizationResponse,
  readResponse,
} from "../sign_in/response_params.ts";

/** Options of {@linkcode JarmValidator}. */
export interface JarmOptions {
  /**
   * Cache of the keys of the server.
   *
   * @default {`clientKeys(client)`}
   */
  keys?: Jwks | undefined;
  /**
   * Signature algorithms to accept, such as the one registered for the client.
   *
   * @default {asymmetric algorithms of `authorization_signing_alg_values_supported`, or RS256}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Maximum difference between the clocks, in seconds; at most 3600.
   *
   * @default {10}
   */
  clockTolerance?: number | undefined;
}

const OPTIONS = knownNames<JarmOptions>({
  keys: true,
  algorithms: true,
  clockTolerance: true,
});
const CALL_OPTIONS = knownNames(["signal"]);
/** Claims that are not parameters of the response. */
const JWT_CLAIMS = ["aud", "exp", "iat", "nbf", "jti"];

/**
 * Validator of the signed authorization responses of a client. Keep it for the
 * life of the client, because it caches the keys of the server.
 *
 * Request them with `response_mode: "jwt"`, and pass the result of
 * {@linkcode JarmValidator.validate} to the callback of the sign-in.
 */
export class JarmValidator {
  #jwts: ServerJwts;

  /**
   * Creates a validator.
   *
   * @throws {TypeError} If the client has no id or no issuer, or an option is
   * misspelled or invalid.
   */
  constructor(client: OpenIdClient, options: JarmOptions = {}) {
    checkNames(options, OPTIONS);
    this.#jwts = new ServerJwts(client, options, {
      name: "authorization response",
      supported: "authorization_signing_alg_values_supported",
      required: ["exp"],
    });
  }

  /**
   * Validates a signed authorization response and returns its parameters,
   * `iss` among them.
   *
   * @throws {ValidationError} If the response is not signed, or breaks a rule.
   * @throws {ConnectionError} If the keys of the server do not arrive.
   * @throws {TypeError} If an option is unknown.
   */
  async validate(
    response: AuthorizationResponse,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<URLSearchParams> {
    checkNames(options, CALL_OPTIONS);
    const { fail }: { fail: Fail } = this.#jwts;
    const { response: jwt } = await readResponse(response);
    if (jwt === undefined) {
      fail("missing_response", "it has no signed parameter response");
    }
    const claims = await this.#jwts.read(jwt, options.signal);
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(claims)) {
      if (JWT_CLAIMS.includes(name)) continue;
      const isText = typeof value === "string" || typeof value === "number";
      if (!isText) fail("invalid_request", `${oneLine(name)} is not text`);
      params.set(name, String(value));
    }
    return params;
  }
}
