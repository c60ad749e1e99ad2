import { findAlgorithm } from "../core/signature_algorithms.ts";
import { invalid } from "../core/type_error.ts";
import type { OpenIdClient } from "./client.ts";

/**
 * Warns of a client secret that is shorter than the hash of an HS algorithm (RFC
 * 7518 section 3.2): whoever has one JWT may guess it, and forge others.
 */
export function warnOfShortSecret(
  client: Pick<OpenIdClient, "secret" | "warn">,
  algorithms: readonly string[],
): void {
  const { secret } = client;
  for (const alg of algorithms) {
    // Not a number for the other algorithms.
    if (secret && secret.length * 8 < Number(alg.replace("HS", ""))) {
      client.warn?.(`oauth2: the secret is too short for ${alg}`);
    }
  }
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
