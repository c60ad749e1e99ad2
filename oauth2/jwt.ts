/**
 * Signs JSON Web Tokens, for the JWT bearer grant and for private_key_jwt
 * (RFC 7523). It is a module of its own because it needs `jose`; the client
 * loads it when an assertion must be signed, and not before.
 *
 * @module
 */
import { importPKCS8, SignJWT } from "jose";

/** What signs a JSON Web Token. */
export interface JwtKey {
  /**
   * The algorithm, such as `RS256`, `ES256` or `HS256` (RFC 7518 section 3.1).
   * Never `none`.
   */
  algorithm: string;
  /**
   * The key. For the HS algorithms the shared secret as text or bytes; for the
   * others a private key as CryptoKey, KeyObject of Node, JWK or PKCS #8 PEM.
   */
  key: string | object;
  /** The name of the key, for the header of the token. */
  kid?: string | undefined;
}

/** Seconds for which a client assertion is good: it is used at once. */
const CLIENT_ASSERTION_LIFETIME = 60;

/** The claims of a JSON Web Token (RFC 7519 section 4). */
export type JwtClaims = { readonly [claim: string]: unknown };

/**
 * Signs claims as they are: none is added, none is checked.
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
  // Callers without types get here with anything.
  const { algorithm, key, kid } = Object(encoding) as Partial<JwtKey>;
  if (!algorithm || !key) {
    throw new TypeError(
      "Cannot sign the assertion: the encoding options need an algorithm and a key",
    );
  }
  if (algorithm === "none") {
    throw new TypeError('Cannot sign the assertion: the algorithm is "none"');
  }
  try {
    return await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, ...(kid !== undefined && { kid }) })
      .sign(await importKey(algorithm, key));
  } catch (error) {
    throw new TypeError(
      `Cannot sign the assertion: ${(error as Error).message}`,
    );
  }
}

/**
 * Signs the assertion by which a client says who it is (RFC 7523 section 3):
 * issued now, good for a minute, and unlike any other.
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
  if (!clientId || !key) {
    throw new TypeError(
      "Cannot authenticate the client: private_key_jwt needs an id and the option assertionKey, or the parameter client_assertion",
    );
  }
  const issuedAt = Math.floor(now / 1000);
  return await signJwt({
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: crypto.randomUUID(),
    iat: issuedAt,
    exp: issuedAt + CLIENT_ASSERTION_LIFETIME,
  }, key);
}

/** What `sign` of jose takes as a key. */
type SigningKey = Parameters<SignJWT["sign"]>[0];

async function importKey(
  algorithm: string,
  key: JwtKey["key"],
): Promise<SigningKey> {
  if (typeof key !== "string") return key as SigningKey;
  const isPem = key.includes("-----BEGIN ");
  if (!algorithm.startsWith("HS")) return await importPKCS8(key, algorithm);
  if (isPem) throw new Error(`a PEM file is no secret for ${algorithm}`);
  return new TextEncoder().encode(key);
}
