import { sha256 } from "../core/jwk.ts";
import { type Certificate, isBoundTo } from "../server/mtls.ts";
import { checkClient, checkNames, knownNames } from "../core/names.ts";
import { readJson, verifyJwt } from "../oidc/verify_jwt.ts";
import { isSameText } from "../core/same_text.ts";
import { ValidationError } from "../core/validation_error.ts";
import {
  AccessDenied,
  type AccessScheme,
  challengesOf,
  type Refusal,
} from "./access_denied.ts";
import {
  type AccessDemands,
  type Demanded,
  findUnmet,
  readDemands,
  scopeParam,
  scopesOf,
} from "./demands.ts";
import { type Proof, verifyProof } from "./dpop_proof.ts";
import type { IntrospectionClient } from "../server/introspection.ts";
import type { Introspector } from "./introspector.ts";
import {
  type AccessClaims,
  checkAccessClaims,
  checkTokenType,
  requiredClaims,
} from "./token_claims.ts";
import {
  type NodeRequest,
  readCredentials,
  toVerified,
  type VerifiedRequest,
} from "./request.ts";
import {
  resolveSettings,
  type TokenVerifierOptions,
  type VerifierSettings,
} from "./verifier_options.ts";

/** Options of {@linkcode TokenVerifier.verify}. */
export interface VerifyOptions extends AccessDemands {
  /** Certificate that the client presented. */
  certificate?: Certificate | undefined;
  /** Signal that aborts requests to the authorization server. */
  signal?: AbortSignal | undefined;
}

/** Verified access. */
export interface Access {
  /** Claims of the token. */
  readonly claims: AccessClaims;
  /** Scopes of the token. */
  readonly scopes: readonly string[];
  /** Authentication scheme of the request. */
  readonly scheme: AccessScheme;
  /** Headers for the response: `DPoP-Nonce`, if it changes. */
  readonly headers: Headers;
}

const VERIFY_OPTIONS = knownNames<VerifyOptions>({
  scope: true,
  acr_values: true,
  max_age: true,
  certificate: true,
  signal: true,
});
interface Attempt {
  readonly request: VerifiedRequest;
  readonly demanded: Demanded;
  readonly certificate: Certificate | undefined;
  readonly signal: AbortSignal | undefined;
  scheme?: AccessScheme;
  nonce?: string;
}

/**
 * Verifier of the access tokens of an authorization server, for a resource
 * server. Keep it for the life of the process, because it caches keys and
 * remembers DPoP proofs.
 */
export class TokenVerifier {
  #client: IntrospectionClient;
  #settings: VerifierSettings;

  /**
   * Creates a verifier. The client has the `issuer` and metadata of the
   * authorization server, as `discover` returns them.
   *
   * @throws {TypeError} If an option is missing, misspelled or invalid, or the
   * client has no issuer, or neither `jwks_uri` nor `introspection_endpoint`.
   */
  constructor(
    client: IntrospectionClient,
    options: TokenVerifierOptions,
  ) {
    checkClient(client);
    this.#client = client;
    this.#settings = resolveSettings(client, options);
  }

