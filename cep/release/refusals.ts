/** Polls between two tries of an unusable release, at most. */
const MAX_SKIPPED = 64;

/** Unusable release, which is tried again after twice as many polls each time. */
export class Refusals {
  #name: string | undefined;
  #skipped = 0;
  #left = 0;

  /** Counts a poll. Returns true if it does not try a release. */
  skips(name: string): boolean {
    return this.#name === name && this.#left-- > 0;
  }

  /** Adds a failed try of a release. */
  add(name: string): void {
    const isSame = this.#name === name;
    this.#name = name;
    this.#skipped = isSame ? Math.min(2 * this.#skipped, MAX_SKIPPED) : 1;
    this.#left = this.#skipped;
  }

  /** Forgets the release. */
  clear(): void {
    this.#name = undefined;
  }
}
