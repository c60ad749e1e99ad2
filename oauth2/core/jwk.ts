import { toBase64Url } from "./base64.ts";

/** Required members of a public key by type, in the order of RFC 7638. */
const MEMBERS: { readonly [kty: string]: readonly string[] } = {
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
  RSA: ["e", "kty", "n"],
};

/** Public key: its required members only. */
export type RequiredJwk = { readonly [member: string]: string };

/**
 * Returns the required members of a public key. Returns undefined if one is
 * missing, or the key type is another than `EC`, `OKP` and `RSA`.
 */
export function requiredMembers(
  jwk: { readonly [member: string]: unknown },
): RequiredJwk | undefined {
  const kty = typeof jwk.kty === "string" ? jwk.kty : "";
  const names = Object.hasOwn(MEMBERS, kty) ? MEMBERS[kty]! : undefined;
  if (!names?.every((name) => typeof jwk[name] === "string")) return undefined;
  return Object.fromEntries(names.map((name) => [name, jwk[name] as string]));
}

/** Returns the SHA-256 thumbprint of a public key (RFC 7638). */
export async function thumbprintOf(jwk: RequiredJwk): Promise<string> {
  return await sha256(JSON.stringify(jwk));
}

/** Returns the SHA-256 hash of text or bytes, as base64url. */
export async function sha256(
  data: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const bytes = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  );
}
