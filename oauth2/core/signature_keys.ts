import {
  findAlgorithm,
  type SignatureAlgorithm,
} from "./signature_algorithms.ts";
import { isCryptoKey } from "./web_crypto.ts";

/** Minimum length of an RSA key (RFC 7518 sections 3.3 and 3.5). */
const MIN_RSA_BITS = 2048;

/** Use of a key, and the algorithm that it is for. */
interface KeyUse extends Pick<SignatureAlgorithm, "parameters"> {
  readonly alg: string;
  readonly usage: "sign" | "verify";
  readonly format: "raw" | "pkcs8";
}

/**
 * Imports a key for one algorithm and use: a CryptoKey, a KeyObject of Node, a
 * JWK, or the bytes of a secret or, with `format`, of a private key.
 *
 * @throws {Error} If the algorithm is not supported, or the key is not for it.
 * The message does not show the key.
 */
export async function importKey(
  key: object,
  alg: string,
  usage: "sign" | "verify",
  format: "raw" | "pkcs8" = "raw",
): Promise<CryptoKey> {
  const { parameters } = findAlgorithm(alg) ?? {};
  if (!parameters) throw new Error(`the algorithm "${alg}" is not supported`);
  const use = { alg, usage, parameters, format };
  // The messages of the platforms differ, and may be empty.
  const imported = await toCryptoKey(key, use).catch(() => undefined);
  if (imported && fits(imported, use)) return imported;
  throw new Error(`the key cannot ${usage} with ${alg}`);
}

/** Converts a key. Web Crypto refuses one of another type or for another use. */
async function toCryptoKey(
  key: object,
  use: KeyUse,
): Promise<CryptoKey | undefined> {
  const { alg, usage, parameters, format } = use;
  const { subtle } = crypto;
  if (isCryptoKey(key)) return key;
  if (key instanceof Uint8Array) {
    // Other raw keys are public ones of elliptic curves.
    return format === "raw" && parameters.name !== "HMAC"
      ? undefined
      : await subtle.importKey(
        format,
        Uint8Array.from(key),
        parameters,
        false,
        [
          usage,
        ],
      );
  }
  if (isKeyObject(key)) {
    return await toCryptoKey(key.export({ format: "jwk" }), use);
  }
  const { alg: declared = alg, ext: _, ...jwk } = key as JsonWebKey;
  return declared === alg
    ? await subtle.importKey("jwk", jwk, parameters, false, [usage])
    : undefined;
}

function fits(
  { algorithm, usages }: CryptoKey,
  { usage, parameters }: KeyUse,
): boolean {
  const { name, hash, namedCurve, modulusLength = MIN_RSA_BITS } =
    algorithm as Partial<RsaHashedKeyAlgorithm & EcKeyAlgorithm>;
  return name === parameters.name && namedCurve === parameters.namedCurve &&
    (hash === undefined || hash.name === parameters.hash) &&
    usages.includes(usage) && modulusLength >= MIN_RSA_BITS;
}

interface KeyObject {
  export(options: { format: "jwk" }): object;
}

function isKeyObject(key: object): key is KeyObject {
  return "export" in key && typeof key.export === "function";
}
