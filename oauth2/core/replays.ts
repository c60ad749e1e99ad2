import { checkNames, knownNames } from "./names.ts";

/**
 * Store of used JWTs, which all processes of a server share: DPoP proofs and
 * logout tokens.
 */
export interface ReplayStore {
  /**
   * Adds a key and returns true, or returns false if it was already there. The
   * two must be one atomic operation, e.g. `SET key 1 NX EXAT expiresAt` of
   * Redis. `expiresAt` is in seconds since 1970; the key may be removed then.
   */
  add(key: string, expiresAt: number): boolean | Promise<boolean>;
  /**
   * Removes a key, so that a logout that failed can be repeated. Without it,
   * the server has to send another logout token.
   */
  delete?(key: string): unknown;
}

const OPTIONS = knownNames(["clock", "maxEntries"]);

/**
 * Store of used JWTs in the memory of one process. At its maximum, the oldest
 * key is evicted.
 */
export class MemoryReplays implements ReplayStore {
  #expiries = new Map<string, number>();
  #clock: () => number;
  #maxEntries: number;

  /**
   * Creates a store; `clock` returns milliseconds since 1970.
   *
   * @throws {TypeError} If an option is unknown.
   */
  constructor(
    options: { clock?: () => number; maxEntries?: number } = {},
  ) {
    checkNames(options, OPTIONS);
    const { clock = Date.now, maxEntries = 100_000 } = options;
    this.#clock = clock;
    this.#maxEntries = maxEntries;
  }

  /** Number of keys. */
  get size(): number {
    return this.#expiries.size;
  }

  /** Adds a key and returns true, or returns false if it was already there. */
  add(key: string, expiresAt: number): boolean {
    this.#removeExpired();
    if (this.#expiries.has(key)) return false;
    this.#expiries.set(key, expiresAt);
    if (this.#expiries.size > this.#maxEntries) {
      const [oldest] = this.#expiries.keys();
      this.#expiries.delete(oldest!);
    }
    return true;
  }

  /** Removes a key. */
  delete(key: string): void {
    this.#expiries.delete(key);
  }

  /** Removes the expired keys at the front: they expire nearly in order. */
  #removeExpired(): void {
    const now = this.#clock() / 1000;
    for (const [key, expiresAt] of this.#expiries) {
      if (expiresAt > now) return;
      this.#expiries.delete(key);
    }
  }
}
