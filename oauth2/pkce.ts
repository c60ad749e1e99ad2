/**
 * Proof Key for Code Exchange (RFC 7636), and the state of an authorization
 * request.
 *
 * @module
 */
import { toBase64 } from "./base64.ts";

/** Proof that the code is exchanged by the client that asked for it. */
export interface Pkce {
  /** Secret, sent as `code_verifier` with the code: 43 characters. */
  readonly verifier: string;
  /** Digest of the secret, sent as `code_challenge` to the authorization endpoint. */
  readonly challenge: string;
  /** Method of the digest, sent as `code_challenge_method`. */
  readonly method: "S256";
}

/**
 * Makes a verifier and its challenge, by S256 (RFC 7636 section 4). Keep the
 * verifier with the user's session until the code comes.
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
export async function pkce(): Promise<Pkce> {
  const verifier = randomState();
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
 * Makes an unguessable value for `state` or `nonce`: 256 random bits
 * in 43 characters.
 */
export function randomState(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** RFC 4648 section 5, without padding. */
function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes)
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
