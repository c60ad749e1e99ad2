import { type AesKey, decrypt, encrypt, importKeys } from "../core/aes_gcm.ts";
import { Inspectable } from "../core/inspectable.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { checkSeconds } from "../core/seconds.ts";
import type { FillRandom } from "./new_flow.ts";
import { invalid } from "../core/type_error.ts";

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
   * Seconds for which the value may be unsealed; above 0.
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

/**
 * Longest cookie in bytes, its name included. Browsers keep 4096, some of them
 * attributes included, and drop a longer one without an error.
 */
const MAX_COOKIE = 4000;
/** Options may be the same object for both. */
const OPTIONS = knownNames<SealOptions>({
  name: true,
  maxAge: true,
  clock: true,
  random: true,
});
const MAX_DEPTH = 1000;
const MAX_TEXT = 64 * 1024;
/** Most cookies of one name to try. */
const MAX_COOKIES = 4;

/**
 * Encrypts a value as text for a cookie (AES-256-GCM with a random IV). It can
 * be unsealed only under the same name, until it expires. `value` is plain data
 * as in JSON, or an object whose `toJSON` returns plain data, such as a flow;
 * members that are undefined are left out.
 *
 * To replace a key, put the new one in front: of several keys, the first seals,
 * and all unseal. Old CryptoKeys need only the usage `decrypt`.
 *
 * @throws {TypeError} If a key has not 256 bits or not its usage, `maxAge` is
 * not a number of seconds, the value would not be the same after unsealing,
 * e.g. with a Date, or its cookie would have more than 4000 bytes, which
 * browsers drop.
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
 *
 * const newKey = crypto.getRandomValues(new Uint8Array(32));
 * const same = await unseal(text, [newKey, key], { name: "user" });
 * console.assert(same !== undefined);
 * ```
 */
export async function seal(
  value: unknown,
  keys: SealKey | readonly SealKey[],
  options: SealOptions,
): Promise<string> {
  checkNames(options, OPTIONS);
  const { name, maxAge = 600, clock = Date.now, random } = options;
  checkName(name);
  checkSeconds("maxAge", maxAge);
  if (maxAge === 0) throw invalid("Cannot use maxAge 0: it must be above 0");
  checkData(value, "the value");
  const [key] = await importKeys(keys, "encrypt");
  const expiresAt = Math.ceil(clock() / 1000 + maxAge);
  const text = await encrypt(
    `${expiresAt} ${JSON.stringify(value)}`,
    key!,
    contextOf(name),
    random,
  );
  const { length } = `${name}=${text}`;
  if (length <= MAX_COOKIE) return text;
  throw invalid(
    `Cannot seal the value: its cookie "${name}" would have ${length} bytes, and browsers drop those above ${MAX_COOKIE}; keep the value in a store, and seal its id`,
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
  checkNames(options, OPTIONS);
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

/**
 * Checks that a value is the same after JSON.
 *
 * @throws {TypeError} If it is not; the message has the path of the part, and
 * not its value.
 */
function checkData(value: unknown, path: string, depth = 0): void {
  const refuse = (state: string): never => {
    throw invalid(`Cannot seal the value: ${path} ${state}`);
  };
  if (depth > MAX_DEPTH) refuse(`has more than ${MAX_DEPTH} levels`);
  if (value === null || ["string", "boolean"].includes(typeof value)) return;
  if (Number.isFinite(value)) return;
  if (typeof value !== "object") {
    refuse(`is ${typeof value === "number" ? value : typeof value}`);
  }
  if (value instanceof Inspectable) {
    refuse("is an object whose JSON is redacted; seal its toHash()");
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    const json: unknown = toJSON.call(value, "");
    if (typeof json !== "object") {
      refuse(
        `is an instance of ${value!.constructor?.name}; seal text or a number`,
      );
    }
    return checkData(json, path, depth + 1);
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      checkData(item, `${path}[${i}]`, depth + 1);
    }
    return;
  }
  // An object of another realm has another prototype, also without parent.
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    refuse(
      `is an instance of ${prototype.constructor?.name}, not plain data`,
    );
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    refuse("has a symbol as a name");
  }
  for (const [name, item] of Object.entries(value!)) {
    if (item !== undefined) checkData(item, `${path}.${name}`, depth + 1);
  }
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
