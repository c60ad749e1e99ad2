/**
 * Store in the memory of the process.
 *
 * @module
 */
import type { TokenStore } from "../manager/store.ts";

/** Store in the memory of the process, e.g. for tests. */
export class MemoryStore implements TokenStore {
  readonly #values = new Map<string, string>();

  /** Returns the value of a key. */
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  /** Sets the value of a key; undefined deletes it. */
  set(key: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    return Promise.resolve();
  }

  /** Sets the value of a key if it has the expected value. */
  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    if (this.#values.get(key) !== expected) return false;
    await this.set(key, value);
    return true;
  }
}
