import { toBase64Url } from "../core/base64.ts";
import { isSameText } from "../core/same_text.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import { failClaim } from "./check_claims.ts";

/** Values of which an ID token may contain hashes. */
export interface HashedValues {
  readonly access_token?: string | undefined;
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** Requires the hash of each given value. */
  readonly requireHashes?: boolean | undefined;
}

/** Values by claim. */
const HASHED = {
  at_hash: "access_token",
  c_hash: "code",
  s_hash: "state",
} as const;

/**
 * Compares the hashes in an ID token with the values, if both are present.
 *
 * @throws {ValidationError} If a hash differs.
 */
export async function checkHashes(
  claims: Readonly<Record<string, unknown>>,
  alg: string,
  values: HashedValues,
): Promise<void> {
  for (const [claim, name] of Object.entries(HASHED)) {
    const { [claim]: hash } = claims;
    const { [name]: value } = values;
    if (value === undefined) continue;
    const fail = (state: string) =>
      failClaim(claim as keyof typeof HASHED, state);
    if (hash === undefined) {
      if (!values.requireHashes) continue;
      fail("is missing");
    }
    if (typeof hash !== "string" || !isSameText(hash, await half(value, alg))) {
      fail(`is not the hash of the ${name}`);
    }
  }
}

/** Returns the left half of a hash, as base64url. */
async function half(value: string, alg: string): Promise<string> {
  const { hash } = findAlgorithm(alg)!;
  const bytes = new TextEncoder().encode(value);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  return toBase64Url(digest.subarray(0, digest.length / 2));
}
