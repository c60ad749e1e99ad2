/** Keys and claims of JWTs. */
import type { JwtKey } from "../../oauth2/mod.ts";

/** Secret that is long enough for HS256. */
export const HS256_SECRET = "a secret of sufficient length for HS256";
/** Key of HS256. */
export const HS256_KEY = { algorithm: "HS256", key: HS256_SECRET };
/** Claims of an assertion. */
export const CLAIMS = { iss: "otter" };

/** Generates a key pair of ES256. */
export function generateEs256(extractable = false): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    extractable,
    ["sign", "verify"],
  );
}

/** Generates a key for private_key_jwt. */
export async function generateAssertionKey(): Promise<JwtKey> {
  const { privateKey: key } = await generateEs256();
  return { algorithm: "ES256", key };
}

/** Decodes the claims of a JWT, without verifying it. */
export function claimsOf(jwt: string): Record<string, unknown> {
  const [, claims = ""] = jwt.split(".");
  return JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/")));
}
