/**
 * Signatures of JSON Web Tokens (RFC 7515). {@linkcode UnsignedJwt} imports
 * this module with the first one.
 *
 * @module
 */
import { fromBase64 } from "./base64.ts";
import type { JwtClaims, JwtKey } from "./jwt.ts";

/** PKCS #8 PEM (RFC 7468 section 10). */
const PEM =
  /^-----BEGIN PRIVATE KEY-----([\w+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/** Names in Web Crypto of the algorithms that have others in JWTs. */
const NAMES: { readonly [family: string]: string } = {
  RS: "RSASSA-PKCS1-v1_5",
  PS: "RSA-PSS",
  ES: "ECDSA",
  Ed: "Ed25519",
};

/**
 * Signs claims, like `signJwt`.
 *
 * @throws {Error} If the claims are not an object, the algorithm or key is
 * missing or invalid, or the algorithm is `none`.
 */
export async function signClaims(
  claims: JwtClaims,
  { algorithm, key, kid }: JwtKey,
  typ: string | undefined,
): Promise<string> {
  if (!algorithm || !key) throw new Error("algorithm and key are required");
  if (algorithm === "none") {
    throw new Error('algorithm "none" is not allowed');
  }
  const { CompactSign } = await import("jose/jws/compact/sign");
  const payload = new TextEncoder().encode(JSON.stringify(claims));
  return await new CompactSign(payload)
    .setProtectedHeader({
      alg: algorithm,
      ...kid !== undefined && { kid },
      ...typ !== undefined && { typ },
    })
    .sign(await importKey(algorithm, key));
}

/** Returns a key that `jose` accepts. */
async function importKey(
  algorithm: string,
  key: JwtKey["key"],
): Promise<SigningKey> {
  const isSecret = algorithm.startsWith("HS");
  const text = key instanceof Uint8Array ? new TextDecoder().decode(key) : key;
  if (isSecret && String(text).includes("-----BEGIN ")) {
    throw new Error(`${algorithm} needs a shared secret, not a PEM key`);
  }
  if (typeof key !== "string") return key as SigningKey;
  return isSecret
    ? new TextEncoder().encode(key)
    : await importPem(algorithm, key);
}

/** Key that `sign` of `jose` accepts. */
type SigningKey = CryptoKey | Uint8Array;

/** Imports a private key. */
async function importPem(algorithm: string, pem: string): Promise<CryptoKey> {
  const [, base64 = ""] = PEM.exec(pem) ?? [];
  const bytes = fromBase64(base64.replace(/\s/g, ""));
  if (!bytes?.length) throw new Error("the key is not a PKCS #8 PEM");
  const bits = algorithm.slice(2);
  const parameters = {
    name: NAMES[algorithm.slice(0, 2)] ?? algorithm,
    hash: `SHA-${bits}`,
    namedCurve: `P-${bits === "512" ? "521" : bits}`,
  };
  return await crypto.subtle.importKey("pkcs8", bytes, parameters, false, [
    "sign",
  ]);
}
