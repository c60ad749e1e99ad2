/**
 * JSON Web Tokens for the JWT bearer grant and for client authentication
 * (RFC 7523). The code that signs is imported with the first signature.
 *
 * @module
 */
import { isPlainObject } from "../core/params.ts";
import { invalid } from "../core/type_error.ts";
import type { JwtClaims, JwtKey } from "./jwt_signature.ts";

export type { JwtClaims, JwtKey } from "./jwt_signature.ts";

/** Lifetime of a client assertion in seconds. */
const CLIENT_ASSERTION_LIFETIME = 60;

/**
 * Signs claims. No claims are added or checked. `typ` is the type in the header
 * of the JWT, e.g. `oauth-authz-req+jwt` (RFC 8725 section 3.11).
 *
 * @throws {TypeError} If the algorithm or key is missing or invalid, or the
 * algorithm is `none`.
 *
 * @example
 * ```ts
 * import { signJwt } from "@carteiro/oauth2/jwt";
 *
 * const assertion = await signJwt(
 *   { iss: "abc", aud: "https://provider.example", exp: 1700000060 },
 *   { algorithm: "HS256", key: "a shared secret" },
 * );
 * console.assert(assertion.split(".").length === 3);
 * ```
 */
export async function signJwt(
  claims: JwtClaims,
  key: JwtKey,
  typ?: string,
): Promise<string> {
  return await new UnsignedJwt(claims, key).sign(typ);
}

/** Claims and key of a JSON Web Token to sign later. */
export class UnsignedJwt {
  #claims: JwtClaims;
  #key: JwtKey;

  /**
   * Copies claims and key, because the caller may change them.
   *
   * @throws {TypeError} If the claims are not an object, or one is not plain
   * data.
   */
  constructor(claims: JwtClaims, key: JwtKey) {
    try {
      this.#claims = structuredClone(claims);
    } catch {
      // The platform's message would quote the claim.
      throw invalid(
        "Cannot sign the assertion: a claim is not plain data",
      );
    }
    // Untyped callers may pass any values.
    if (!isPlainObject(this.#claims)) {
      throw invalid(
        "Cannot sign the assertion: the claims must be an object",
      );
    }
    this.#key = copyKey(Object(key));
  }

  /** Signs the claims, like {@linkcode signJwt}. */
  async sign(typ?: string): Promise<string> {
    const { signClaims } = await import("./jwt_signature.ts");
    try {
      return await signClaims(this.#claims, this.#key, typ);
    } catch (error) {
      throw invalid(`Cannot sign the assertion: ${(error as Error).message}`);
    }
  }
}

/** Copies a key, because the caller may change its bytes or members. */
export function copyKey(jwtKey: JwtKey): JwtKey {
  const { key } = jwtKey;
  return {
    ...jwtKey,
    key: key instanceof Uint8Array
      ? key.slice()
      : isPlainObject(key)
      ? { ...key }
      : key,
  };
}

/**
 * Signs an assertion for client authentication (RFC 7523 section 3), valid for
 * a minute and with a random `jti`.
 *
 * `audience` is the issuer of the server (RFC 7523bis), or the URL of its token
 * endpoint if it has none; `now` is in milliseconds since 1970.
 *
 * @throws {TypeError} If id or key are missing, or the claims cannot be signed.
 *
 * @example
 * ```ts
 * import { clientAssertion } from "@carteiro/oauth2/jwt";
 *
 * const { privateKey: key } = await crypto.subtle.generateKey(
 *   { name: "ECDSA", namedCurve: "P-256" },
 *   true,
 *   ["sign", "verify"],
 * );
 * const assertion = await clientAssertion("abc", "https://provider.example", {
 *   algorithm: "ES256",
 *   key,
 * });
 * console.assert(assertion.split(".").length === 3);
 * ```
 */
export async function clientAssertion(
  clientId: string | undefined,
  audience: string,
  key: JwtKey | undefined,
  now: number = Date.now(),
): Promise<string> {
  if (!clientId || !key?.key) {
    throw invalid(
      "Cannot sign the assertion: clientId and key are required",
    );
  }
  return await signJwt(assertionClaims(clientId, audience, now), key);
}

/** Returns the claims of an assertion for client authentication. */
export function assertionClaims(
  clientId: string,
  audience: string,
  now: number,
): JwtClaims {
  const issuedAt = Math.floor(now / 1000);
  return {
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat: issuedAt,
    exp: issuedAt + CLIENT_ASSERTION_LIFETIME,
  };
}
