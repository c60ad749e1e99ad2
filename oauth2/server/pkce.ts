/**
 * Proof Key for Code Exchange (RFC 7636), and random values for `state` and
 * `nonce`.
 *
 * @module
 */
import { toBase64Url } from "../core/base64.ts";

/** Parameters of PKCE, spelled as on the wire. */
export interface Pkce {
  /** Digest of the verifier, for the authorization request. */
  readonly code_challenge: string;
  /** Digest method, for the authorization request. */
  readonly code_challenge_method: "S256";
  /** Secret of 43 characters, for the token request. */
  readonly code_verifier: string;
}

/**
 * Generates a verifier, unless one is given, and its S256 challenge (RFC 7636
 * section 4). Keep the verifier in the user's session until the callback.
 *
 * @example
 * ```ts
 * import { Client, pkce, randomState } from "@carteiro/oauth2";
 *
 * const client = new Client("abc", null, { site: "https://provider.example" });
 * const { code_verifier, ...challenge } = await pkce();
 * const url = client.authCode.authorizeUrl({
 *   redirect_uri: "https://app.example/callback",
 *   state: randomState(),
 *   ...challenge,
 * });
 * console.assert(!url.includes(code_verifier));
 * ```
 */
export async function pkce(
  verifier: string = randomState(),
): Promise<Pkce> {
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(verifier),
  );
  return {
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    code_verifier: verifier,
  };
}

/**
 * Generates a value for `state` or `nonce`: 256 random bits in 43 characters.
 */
export function randomState(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}
