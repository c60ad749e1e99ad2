/** Assertions for client authentication, imported with the first one. */
import { assertionClaims, type JwtKey, UnsignedJwt } from "../server/jwt.ts";
import { invalid } from "./type_error.ts";

/** Client that authenticates with an assertion. */
export interface Signer {
  readonly id?: string | null | undefined;
  readonly secret?: string | null | undefined;
  readonly authScheme: string;
  readonly assertionKey?: JwtKey | undefined;
}

/**
 * Signs the assertion of a client (RFC 7523 section 2.2).
 *
 * @throws {TypeError} If the client has no id or no key for its method.
 */
export async function signAssertion(
  { id, secret, authScheme, assertionKey }: Signer,
  audience: string,
  now: number,
): Promise<string> {
  const hasKeyPair = authScheme === "private_key_jwt";
  const key = hasKeyPair
    ? assertionKey
    : { algorithm: "HS256", key: secret ?? "" };
  if (!id || !key?.key) {
    const keyName = hasKeyPair ? "an assertionKey" : "a secret";
    throw invalid(
      `Cannot authenticate the client: ${authScheme} needs an id and ${keyName}`,
    );
  }
  if (hasKeyPair && key.algorithm?.startsWith("HS")) {
    throw invalid(
      `Cannot authenticate the client: ${key.algorithm} needs the authScheme client_secret_jwt`,
    );
  }
  return await new UnsignedJwt(assertionClaims(id, audience, now), key).sign();
}
