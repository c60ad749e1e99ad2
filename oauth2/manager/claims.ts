import type { ManagerSettings } from "./options.ts";
import { REVOKED, type TokenRecord, unclaimed } from "./record.ts";
import { discard } from "./refresh.ts";
import { type Decision, Stored } from "./slot.ts";

/**
 * Part of a claim after the timeout of its request, and shortest time in which
 * a claim expires after its first read or an outage, in milliseconds. Within it,
 * a process that has a new token tries several times to save it.
 */
const RESERVE = 15_000;
/** Longest time to store a claim in milliseconds. */
const MAX_CLAIM_TIME = 5000;
/** Milliseconds between two reads while another process renews the token. */
const FIRST_POLL = 50;
const LAST_POLL = 1000;

/** Returns the time to the next read, while another process has a claim. */
export function pollAfter(round: number): number {
  return Math.min(FIRST_POLL * 2 ** round, LAST_POLL);
}

/**
 * End of a claim: the store has the record (`done`), another token of the same
 * session (`replaced`, by a process that believed that this one had ended), or
 * the session is over (`lost`).
 */
export type Settled = "done" | "replaced" | "lost";

/**
 * Claims of one process. A claim is part of the record, set by
 * compare-and-swap. It lasts as long as a refresh and several attempts to save
 * the new token.
 */
export class Claims {
  readonly #settings: ManagerSettings;
  /** Id of a claim under which no request was sent. */
  #unused: string | undefined;
  /** Last claim, and the time at which it expires. */
  #seen = { claim: "", until: 0 };
  #hasFailed = false;

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
  }

  /** Notes that the store failed: others may not have been able to save. */
  noteFailure(): void {
    this.#hasFailed = true;
  }

  /** Time until which another process may renew the token, or 0. */
  claimedUntil({ revision, claim = revision, claimed_until }: TokenRecord) {
    if (claimed_until === undefined || claim === this.#unused) return 0;
    const isSeen = claim === this.#seen.claim;
    if (!isSeen || this.#hasFailed) {
      const now = this.#settings.client.now();
      // The clock of the other process may be wrong.
      const until = isSeen
        ? this.#seen.until
        : Math.min(claimed_until, now + this.#lifetime);
      this.#seen = { claim, until: Math.max(until, now + RESERVE) };
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
    // With a grant, a token that is to be revoked is followed by a new session.
    const isRevoked = stored?.record.ended === REVOKED;
    const { retry_at: _, ...record }: Partial<TokenRecord> = isRevoked
      ? {}
      : stored?.record ?? {};
    const claim = this.#unused = random();
    const start = client.now();
    const claimed = new Stored({
      ...binding,
      session: random(),
      ...record,
      revision: random(),
      claim,
      claimed_until: start + this.#lifetime,
    });
    // The request must end before the claim, also by another clock.
    return await slot.swap(stored, claimed) &&
        client.now() - start <= MAX_CLAIM_TIME
      ? claimed
      : undefined;
  }

  /** Marks a claim as used, before its request is sent. */
  use(): void {
    this.#unused = undefined;
  }

  /**
   * Ends a claim: puts the next record in its place. If the session is over, the
   * new refresh token is revoked, which a process that revokes the session
   * awaits.
   *
   * @throws {TokenManagerError} If the store fails.
   */
  async settle(claim: Stored, next: TokenRecord): Promise<Settled> {
    const settings = this.#settings;
    let settled: Settled = "lost";
    const stored = await settings.slot.change((stored): Decision => {
      settled = "lost";
      if (!stored || !isSession(stored, next)) return "keep";
      // A swap that failed may have been done.
      const isDone = stored.record.revision === next.revision;
      const isNext = isDone || isReplaceable(stored, claim, next);
      settled = isNext ? "done" : "replaced";
      return isNext && !isDone ? next : "keep";
    });
    if (settled !== "lost") return settled;
    const isRevoked = await discard(settings, next, claim.record);
    if (stored?.session === next.session) {
      await this.#yield(claim, isRevoked ? {} : { token: next.token });
    }
    return settled;
  }

  /** Gives a claim to the process that revokes the session. */
  async #yield(claim: Stored, changes: Partial<TokenRecord>): Promise<void> {
    const { slot, random, report } = this.#settings;
    try {
      await slot.change((stored) =>
        stored && stored.session === claim.session &&
          stored.record.claim === claim.record.claim
          ? { ...unclaimed(stored.record), ...changes, revision: random() }
          : "keep"
      );
    } catch (error) {
      // The claim expires.
      report(error);
    }
  }
}

/** Returns true if a session goes on in the store. */
function isSession(stored: Stored, { session }: TokenRecord): boolean {
  return stored.session === session && stored.record.ended !== REVOKED;
}

/**
 * Returns true for the claim, and for a new token also if another process
 * believes that this one has ended: it has tried to use, or will, the refresh
 * token that is used up.
 */
function isReplaceable(
  { text, record }: Stored,
  claim: Stored,
  next: TokenRecord,
): boolean {
  if (text === claim.text) return true;
  if (!next.token || next.retry_at !== undefined) return false;
  return record.ended !== undefined ||
    JSON.stringify(record.token) === JSON.stringify(claim.record.token);
}
