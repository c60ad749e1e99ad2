/**
 * Values in cookies, encrypted and authenticated.
 *
 * @module
 */
import { type AesKey, decrypt, encrypt, importKeys } from "../aes_gcm.ts";
import { checkSeconds } from "../seconds.ts";
import type { FillRandom } from "./new_flow.ts";
import { invalid } from "../type_error.ts";

/**
 * Key of 256 bits: 32 bytes, their text as base64, base64url or hex, or a
 * CryptoKey of AES-GCM.
 */
export type SealKey = AesKey;

/** Options of {@linkcode seal} and {@linkcode unseal}. */
export interface UnsealOptions {
  /** Name of the value, e.g. of its cookie. */
  name: string;
  /**
   * Returns the time in milliseconds since 1970.
   *
   * @default {Date.now}
   */
  clock?: (() => number) | undefined;
}

/** Options of {@linkcode seal}. */
export interface SealOptions extends UnsealOptions {
  /**
   * Seconds for which the value may be unsealed.
   *
   * @default {600}
   */
  maxAge?: number | undefined;
  /**
   * Fills an array with random bytes.
   *
   * @default {crypto.getRandomValues}
   */
  random?: FillRandom | undefined;
}

/** Longest text to unseal; browsers keep 4 kB. */
const MAX_TEXT = 64 * 1024;
/** Most cookies of one name to try. */
const MAX_COOKIES = 4;

/**
 * Encrypts a value as text for a cookie (AES-256-GCM with a random IV). It can
 * be unsealed only under the same name, until it expires. `value` is what
 * `JSON.stringify` accepts. Of several keys, the first is used.
 *
 * @throws {TypeError} If the key has not 256 bits, `maxAge` is not a number of
 * seconds, or the value has no JSON.
 *
 * @example
 * ```ts
 * import { seal, unseal } from "@carteiro/oauth2/sign-in";
 *
 * const key = crypto.getRandomValues(new Uint8Array(32));
 * const text = await seal({ sub: "ana" }, key, { name: "user", maxAge: 3600 });
 * const user = await unseal<{ sub: string }>(text, key, { name: "user" });
 * console.assert(user?.sub === "ana");
 * console.assert(await unseal(text, key, { name: "other" }) === undefined);
 * ```
 */
export async function seal(
  value: unknown,
  keys: SealKey | readonly SealKey[],
  options: SealOptions,
): Promise<string> {
  const { name, maxAge = 600, clock = Date.now, random } = options;
  checkName(name);
  checkSeconds("maxAge", maxAge);
  const json = JSON.stringify(value);
  if (json === undefined) {
    throw invalid("Cannot seal the value: it has no JSON");
  }
  const [key] = await importKeys(keys, "encrypt");
  const expiresAt = Math.floor(clock() / 1000 + maxAge);
  return await encrypt(
    `${expiresAt} ${json}`,
    key!,
    contextOf(name),
    random,
  );
}

/**
 * Decrypts a value: a text, or the cookie `name` of a request. Returns
 * undefined, as without a cookie, if the text is missing, changed, expired, or
 * sealed under another name or with none of the keys. `T` is the type of the
 * value; it is not checked.
 *
 * Of several cookies of the name, the first valid one counts. A subdomain can
 * set one in front of it, unless the name begins with `__Host-`.
 *
 * @throws {TypeError} If a key has not 256 bits, or `text` is neither text nor
 * a `Request`.
 */
export async function unseal<T = unknown>(
  text: string | Request | null | undefined,
  keys: SealKey | readonly SealKey[],
  options: UnsealOptions,
): Promise<T | undefined> {
  const { name, clock = Date.now } = options;
  checkName(name);
  const imported = await importKeys(keys, "decrypt");
  const texts = typeof text === "string" ? [text] : cookiesOf(text, name);
  for (const sealed of texts.filter(({ length }) => length <= MAX_TEXT)) {
    for (const key of imported) {
      const opened = await decrypt(sealed, key, contextOf(name));
      const [, expiresAt, json] = /^(\d+) (.*)$/s.exec(opened ?? "") ?? [];
      if (json === undefined || Number(expiresAt) * 1000 <= clock()) continue;
      return JSON.parse(json);
    }
  }
  return undefined;
}

/** Lists the values of a cookie (RFC 6265 section 4.2.1). */
function cookiesOf(
  request: Request | null | undefined,
  name: string,
): string[] {
  if (request === undefined || request === null) return [];
  // A request of Node has plain headers.
  if (typeof request.headers?.get !== "function") {
    throw invalid(
      "Cannot use the request: unseal needs text, such as the value of the cookie, or a Request",
    );
  }
  return (request.headers.get("cookie") ?? "").split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, MAX_COOKIES)
    .map((pair) => pair.slice(name.length + 1));
}

function contextOf(name: string): string {
  return `carteiro seal ${name}`;
}

function checkName(name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw invalid("Cannot seal or unseal a value: name must be text");
}
