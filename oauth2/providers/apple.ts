import { signJwt } from "../server/jwt.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { invalid } from "../core/type_error.ts";

/** Account of a developer at Apple. */
export interface AppleAccount {
  /** Client id: the Services ID or App ID. */
  clientId: string;
  /** Team ID. */
  teamId: string;
  /** Id of the key. */
  keyId: string;
  /** Private key: PKCS #8 PEM, or a key that `signJwt` accepts. */
  key: string | object;
  /**
   * Seconds for which the secret is valid, at most 15777000.
   *
   * @default {3600}
   */
  lifetime?: number | undefined;
}

const ACCOUNT = knownNames<AppleAccount>({
  clientId: true,
  teamId: true,
  keyId: true,
  key: true,
  lifetime: true,
});
const AUDIENCE = "https://appleid.apple.com";
const LIFETIME = 3600;
/** Six months: the maximum that Apple accepts. */
const MAX_LIFETIME = 15_777_000;

/**
 * Signs a client secret for Apple, a JWT with ES256. `now` is in milliseconds
 * since 1970.
 *
 * @throws {TypeError} If a member is missing, or the key or lifetime invalid.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import {
 *   appleClientSecret,
 *   providerOptions,
 *   PROVIDERS,
 * } from "@carteiro/oauth2/providers";
 *
 * const { privateKey: key } = await crypto.subtle.generateKey(
 *   { name: "ECDSA", namedCurve: "P-256" },
 *   true,
 *   ["sign", "verify"],
 * );
 * const clientId = "com.example.app";
 * const account = { clientId, teamId: "A1B2C3D4E5", keyId: "K1", key };
 * const client = new Client(
 *   clientId,
 *   await appleClientSecret(account),
 *   providerOptions(PROVIDERS.apple),
 * );
 * console.assert(client.secret?.split(".").length === 3);
 * ```
 */
export async function appleClientSecret(
  account: AppleAccount,
  now: number = Date.now(),
): Promise<string> {
  checkNames(account, ACCOUNT);
  const { clientId, teamId, keyId, key, lifetime = LIFETIME } = account;
  const required = { clientId, teamId, keyId, key };
  for (const [name, value] of Object.entries(required)) {
    if (!value) {
      throw invalid(`Cannot sign the client secret: ${name} is missing`);
    }
  }
  if (!(lifetime > 0 && lifetime <= MAX_LIFETIME)) {
    throw invalid(
      `Cannot sign the client secret: lifetime is ${lifetime}; it must be above 0, and at most ${MAX_LIFETIME}`,
    );
  }
  const iat = Math.floor(now / 1000);
  return await signJwt(
    { iss: teamId, iat, exp: iat + lifetime, aud: AUDIENCE, sub: clientId },
    { algorithm: "ES256", key, kid: keyId },
  );
}
