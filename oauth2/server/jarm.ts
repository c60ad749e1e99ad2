/**
 * Signed authorization responses (JWT Secured Authorization Response Mode,
 * JARM).
 *
 * @module
 */
import { checkClient, checkNames, knownNames } from "../core/names.ts";
import { acceptedAlgorithms } from "../oidc/algorithms.ts";
import { isFor, show } from "../oidc/check_claims.ts";
import { checkTimes } from "../oidc/check_times.ts";
import { clientKeys, type OpenIdClient } from "../oidc/client.ts";
import type { Jwks } from "../oidc/jwks.ts";
import { verifyJwt } from "../oidc/verify_jwt.ts";
import { oneLine } from "../core/redactor.ts";
import {
  type AuthorizationResponse,
  readResponse,
} from "../sign_in/response_params.ts";
import { checkTolerance } from "../core/seconds.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { invalid } from "../core/type_error.ts";

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

const NAME = "authorization response";
const fail: Fail = failing(`validate the ${NAME}`);
const OPTIONS = knownNames(["keys", "algorithms", "clockTolerance"]);
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
  #client: OpenIdClient;
  #issuer: string;
  #keys: Jwks | undefined;
  #algorithms: readonly string[];
  #tolerance: number;

  /**
   * Creates a validator.
   *
   * @throws {TypeError} If the client has no id or no issuer, or an option is
   * misspelled or invalid.
   */
  constructor(client: OpenIdClient, options: JarmOptions = {}) {
    checkClient(client);
    checkNames(options, OPTIONS);
    const { clockTolerance = 10 } = options;
    checkTolerance(clockTolerance);
    if (client.id === undefined || client.issuer === undefined) {
      throw invalid(
        "Cannot validate the authorization response: the client has no id or no issuer",
      );
    }
    this.#client = client;
    this.#issuer = client.issuer;
    this.#keys = options.keys ?? clientKeys(client);
    this.#algorithms = acceptedAlgorithms(
      options.algorithms,
      client.metadata?.authorization_signing_alg_values_supported,
    );
    this.#tolerance = clockTolerance;
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
    const { response: jwt } = await readResponse(response);
    if (jwt === undefined) {
      fail("missing_response", "it has no signed parameter response");
    }
    const { claims } = await verifyJwt(jwt, {
      name: NAME,
      algorithms: this.#algorithms,
      keys: this.#keys,
      secret: this.#client.secret,
      signal: options.signal ?? this.#client.connectionOpts.signal,
    });
    this.#check(claims);
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(claims)) {
      if (JWT_CLAIMS.includes(name)) continue;
      const isText = typeof value === "string" || typeof value === "number";
      if (!isText) fail("invalid_request", `${oneLine(name)} is not text`);
      params.set(name, String(value));
    }
    return params;
  }

  #check(claims: Readonly<Record<string, unknown>>): void {
    const { id } = this.#client;
    const { iss, aud } = claims;
    if (iss !== this.#issuer) {
      fail("invalid_iss", `iss is ${show(iss)}, not "${this.#issuer}"`);
    }
    if (!isFor(aud, id)) {
      fail(
        "invalid_aud",
        `aud is ${show(aud)}, not text or texts with "${id}"`,
      );
    }
    checkTimes(claims, {
      name: NAME,
      now: Math.floor(this.#client.now() / 1000),
      tolerance: this.#tolerance,
      required: ["exp"],
    });
  }
}
