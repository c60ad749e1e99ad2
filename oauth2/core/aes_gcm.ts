import { fromBase64, fromBase64Url, toBase64Url } from "./base64.ts";
import { invalid } from "./type_error.ts";
import { isCryptoKey, type WebCryptoKey } from "./web_crypto.ts";

/**
 * Key of 256 bits: 32 bytes, their text as base64, base64url or hex, or a
 * CryptoKey of AES-GCM. `openssl rand -base64 32` prints one.
 */
export type AesKey = WebCryptoKey | Uint8Array | string;

/** First byte of an encrypted text. */
const VERSION = 1;
const IV_BYTES = 12;
const NAME = "AES-GCM";
const REFUSAL =
  "Cannot use the key: it must be 32 bytes, their base64 or hex, or a CryptoKey of AES-GCM with 256 bits";

type Usage = "encrypt" | "decrypt";

/**
 * Checks keys, and copies their bytes. The first key needs all usages; the
 * others are old ones, and only decrypt.
 *
 * @throws {TypeError} If there is no key, or one has not 256 bits or not the
 * usage.
 */
export function checkKeys(
  keys: AesKey | readonly AesKey[],
  ...usages: Usage[]
): (CryptoKey | Uint8Array<ArrayBuffer>)[] {
  const list: unknown[] = Array.isArray(keys) ? keys : [keys];
  if (list.length === 0) throw invalid(REFUSAL);
  return list.map((key, i) => {
    const bytes = typeof key === "string" ? bytesOf(key) : key;
    if (isCryptoKey(bytes)) {
      const { name, length } = bytes.algorithm as AesKeyAlgorithm;
      if (name !== NAME || length !== 256) throw invalid(REFUSAL);
      const missing = usagesOf(i, usages)
        .find((usage) => !bytes.usages.includes(usage));
      if (missing === undefined) return bytes;
      throw invalid(
        `Cannot use the key: its usages must include "${missing}"`,
      );
    }
    if (bytes instanceof Uint8Array && bytes.length === 32) {
      return Uint8Array.from(bytes);
    }
    throw invalid(REFUSAL);
  });
}

/**
 * Imports keys.
 *
 * @throws {TypeError} In the cases of {@linkcode checkKeys}.
 */
export async function importKeys(
  keys: AesKey | readonly AesKey[],
  ...usages: Usage[]
): Promise<CryptoKey[]> {
  return await Promise.all(
    checkKeys(keys, ...usages).map(async (key, i) =>
      isCryptoKey(key) ? key : await crypto.subtle.importKey(
        "raw",
        key,
        NAME,
        false,
        usagesOf(i, usages),
      )
    ),
  );
}

function usagesOf(index: number, usages: Usage[]): Usage[] {
  return index === 0 ? usages : ["decrypt"];
}

/** Encrypts a text, with a random IV. It can be decrypted in its context. */
export async function encrypt(
  text: string,
  key: CryptoKey,
  context: string,
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown = (bytes) =>
    crypto.getRandomValues(bytes),
): Promise<string> {
  const iv = new Uint8Array(IV_BYTES);
  random(iv);
  const encrypted = await crypto.subtle.encrypt(
    parameters(iv, context),
    key,
    new TextEncoder().encode(text),
  );
  return toBase64Url(
    Uint8Array.of(VERSION, ...iv, ...new Uint8Array(encrypted)),
  );
}

/**
 * Decrypts a text. Returns undefined if it was changed, or encrypted with
 * another key or in another context.
 */
export async function decrypt(
  encrypted: string,
  key: CryptoKey,
  context: string,
): Promise<string | undefined> {
  const bytes = fromBase64Url(encrypted);
  if (bytes?.[0] !== VERSION) return undefined;
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const data = bytes.subarray(1 + IV_BYTES);
  try {
    const text = await crypto.subtle.decrypt(
      parameters(iv, context),
      key,
      data,
    );
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  } catch {
    return undefined;
  }
}

function parameters(
  iv: Uint8Array<ArrayBuffer>,
  context: string,
): AesGcmParams {
  const additionalData = new TextEncoder().encode(context);
  return { name: NAME, iv, additionalData };
}

/** Decodes a key; 64 characters are hex, because base64 has 43 or 44. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  const line = text.trim();
  if (!/^[\da-f]{64}$/i.test(line)) return fromBase64(line);
  return Uint8Array.from(line.match(/../g)!, (pair) => parseInt(pair, 16));
}
