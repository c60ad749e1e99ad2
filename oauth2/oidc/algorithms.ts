/**
 * Signature algorithms (RFC 7518 section 3.1, RFC 8037, RFC 9864).
 *
 * @module
 */
import { invalid } from "../type_error.ts";

/** Key and hash of a signature algorithm. */
export interface SignatureAlgorithm {
  /** Key type of a JWK; `oct` for a shared secret. */
  readonly kty: "RSA" | "EC" | "OKP" | "oct";
  /** Curve of a JWK. */
  readonly crv?: string;
  /** Hash for `at_hash`, `c_hash` and `s_hash`. */
  readonly hash: string;
}

const FAMILIES = { RS: "RSA", PS: "RSA", ES: "EC", HS: "oct" } as const;
const ED25519 = { kty: "OKP", crv: "Ed25519", hash: "SHA-512" } as const;

/** Returns a supported algorithm. */
export function findAlgorithm(alg: string): SignatureAlgorithm | undefined {
  if (alg === "EdDSA" || alg === "Ed25519") return ED25519;
  const [, family, size] = /^([RPEH]S)(256|384|512)$/.exec(alg) ?? [];
  if (family === undefined) return undefined;
  return {
    kty: FAMILIES[family as keyof typeof FAMILIES],
    ...family === "ES" && { crv: `P-${size === "512" ? 521 : size}` },
    hash: `SHA-${size}`,
  };
}

/**
 * Returns the algorithms to accept: those of the caller, or the asymmetric ones
 * of the server's metadata, or RS256 (OpenID Connect Discovery section 3).
 *
 * @throws {TypeError} If the caller lists an algorithm that is not supported,
 * such as `none`.
 */
export function acceptedAlgorithms(
  own: readonly string[] | undefined,
  supported: unknown,
): readonly string[] {
  const wrong = own?.find((alg) => !findAlgorithm(alg));
  if (wrong !== undefined) {
    throw invalid(
      `Cannot accept the algorithm "${wrong}": it must be RS, PS, ES or HS with 256, 384 or 512, EdDSA or Ed25519`,
    );
  }
  if (own) return [...own];
  return (Array.isArray(supported) ? supported : ["RS256"]).filter((alg) => {
    const { kty = "oct" } = findAlgorithm(String(alg)) ?? {};
    return kty !== "oct";
  });
}
