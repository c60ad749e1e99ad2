/**
 * Signatures of JSON Web Tokens (RFC 7515). {@linkcode UnsignedJwt} imports
 * this module with the first one.
 */
import { fromBase64, toBase64Url } from "../core/base64.ts";
import type { JwtClaims, JwtKey } from "./jwt.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import { importKey } from "../core/signature_keys.ts";

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
