import { requiredMembers, sha256, thumbprintOf } from "../core/jwk.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import type { PublicJwk } from "../oidc/jwks.ts";
import { isSigned, readJson } from "../oidc/verify_jwt.ts";
import { isPlainObject } from "../core/params.ts";
import { isSameText } from "../core/same_text.ts";

/** Request that a proof must be for. */
export interface ExpectedProof {
  readonly method: string;
  readonly url: URL;
  readonly token: string;
  /** Signature algorithms to accept. */
  readonly algorithms: readonly string[];
  /** Maximum age in seconds. */
  readonly maxAge: number;
  /** Maximum difference between the clocks, in seconds. */
  readonly clockTolerance: number;
  /** Time in seconds since 1970. */
  readonly now: number;
}

/** Proof with a valid signature, for this request. */
export interface Proof {
  /** Thumbprint of the key. */
  readonly jkt: string;
  readonly jti: string;
  readonly iat: number;
  readonly nonce: string | undefined;
}

const MAX_PROOF = 8192;
const MAX_TEXT = 1024;
/** Members of private and shared keys (RFC 7518 section 6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Verifies a DPoP proof. Its nonce and the uniqueness of its `jti` are not
 * checked. Returns the reason if the proof is refused.
 */
export async function verifyProof(
  proof: string,
  expected: ExpectedProof,
): Promise<Proof | string> {
  if (proof.length > MAX_PROOF) return "the proof is too long";
  const parts = proof.split(".");
  const header = readJson(parts[0]);
  const claims = readJson(parts[1]);
  if (parts.length !== 3 || !header || !claims) {
    return "the proof is not one signed JWT";
  }
  const { typ, alg, jwk, crit } = header;
  if (typ !== "dpop+jwt") return "the typ of the proof is not dpop+jwt";
  if (crit !== undefined) return "the proof has crit";
  if (typeof alg !== "string" || !expected.algorithms.includes(alg)) {
    return "the algorithm of the proof is not supported";
  }
  if (!isPlainObject(jwk)) return "the proof has no jwk";
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) {
    return "the jwk of the proof is not a public key";
  }
  const key = requiredMembers(jwk);
  const { kty, crv } = findAlgorithm(alg) ?? {};
  if (key?.kty !== kty || crv !== undefined && key?.crv !== crv) {
    return "the jwk of the proof does not fit its algorithm";
  }
  const reason = checkRequest(claims, expected) ?? checkTime(claims, expected);
  if (reason !== undefined) return reason;
  const { jti, iat, ath, nonce } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_TEXT) {
    return "the jti of the proof is missing or too long";
  }
  if (nonce !== undefined && typeof nonce !== "string") {
    return "the nonce of the proof is not text";
  }
  if (
    typeof ath !== "string" || !isSameText(ath, await sha256(expected.token))
  ) {
    return "the ath of the proof is not the hash of the token";
  }
  if (!await isSigned(proof, key as unknown as PublicJwk, alg)) {
    return "the signature of the proof is invalid";
  }
  return { jkt: await thumbprintOf(key!), jti, iat: iat as number, nonce };
}

function checkRequest(
  { htm, htu }: Record<string, unknown>,
  { method, url }: ExpectedProof,
): string | undefined {
  if (htm !== method) return "the htm of the proof is another method";
  const proven = typeof htu === "string" ? URL.parse(htu) : null;
  return proven && normalize(proven) === normalize(url)
    ? undefined
    : "the htu of the proof is another URL";
}

function checkTime(
  { iat }: Record<string, unknown>,
  { now, maxAge, clockTolerance }: ExpectedProof,
): string | undefined {
  return typeof iat === "number" && iat <= now + clockTolerance &&
      iat >= now - maxAge
    ? undefined
    : "the iat of the proof is missing, too old or in the future";
}

/** Normalizes a URL without query and fragment (RFC 3986 section 6.2.2). */
function normalize({ protocol, username, host, pathname }: URL): string {
  const path = pathname.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const char = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : escape.toUpperCase();
  });
  return `${protocol}//${username && "@"}${host}${path}`;
}
