/** Number of flows to remember; more than a process completes in an hour. */
const MAX_FLOWS = 100_000;

/**
 * Memory of completed sign-ins in this process, until they expire or there are
 * too many.
 */
export class UsedFlows {
  #expiry = new Map<string, number>();

  /**
   * Marks a flow as used. Returns false if it was already. Times are in
   * seconds.
   */
  consume(state: string, expiresAt: number, now: number): boolean {
    for (const [used, expiry] of this.#expiry) {
      // In the order of use: flows behind this one are about as old.
      if (expiry > now && this.#expiry.size < MAX_FLOWS) break;
      this.#expiry.delete(used);
    }
    if (this.#expiry.has(state)) return false;
    this.#expiry.set(state, expiresAt);
    return true;
  }

  /** Marks a flow as unused. */
  forget(state: string): void {
    this.#expiry.delete(state);
  }
}
