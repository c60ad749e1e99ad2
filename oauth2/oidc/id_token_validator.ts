import { checkClient, checkNames, knownNames } from "../core/names.ts";
import { checkSeconds, checkTolerance } from "../core/seconds.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import { acceptedAlgorithms, warnOfShortSecret } from "./algorithms.ts";
import { checkClaims, checkHashes, type ClaimRules } from "./check_claims.ts";
import type { IdTokenClaims } from "./claims.ts";
import { clientKeys, type OpenIdClient } from "./client.ts";
import type { Jwks } from "./jwks.ts";
import { verifyJwt } from "./verify_jwt.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode IdTokenValidator}. */
export interface IdTokenValidatorOptions {
  /**
   * Cache of the keys of the server.
   *
   * @default {`clientKeys(client)`}
   */
  keys?: Jwks | undefined;
  /**
   * Signature algorithms to accept, such as those registered for the client.
   * HS256, HS384 and HS512, which use the client secret, must be listed here.
   *
   * @default {asymmetric algorithms of `id_token_signing_alg_values_supported`, or RS256}
   */
  algorithms?: readonly string[] | undefined;
  /**
   * Maximum difference between the clocks, in seconds; at most 3600.
   *
   * @default {10}
   */
  clockTolerance?: number | undefined;
  /**
   * Issuer of a server with many tenants, e.g.
   * `https://login.microsoftonline.com/{tenantid}/v2.0`: the claim `tid`
   * replaces `{tenantid}`. With the issuer of `common`, `organizations` or
   * `consumers`, tokens of every tenant are accepted, so check `tid` unless
   * users of all are welcome. With that of one tenant, tokens of this tenant
   * alone are; its issuer must have the id of the tenant, not its domain.
   *
   * @default {none: `iss` must be the issuer of the client}
   */
  issuerTemplate?: string | undefined;
}

/** Expected values of an ID token, spelled as on the wire. */
export interface IdTokenChecks {
  /**
   * `nonce` of the authorization request; false if unknown.
   *
   * @default {none: the ID token must not have one}
   */
  nonce?: string | false | undefined;
  /**
   * Requires the nonce. False for a server that does not return it; another
   * nonce is refused anyway.
   *
   * @default {true}
   */
  requireNonce?: boolean | undefined;
  /** Access token, for `at_hash`. */
  access_token?: string | undefined;
  /** Authorization code, for `c_hash`. */
  code?: string | undefined;
  /** `state` of the authorization request, for `s_hash`. */
  state?: string | undefined;
  /** Maximum authentication age in seconds; requires `auth_time`. */
  max_age?: number | undefined;
  /** Authentication context classes, one of which must be the `acr`. */
  acr_values?: string | readonly string[] | undefined;
  /** User who signed in before, for the ID token of a refresh. */
  sub?: string | undefined;
  /**
   * Requires the hash of each given value, as in the front channel.
   *
   * @default {false}
   */
  requireHashes?: boolean | undefined;
  /** Signal that aborts the request for the keys. */
  signal?: AbortSignal | undefined;
}

/** Names of {@linkcode IdTokenValidatorOptions}. */
export const VALIDATOR_OPTIONS: {
  readonly [name in keyof IdTokenValidatorOptions]-?: true;
} = {
  keys: true,
  algorithms: true,
  clockTolerance: true,
  issuerTemplate: true,
};
const OPTIONS = knownNames<IdTokenValidatorOptions>(VALIDATOR_OPTIONS);

/** Issuers of all tenants, as Microsoft names them. */
const ALL_TENANTS = /\/(common|organizations|consumers)\//;

const CHECKS = knownNames<IdTokenChecks>({
  nonce: true,
  requireNonce: true,
  access_token: true,
  code: true,
  state: true,
  max_age: true,
  acr_values: true,
  sub: true,
  requireHashes: true,
  signal: true,
});

