/**
 * Proof Key for Code Exchange (RFC 7636), and random values for `state` and
 * `nonce`.
 *
 * @module
 */
import { toBase64Url } from "./base64.ts";

/** Verifier and challenge. */
export interface Pkce {
  /** Secret of 43 characters, the `code_verifier` of the token request. */
  readonly verifier: string;
  /**
   * Digest of the verifier, the `code_challenge` of the authorization request.
   */
  readonly challenge: string;
  /**
   * Digest method, the `code_challenge_method` of the authorization request.
   */
  readonly method: "S256";
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
 * const { challenge, method, verifier } = await pkce();
 * const url = client.authCode.authorizeUrl({
 *   redirect_uri: "https://app.example/callback",
 *   state: randomState(),
 *   code_challenge: challenge,
 *   code_challenge_method: method,
 * });
 * console.assert(url.includes(challenge) && !url.includes(verifier));
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
    verifier,
    challenge: toBase64Url(new Uint8Array(digest)),
    method: "S256",
  };
}

/**
 * Generates a value for `state` or `nonce`: 256 random bits in 43 characters.
 */
export function randomState(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}
