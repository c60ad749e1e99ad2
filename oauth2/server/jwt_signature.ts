/**
 * Signatures of JSON Web Tokens (RFC 7515). {@linkcode UnsignedJwt} imports
 * this module with the first one.
 */
import { fromBase64, toBase64Url } from "../core/base64.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import { importKey } from "../core/signature_keys.ts";

/** Key and algorithm of a signature. */
export interface JwtKey {
  /**
   * Algorithm, e.g. `RS256`, `ES256` or `HS256` (RFC 7518 section 3.1), but not
   * `none`.
   */
  algorithm: string;
  /**
   * Shared secret as text or bytes for an HS algorithm, at least as long as its
   * hash (RFC 7518 section 3.2: 32 bytes for HS256); otherwise a private key as CryptoKey, KeyObject of Node, JWK or PKCS #8 PEM.
   */
  key: string | object;
  /** Key id for the header of the JWT. */
  kid?: string | undefined;
}

/** Claims of a JSON Web Token (RFC 7519 section 4). */
export type JwtClaims = { readonly [claim: string]: unknown };

/** PKCS #8 PEM (RFC 7468 section 10). */
const PEM =
  /^-----BEGIN PRIVATE KEY-----([\w+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/**
 * Signs claims, like `signJwt`.
 *
 * @throws {Error} If the algorithm or key is missing or invalid, or the
 * algorithm is `none`.
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
  const cryptoKey = await readKey(algorithm, key);
  const parts = [{ alg: algorithm, kid, typ }, claims];
  const text = parts.map((part) => toBase64Url(encode(JSON.stringify(part))))
    .join(".");
  const { parameters } = findAlgorithm(algorithm)!;
  const signature = await crypto.subtle.sign(
    parameters,
    cryptoKey,
    encode(text),
  );
  return `${text}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Imports a key that may be text. */
async function readKey(
  algorithm: string,
  key: JwtKey["key"],
): Promise<CryptoKey> {
  const isSecret = algorithm.startsWith("HS");
  const text = key instanceof Uint8Array ? new TextDecoder().decode(key) : key;
  if (isSecret && String(text).includes("-----BEGIN ")) {
    throw new Error(`${algorithm} needs a shared secret, not a PEM key`);
  }
  if (typeof key !== "string") return await importKey(key, algorithm, "sign");
  if (isSecret) return await importKey(encode(key), algorithm, "sign");
  const [, base64 = ""] = PEM.exec(key) ?? [];
  const bytes = fromBase64(base64.replace(/\s/g, ""));
  if (!bytes?.length) throw new Error("the key is not a PKCS #8 PEM");
  return await importKey(bytes, algorithm, "sign", "pkcs8");
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