/**
 * Validator of the ID tokens of a client: signature and claims. Keep it for the
 * life of the client, because it caches the keys of the server.
 *
 * @example
 * ```ts
 * import { Client, discover } from "@carteiro/oauth2";
 * import { IdTokenValidator, ValidationError } from "@carteiro/oauth2/oidc";
 *
 * const issuer = "https://provider.example";
 * const fetch = () =>
 *   Promise.resolve(Response.json({
 *     issuer,
 *     token_endpoint: `${issuer}/token`,
 *     jwks_uri: `${issuer}/keys`,
 *   }));
 * const client = new Client("abc", "secret", {
 *   ...await discover(issuer, { fetch }),
 *   fetch,
 * });
 * const validator = new IdTokenValidator(client);
 * try {
 *   await validator.validate("eyJhbGciOiJub25lIn0.e30.", { nonce: "n" });
 * } catch (error) {
 *   if (!(error instanceof ValidationError)) throw error;
 *   console.assert(error.code === "unsupported_alg");
 * }
 * ```
 */
export class IdTokenValidator {
  #client: OpenIdClient;
  #algorithms: readonly string[];
  #keys: Jwks | undefined;
  #rules: ClaimRules;

  /**
   * Creates a validator with an empty cache of keys.
   *
   * @throws {TypeError} If the client has no id or issuer, or an option is
   * invalid.
   */
  constructor(client: OpenIdClient, options: IdTokenValidatorOptions = {}) {
    checkClient(client);
    checkNames(options, OPTIONS);
    const { clockTolerance = 10, issuerTemplate = client.issuerTemplate } =
      options;
    const { id, issuer, metadata } = client;
    if (id === undefined || issuer === undefined) {
      throw invalid(
        "Cannot validate ID tokens: the client has no id or no issuer, which discover returns",
      );
    }
    checkTolerance(clockTolerance);
    this.#client = client;
    this.#algorithms = acceptedAlgorithms(
      options.algorithms,
      metadata?.id_token_signing_alg_values_supported,
    );
    warnOfShortSecret(client, this.#algorithms);
    this.#keys = options.keys ?? clientKeys(client);
    const [prefix] = issuerTemplate?.toLowerCase().split("{tenantid}") ?? [];
    const isOneTenant = prefix !== undefined && !ALL_TENANTS.test(issuer) &&
      issuer.toLowerCase().startsWith(prefix);
    this.#rules = {
      id,
      issuer,
      issuerTemplate: isOneTenant ? undefined : issuerTemplate,
      clockTolerance,
    };
  }

  /**
   * Requests the keys of the server, unless they are cached or not needed.
   *
   * @throws {ValidationError} If the keys are invalid.
   * @throws {OAuth2Error} If the server refuses the request.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async loadKeys(signal?: AbortSignal): Promise<void> {
    const isSecret = (alg: string) => findAlgorithm(alg)?.kty === "oct";
    if (this.#algorithms.every(isSecret)) return;
    await this.#keys?.load(signal ?? this.#client.connectionOpts.signal);
  }

  /**
   * Validates an ID token and returns its claims.
   *
   * @throws {ValidationError} If the token breaks a rule.
   * @throws {OAuth2Error} If the server refuses the request for its keys.
   * @throws {ConnectionError} If no complete response with the keys arrives.
   * @throws {TypeError} If the metadata of the client has no `jwks_uri`, or a
   * check is misspelled or invalid.
   */
  async validate(
    idToken: unknown,
    checks: IdTokenChecks = {},
  ): Promise<IdTokenClaims> {
    checkNames(checks, CHECKS);
    if (checks.max_age !== undefined) checkSeconds("max_age", checks.max_age);
    const { alg, claims, keyIssuer } = await verifyJwt(idToken, {
      name: "ID token",
      algorithms: this.#algorithms,
      keys: this.#keys,
      secret: this.#client.secret,
      signal: checks.signal ?? this.#client.connectionOpts.signal,
    });
    const now = Math.floor(this.#client.now() / 1000);
    const expected = { ...checks, keyIssuer };
    const valid = checkClaims(claims, this.#rules, expected, now);
    await checkHashes(valid, alg, checks);
    return valid;
  }
}
