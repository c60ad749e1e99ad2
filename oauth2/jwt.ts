/**
 * Signs JSON Web Tokens, for the JWT bearer grant and for private_key_jwt
 * (RFC 7523), by `jose`, which is loaded with the first signature.
 *
 * @module
 */
import type { SignJWT } from "jose";
import { isPlainObject } from "./params.ts";

/** Key and algorithm that sign a JSON Web Token. */
export interface JwtKey {
  /**
   * Algorithm, such as `RS256`, `ES256` or `HS256` (RFC 7518 section 3.1).
   * Never `none`.
   */
  algorithm: string;
  /**
   * Key. For the HS algorithms the shared secret as text or bytes; for the
   * others a private key as CryptoKey, KeyObject of Node, JWK or PKCS #8 PEM.
   */
  key: string | object;
  /** Id of the key, for the header of the token. */
  kid?: string | undefined;
}

/** Seconds for which a client assertion is valid: it is used at once. */
const CLIENT_ASSERTION_LIFETIME = 60;

/** Claims of a JSON Web Token (RFC 7519 section 4). */
export type JwtClaims = { readonly [claim: string]: unknown };

/**
 * Signs claims as they are: nothing is added or checked.
 *
 * @throws {TypeError} When the algorithm or the key is missing or will not do,
 * or the algorithm is `none`.
 *
 * @example
 * ```ts
 * import { signJwt } from "@carteiro/oauth2/jwt";
 *
 * const assertion = await signJwt(
 *   { iss: "abc", aud: "https://provider.example", exp: 1700000060 },
 *   { algorithm: "HS256", key: "a secret that both sides know" },
 * );
 * console.assert(assertion.split(".").length === 3);
 * ```
 */
export async function signJwt(
  claims: JwtClaims,
  encoding: JwtKey,
): Promise<string> {
  return await new UnsignedJwt(claims, encoding).sign();
}

/** JSON Web Token that is yet to be signed: copies of its claims and its key. */
export class UnsignedJwt {
  #claims: JwtClaims;
  #key: JwtKey;

  /**
   * Copies claims and key, which the caller may change.
   *
   * @throws {TypeError} When a claim is not plain data.
   */
  constructor(claims: JwtClaims, key: JwtKey) {
    try {
      this.#claims = structuredClone(claims);
    } catch {
      // The message of the platform would quote the claim.
      throw new TypeError(
        "Cannot sign the assertion: a claim is not plain data",
      );
    }
    // Callers without types get here with anything.
    this.#key = copyKey(Object(key));
  }

  /** Signs the claims, as {@link signJwt} does. */
  async sign(): Promise<string> {
    const { algorithm, key, kid } = this.#key;
    if (!algorithm || !key) {
      throw new TypeError(
        "Cannot sign the assertion: the encoding options need an algorithm and a key",
      );
    }
    if (algorithm === "none") {
      throw new TypeError('Cannot sign the assertion: the algorithm is "none"');
    }
    const { importPKCS8, SignJWT } = await import("jose");
    try {
      return await new SignJWT(this.#claims)
        .setProtectedHeader({
          alg: algorithm,
          ...(kid !== undefined && { kid }),
        })
        .sign(await importKey(algorithm, key, importPKCS8));
    } catch (error) {
      throw new TypeError(
        `Cannot sign the assertion: ${(error as Error).message}`,
      );
    }
  }
}

/** Copies a key, whose bytes or members the caller may change. */
export function copyKey(encoding: JwtKey): JwtKey {
  const { key } = encoding;
  return {
    ...encoding,
    key: key instanceof Uint8Array
      ? key.slice()
      : isPlainObject(key)
      ? { ...key }
      : key,
  };
}

/**
 * Signs the assertion that authenticates a client (RFC 7523 section 3): issued
 * now, valid for a minute, with an id of its own.
 *
 * `audience` is the issuer of the server or its token endpoint; `now` is in
 * milliseconds since 1970.
 *
 * @throws {TypeError} When there is no id or no key, and as {@link signJwt} does.
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
    throw new TypeError(
      "Cannot sign the assertion: it needs the id of a client and a key",
    );
  }
  return await signJwt(assertionClaims(clientId, audience, now), key);
}

/** Claims of the assertion that authenticates a client. */
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

/** Key as `sign` of jose takes it. */
type SigningKey = Parameters<SignJWT["sign"]>[0];

async function importKey(
  algorithm: string,
  key: JwtKey["key"],
  importPKCS8: typeof import("jose").importPKCS8,
): Promise<SigningKey> {
  const isSecret = algorithm.startsWith("HS");
  const text = key instanceof Uint8Array ? new TextDecoder().decode(key) : key;
  if (isSecret && String(text).includes("-----BEGIN ")) {
    throw new Error(`a PEM file is not a secret for ${algorithm}`);
  }
  if (typeof key !== "string") return key as SigningKey;
  return isSecret
    ? new TextEncoder().encode(key)
    : await importPKCS8(key, algorithm);
}