  /**
   * Verifies the access token of a request: its signature or introspection,
   * issuer, audience, lifetime, scopes and authentication, and the key that it
   * is bound to. `request` is a `Request` or a request of Node.
   *
   * @throws {AccessDenied} If access is refused, with status and challenges.
   * @throws {OAuth2Error} If the authorization server fails.
   * @throws {ConnectionError} If it does not respond.
   * @throws {ValidationError} If its keys or its introspection are invalid.
   * @throws {TypeError} If an option is invalid.
   *
   * @example
   * ```ts
   * import { Client } from "@carteiro/oauth2";
   * import { AccessDenied, TokenVerifier } from "@carteiro/oauth2/verify";
   *
   * const issuer = "https://provider.example";
   * const client = new Client("api", "secret", {
   *   issuer,
   *   metadata: { issuer, introspection_endpoint: `${issuer}/introspect` },
   *   fetch: () =>
   *     Promise.resolve(Response.json({ active: true, token_type: "Bearer" })),
   * });
   * const verifier = new TokenVerifier(client, {
   *   audience: "https://api.example",
   * });
   * async function handle(request: Request): Promise<Response> {
   *   try {
   *     const { claims } = await verifier.verify(request, { scope: "notes" });
   *     return Response.json(claims);
   *   } catch (error) {
   *     if (error instanceof AccessDenied) return error.toResponse();
   *     throw error;
   *   }
   * }
   * const refused = await handle(new Request("https://api.example/notes"));
   * console.assert(refused.status === 401);
   * ```
   */
  async verify(
    request: VerifiedRequest | NodeRequest,
    options: VerifyOptions = {},
  ): Promise<Access> {
    checkNames(options, VERIFY_OPTIONS);
    const { certificate, signal } = options;
    const demanded = readDemands(options);
    const attempt: Attempt = {
      request: toVerified(request),
      demanded,
      certificate,
      signal,
    };
    const { scheme, token } = this.#readToken(attempt);
    // Before the token: a bad proof must not cause a request.
    const proof = scheme === "DPoP"
      ? await this.#verifyProof(attempt, token)
      : undefined;
    const claims = await this.#readClaims(attempt, token);
    await this.#checkBinding(attempt, claims, proof);
    if (proof) await this.#checkReplay(attempt, proof);
    const scopes = scopesOf(claims, this.#settings.scopeClaims);
    const unmet = findUnmet(claims, demanded, {
      granted: scopes,
      now: this.#now(),
      clockTolerance: this.#settings.clockTolerance,
    });
    if (unmet) this.#deny(attempt, unmet);
    const headers = new Headers();
    if (attempt.nonce !== undefined) headers.set("DPoP-Nonce", attempt.nonce);
    return { claims, scopes, scheme, headers };
  }

  #readToken(attempt: Attempt): { scheme: AccessScheme; token: string } {
    const credentials = readCredentials(attempt.request.headers);
    if (!credentials) {
      return this.#deny(attempt, {
        description: "the request has no access token",
        params: scopeParam(attempt.demanded),
      });
    }
    const { scheme, token } = credentials;
    attempt.scheme = scheme;
    if (token === undefined) {
      return this.#refuse(
        attempt,
        "invalid_request",
        "the Authorization header must have exactly one access token",
      );
    }
    if (!this.#settings.challenges.schemes.includes(scheme)) {
      this.#refuse(attempt, "invalid_token", `${scheme} is not accepted`);
    }
    return { scheme, token };
  }

  async #verifyProof(attempt: Attempt, token: string): Promise<Proof> {
    const { request } = attempt;
    const { nonces, publicUrl } = this.#settings;
    const header = request.headers.get("dpop");
    const url = URL.parse(publicUrl(request));
    const result = header === null
      ? "the request has no DPoP header"
      : !url
      ? "the URL of the request is invalid"
      : await verifyProof(header, {
        method: request.method,
        url,
        token,
        algorithms: this.#settings.challenges.algorithms,
        maxAge: this.#settings.proofMaxAge,
        clockTolerance: this.#settings.clockTolerance,
        now: this.#now(),
      });
    if (typeof result === "string") {
      return this.#refuse(attempt, "invalid_dpop_proof", result);
    }
    if (!nonces) return result;
    const { nonce } = result;
    const current = await nonces.issue();
    if (nonce !== current) attempt.nonce = current;
    if (nonce === undefined || !await nonces.isValid(nonce)) {
      attempt.nonce = current;
      this.#refuse(attempt, "use_dpop_nonce", "the proof needs a new nonce");
    }
    return result;
  }

  async #readClaims(attempt: Attempt, token: string): Promise<AccessClaims> {
    const { keys, introspector } = this.#settings;
    const isVerified = keys && (!introspector || isJwt(token));
    const { claims, required } = isVerified
      ? await this.#verifyJwt(attempt, token)
      : await this.#introspect(introspector!, attempt, token);
    const { issuer, audience, clockTolerance, scopeClaims } = this.#settings;
    const reason = checkAccessClaims(claims, {
      issuer,
      audience,
      clockTolerance,
      scopeClaims,
      now: this.#now(),
      required,
    });
    if (reason !== undefined) this.#refuse(attempt, "invalid_token", reason);
    return claims as AccessClaims;
  }

  async #introspect(
    introspector: Introspector,
    attempt: Attempt,
    token: string,
  ) {
    const { allowUntyped, requireAudience } = this.#settings;
    const { claims, cause } = await introspector.introspect(
      token,
      attempt.signal,
    );
    const scheme = attempt.scheme!;
    const reason = claims
      ? checkTokenType(claims, { scheme, allowUntyped })
      : "the token is not active";
    if (!claims || reason !== undefined) {
      return this.#refuse(attempt, "invalid_token", reason!, cause);
    }
    return { claims, required: requireAudience ? ["aud"] : [] };
  }

  async #verifyJwt(attempt: Attempt, token: string) {
    try {
      const { claims, type } = await verifyJwt(token, {
        name: "access token",
        algorithms: this.#settings.algorithms,
        types: this.#settings.types,
        keys: this.#settings.keys,
        signal: attempt.signal,
      });
      return { claims, required: requiredClaims(type) };
    } catch (cause) {
      const isOfToken = cause instanceof ValidationError &&
        cause.code !== "invalid_jwks";
      if (!isOfToken) throw cause;
      return this.#refuse(
        attempt,
        "invalid_token",
        "the token is malformed or its signature is invalid",
        cause,
      );
    }
  }

  async #checkBinding(
    attempt: Attempt,
    { cnf = {} }: AccessClaims,
    proof: Proof | undefined,
  ): Promise<void> {
    const { binding } = this.#settings;
    const { certificate } = attempt;
    const { jkt, "x5t#S256": thumbprint } = cnf;
    const refuse = (reason: string) =>
      this.#refuse(attempt, "invalid_token", reason);
    if (proof && jkt === undefined) {
      refuse("the token is not bound to a DPoP key");
    }
    if (jkt !== undefined && !proof) {
      refuse("the token is bound to a DPoP key and needs the scheme DPoP");
    }
    if (proof && !isSameText(jkt!, proof.jkt)) {
      refuse("the token is bound to another DPoP key");
    }
    if (thumbprint !== undefined) {
      if (certificate === undefined) {
        refuse("the token is bound to a client certificate");
      } else if (!await isBoundTo(cnf, certificate).catch(() => false)) {
        // A certificate that cannot be read may come from the client.
        refuse("the token is bound to another client certificate");
      }
    }
    const isBound = binding === "optional" ||
      binding === "dpop" && jkt !== undefined ||
      binding === "mtls" && thumbprint !== undefined ||
      binding === "required" && (jkt ?? thumbprint) !== undefined;
    if (!isBound) refuse("the token is not bound to a key");
  }

  async #checkReplay(attempt: Attempt, { jkt, jti, iat }: Proof) {
    const key = await sha256(`${jkt} ${jti}`);
    const isNew = await this.#settings.replays.add(
      key,
      Math.ceil(iat) + this.#settings.proofMaxAge + 1,
    );
    if (!isNew) {
      this.#refuse(attempt, "invalid_dpop_proof", "the proof was used before");
    }
  }

  #refuse(
    attempt: Attempt,
    code: NonNullable<Refusal["code"]>,
    description: string,
    cause?: unknown,
  ): never {
    const params = scopeParam(attempt.demanded);
    return this.#deny(attempt, { code, description, params }, cause);
  }

  #deny({ scheme, nonce }: Attempt, refusal: Refusal, cause?: unknown): never {
    const headers = new Headers();
    for (
      const line of challengesOf(refusal, scheme, this.#settings.challenges)
    ) {
      headers.append("WWW-Authenticate", line);
    }
    if (nonce !== undefined) headers.set("DPoP-Nonce", nonce);
    throw new AccessDenied(refusal, headers, cause ? { cause } : {});
  }

  #now(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}

/** Returns true for a signed JWT, valid or not. */
function isJwt(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && readJson(parts[0])?.alg !== undefined;
}
