/**
 * Claims of the right to renew a token.
 *
 * @module
 */
import type { KeeperSettings } from "./keeper_settings.ts";
import type { TokenRecord } from "./record.ts";
import type { Stored } from "./slot.ts";

/**
 * Part of a claim after the timeout of its request, and shortest time in which
 * a claim expires after its first read or an outage, in milliseconds. Within it,
 * a process that has a new token tries several times to save it.
 */
const RESERVE = 15_000;
/** Longest time to store a claim in milliseconds. */
const MAX_CLAIM_TIME = 5000;
/**
 * Claims of one process. A claim is part of the record, set by
 * compare-and-swap. It lasts as long as a refresh and several attempts to save
 * the new token.
 */
export class Claims {
  readonly #settings: KeeperSettings;
  /** Revision of a claim under which no request was sent. */
  #unused: string | undefined;
  /** Last record, and the time at which its claim expires. */
  #seen = { revision: "", until: 0 };
  #hasFailed = false;

  constructor(settings: KeeperSettings) {
    this.#settings = settings;
  }

  /** Notes that the store failed: others may not have been able to save. */
  noteFailure(): void {
    this.#hasFailed = true;
  }

  /** Time until which another process may renew the token, or 0. */
  claimedUntil({ revision, claimed_until }: TokenRecord): number {
    if (claimed_until === undefined || revision === this.#unused) return 0;
    const isSeen = revision === this.#seen.revision;
    if (!isSeen || this.#hasFailed) {
      const now = this.#settings.client.now();
      // The clock of the other process may be wrong.
      const until = isSeen
        ? this.#seen.until
        : Math.min(claimed_until, now + this.#lifetime);
      this.#seen = { revision, until: Math.max(until, now + RESERVE) };
      this.#hasFailed = false;
    }
    return this.#seen.until;
  }

  get #lifetime(): number {
    return this.#settings.timeout + RESERVE;
  }

  /** Claims a record. Returns undefined if another process has changed it. */
  async claim(stored: Stored | undefined): Promise<Stored | undefined> {
    const { slot, binding, client, random } = this.#settings;
    const { retry_at: _, ...record }: Partial<TokenRecord> = stored?.record ??
      {};
    const revision = this.#unused = random();
    const start = client.now();
    const claim = await slot.swap(stored, {
      ...binding,
      session: random(),
      ...record,
      revision,
      claimed_until: start + this.#lifetime,
    });
    // The request must end before the claim, also by another clock.
    return client.now() - start > MAX_CLAIM_TIME ? undefined : claim;
  }

  /** Marks a claim as used, before its request is sent. */
  use(): void {
    this.#unused = undefined;
  }

  /**
   * Gives a claim back, and changes the record. Returns undefined if another
   * process has changed it.
   */
  async release(
    claim: Stored,
    changes: Partial<TokenRecord>,
  ): Promise<Stored | undefined> {
    const { slot, random } = this.#settings;
    const { claimed_until: _, ...record } = claim.record;
    return await slot.swap(claim, {
      ...record,
      ...changes,
      revision: random(),
    });
  }
}
