import {
  type AesKey,
  checkKeys,
  decrypt,
  encrypt,
  importKeys,
} from "../core/aes_gcm.ts";
import { Inspectable } from "../core/inspectable.ts";
import { TokenManagerError } from "../manager/manager_error.ts";
import type { TokenStore } from "../manager/store.ts";
import { checkMethods } from "./store_options.ts";

/**
 * Store that encrypts the values of another one by AES-256-GCM. A value is
 * bound to its key in the store: moved to another one, it is refused.
 *
 * To rotate keys, pass the new key before the old ones: the first encrypts, and
 * all decrypt.
 *
 * @example
 * ```ts
 * import { EncryptedStore, MemoryStore } from "@carteiro/oauth2/stores";
 *
 * const inner = new MemoryStore();
 * const key = crypto.getRandomValues(new Uint8Array(32));
 * const store = new EncryptedStore(inner, key);
 * await store.set("ana", "secret");
 * console.assert(await store.get("ana") === "secret");
 * console.assert(!(await inner.get("ana"))!.includes("secret"));
 * ```
 */
export class EncryptedStore extends Inspectable implements TokenStore {
  readonly #store: TokenStore;
  readonly #keys: readonly AesKey[];
  #imported: Promise<CryptoKey[]> | undefined;
  /** Present if the other store has it. */
  readonly compareAndSwap?: NonNullable<TokenStore["compareAndSwap"]>;
  /** Present if the other store has it. */
  readonly lock?: NonNullable<TokenStore["lock"]>;

  /**
   * Wraps a store.
   *
   * @throws {TypeError} If there is no store or no key, or one has not 256 bits.
   */
  constructor(store: TokenStore, keys: AesKey | readonly AesKey[]) {
    super();
    checkMethods(store, "get");
    this.#store = store;
    this.#keys = checkKeys(keys, "decrypt", "encrypt");
    if (store.compareAndSwap) {
      this.compareAndSwap = (...args) => this.#compareAndSwap(...args);
    }
    if (store.lock) this.lock = (key, run) => store.lock!(key, run);
  }

  /**
   * Returns the value of a key.
   *
   * @throws {TokenManagerError} If no key decrypts it.
   */
  async get(key: string): Promise<string | undefined> {
    return await this.#decrypt(key, await this.#store.get(key));
  }

  /** Sets the value of a key; undefined deletes it. */
  async set(key: string, value: string | undefined): Promise<void> {
    await this.#store.set(key, await this.#encrypt(key, value));
  }

  /** Returns nothing: keys and values are secret. */
  override toJSON(): Record<string, unknown> {
    return {};
  }

  async #compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    const stored = await this.#store.get(key) ?? undefined;
    try {
      if (await this.#decrypt(key, stored) !== expected) return false;
    } catch (error) {
      // A login may replace a value that no key decrypts.
      if (expected !== undefined) throw error;
    }
    const encrypted = await this.#encrypt(key, value);
    return await this.#store.compareAndSwap!(key, stored, encrypted);
  }

  async #encrypt(
    name: string,
    value: string | undefined,
  ): Promise<string | undefined> {
    if (value === undefined) return undefined;
    const [key] = await this.#import();
    return await encrypt(value, key!, contextOf(name));
  }

  async #decrypt(
    name: string,
    text: string | null | undefined,
  ): Promise<string | undefined> {
    if (text === undefined || text === null) return undefined;
    for (const key of await this.#import()) {
      const value = await decrypt(text, key, contextOf(name));
      if (value !== undefined) return value;
    }
    throw new TokenManagerError(
      "Cannot decrypt the stored token: it has another key or name, or is not encrypted",
      { code: "unreadable_token", kind: "store" },
    );
  }

  #import(): Promise<CryptoKey[]> {
    return this.#imported ??= importKeys(this.#keys, "decrypt", "encrypt");
  }
}

/** Context that binds a value to its name. */
function contextOf(name: string): string {
  return `carteiro store ${name}`;
}
