import type { TokenStore } from "../manager/store.ts";
import { readTtl, type TtlOptions } from "./store_options.ts";

/** Options of a {@linkcode MemoryStore}. */
export type MemoryStoreOptions = TtlOptions;

interface Entry {
  readonly value: string;
  readonly expiresAt: number;
}

/** Store in the memory of the process, e.g. for tests. */
export class MemoryStore implements TokenStore {
  /** Entries in the order of their last change, and so of their expiry. */
  readonly #entries = new Map<string, Entry>();
  readonly #lifetime: number;
  readonly #clock: () => number;

  /**
   * Creates an empty store.
   *
   * @throws {TypeError} If an option is unknown, or ttl is not a whole number,
   * 1 or more.
   */
  constructor(options: MemoryStoreOptions = {}) {
    const { lifetime, clock } = readTtl(options);
    this.#lifetime = lifetime;
    this.#clock = clock;
  }

  /** Returns the value of a key. */
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#read(key));
  }

  /** Sets the value of a key; undefined deletes it. */
  set(key: string, value: string | undefined): Promise<void> {
    const now = this.#clock();
    for (const [name, { expiresAt }] of this.#entries) {
      if (expiresAt > now) break;
      this.#entries.delete(name);
    }
    // Moves it to the end.
    this.#entries.delete(key);
    if (value !== undefined) {
      this.#entries.set(key, { value, expiresAt: now + this.#lifetime });
    }
    return Promise.resolve();
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    if (this.#read(key) !== expected) return false;
    await this.set(key, value);
    return true;
  }

  #read(key: string): string | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expiresAt > this.#clock() ? entry.value : undefined;
  }
}
