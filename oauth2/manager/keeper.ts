/**
 * Keeper of a token: its renewal, once for all callers and processes.
 *
 * @module
 */
import type { AccessToken } from "../token.ts";
import { adoptStored, isStoreFailure } from "./adopt_stored.ts";
import { MAX_RETRY_AFTER } from "./backoff.ts";
import { bindingOf, checkBinding } from "./binding.ts";
import { Claims } from "./claims.ts";
import { HeldState } from "./held_state.ts";
import { HeldToken } from "./held_token.ts";
import type { KeeperSettings } from "./keeper_settings.ts";
import {
  checkRefreshable,
  isFinal,
  loginRequired,
  SESSION_ENDED,
} from "./login_required.ts";
import { TokenManagerError } from "./manager_error.ts";
import type { TokenRecord } from "./record.ts";
import { recordOf, requestToken } from "./request_token.ts";
import { retireRecord } from "./retire_record.ts";
import { saveRecord } from "./save_record.ts";
import type { Stored } from "./slot.ts";
import { withSignal } from "../with_signal.ts";

/** Token that the store failed to save. */
interface Unsaved {
  readonly record: TokenRecord;
  /** Record that it replaces. */
  readonly parent: Stored;
  /** Time of the next attempt. */
  readonly retryAt: number;
}

/** Maximum number of rounds of a renewal: others may renew all the time. */
const MAX_ROUNDS = 1000;
/** Maximum number of claims in a row that a store refuses. */
const MAX_REFUSALS = 10;
/** Milliseconds between two attempts to use a store that failed. */
const STORE_INTERVAL = 1000;
/** Maximum number of attempts to save a token without a call. */
const MAX_RETRIES = 600;
/** Milliseconds between two reads while another process renews the token. */
const FIRST_POLL = 50;
const LAST_POLL = 1000;

function pollAfter(round: number): number {
  return Math.min(FIRST_POLL * 2 ** round, LAST_POLL);
}

/**
 * Keeps a token valid. A process claims the record in the store before it sends
 * the refresh token, which is therefore never in use twice.
 */
export class TokenKeeper {
  readonly #settings: KeeperSettings;
  readonly #state: HeldState;
  readonly #claims: Claims;
  #renewal: Promise<HeldToken> | undefined;
  #unsaved: Unsaved | undefined;

  constructor(settings: KeeperSettings) {
    this.#settings = settings;
    this.#state = new HeldState(settings);
    this.#claims = new Claims(settings);
  }

  /** Token, unless it is time to renew or save it. */
  get fresh(): HeldToken | undefined {
    const { held, now } = this.#state;
    return held && now < held.renewAt && !this.#unsaved ? held : undefined;
  }

  /**
   * Returns a valid token other than the rejected one. Concurrent callers share
   * the renewal, which continues if they leave.
   *
   * @throws {TokenManagerError} If no valid token can be had.
   */
  async get(
    signal?: AbortSignal | undefined,
    rejected?: string,
  ): Promise<HeldToken> {
    for (;;) {
      signal?.throwIfAborted();
      const usable = this.#state.usable(rejected);
      const isShared = this.#renewal !== undefined;
      // Only the first caller waits for the renewal of a valid token.
      if (usable && (isShared || usable === this.fresh)) return usable;
      const renewed = await withSignal(this.#renew(rejected), signal);
      // The caller that began the renewal may not have rejected the token.
      if (!isShared || renewed.token.token !== rejected) return renewed;
    }
  }

  /** Stores the token of a login. */
  async set(token: AccessToken): Promise<void> {
    const { client, binding, random, slot } = this.#settings;
    checkBinding(bindingOf(token.client, []), binding);
    const session = random();
    const record = recordOf(token, { ...binding, session }, this.#settings);
    // Throws if the token cannot be restored.
    new HeldToken(client, record, 0);
    await slot.write(record);
    this.#forget();
    this.#state.adopt(record);
  }

  /** Returns the record of the store, or the one that it failed to save. */
  async read(): Promise<TokenRecord | undefined> {
    // A request in flight would leave a token that is not revoked.
    await this.#renewal?.catch(() => {});
    const { client, binding, slot } = this.#settings;
    checkBinding(bindingOf(client, []), binding);
    const record = this.#unsaved?.record ?? (await slot.read())?.record;
    if (record) checkBinding(record, binding);
    return record;
  }

  /**
   * Ends the session, but keeps its token in the store until it is revoked.
   * Returns the record.
   */
  async retire(): Promise<TokenRecord | undefined> {
    const record = await this.read();
    if (!record?.token) return undefined;
    const { slot, random } = this.#settings;
    const retired = await retireRecord(slot, record, random());
    this.#forget();
    return retired;
  }

  /** Deletes the token from the store. */
  async clear(): Promise<void> {
    this.#forget();
    await this.#settings.slot.write(undefined);
    this.#forget();
  }

  /**
   * Saves the token that the store failed to save, if any.
   *
   * @throws {TokenManagerError} If the store fails again.
   */
  async save(): Promise<void> {
    await this.#renewal?.catch(() => {});
    if (!this.#unsaved) return;
    const { record, parent } = this.#unsaved;
    await saveRecord(this.#settings.slot, record, parent);
    // The next call reads the store.
    if (this.#unsaved?.record === record) {
      this.#state.held = this.#unsaved = undefined;
    }
  }

  #forget(): void {
    this.#unsaved = undefined;
    this.#state.forget();
  }

  #renew(rejected: string | undefined): Promise<HeldToken> {
    const renewal = this.#renewal ??= this.#run(rejected).finally(() => {
      this.#renewal = undefined;
    });
    // Every caller may leave before it fails.
    renewal.catch(() => {});
    return renewal;
  }

  async #run(rejected: string | undefined): Promise<HeldToken> {
    const { grant, report } = this.#settings;
    try {
      return await (this.#unsaved
        ? this.#runUnsaved(this.#unsaved, rejected)
        : this.#runStored(rejected));
    } catch (error) {
      const isOfStore = isStoreFailure(error);
      if (isOfStore) this.#claims.noteFailure();
      const state = this.#state;
      const usable = state.usable(rejected);
      // A grant needs nothing that is in the store.
      if (!isOfStore || !usable && !grant) throw error;
      report(error);
      usable?.postpone(state.now + STORE_INTERVAL);
      return usable ??
        await this.#request(undefined, rejected, (it) => state.hold(it));
    }
  }

  /** Renews the token of the store. */
  async #runStored(rejected: string | undefined): Promise<HeldToken> {
    const { wait, grant } = this.#settings;
    const state = this.#state;
    for (let round = 0, refusals = 0; round < MAX_ROUNDS; round++) {
      const { changes } = state;
      const stored = await adoptStored(this.#settings, state);
      if (changes !== state.changes) continue;
      const record = stored?.record;
      const { now } = state;
      const usable = state.usable(rejected);
      if (usable && now < usable.renewAt) return usable;
      if (!grant) checkRefreshable(record);
      const { retry_at = 0 } = record ?? {};
      // A later time is that of a wrong clock.
      if (now < retry_at && retry_at <= now + MAX_RETRY_AFTER) {
        return state.failUntil(retry_at, rejected);
      }
      const claimedUntil = record ? this.#claims.claimedUntil(record) : 0;
      if (now < claimedUntil) {
        usable?.postpone(now + STORE_INTERVAL);
        if (usable) return usable;
        await wait(Math.min(pollAfter(round), claimedUntil - now));
        continue;
      }
      const claim = await this.#claims.claim(stored);
      const renewed = claim && await this.#renewClaimed(claim, rejected);
      if (renewed) return renewed;
      // The first refusal is that of a record that has changed.
      if (claim) refusals = 0;
      else if (++refusals > MAX_REFUSALS) break;
      else if (refusals > 1) await wait(pollAfter(refusals));
    }
    throw new TokenManagerError(
      "Cannot store the token: the store refuses every swap",
      { code: "store_failed", kind: "store", retryable: true },
    );
  }

  /**
   * Requests and saves a new token. Returns undefined if the store has another
   * one meanwhile.
   */
  async #renewClaimed(
    claim: Stored,
    rejected: string | undefined,
  ): Promise<HeldToken | undefined> {
    this.#claims.use();
    const state = this.#state;
    const { changes } = state;
    let record: TokenRecord;
    try {
      record = await requestToken(this.#settings, claim.record);
    } catch (error) {
      if (isFinal(error) && !this.#settings.grant) {
        return await this.#end(error, claim);
      }
      const retry_at = state.fail(error);
      await this.#claims.release(claim, { retry_at }).catch(() => {});
      if (changes !== state.changes) return undefined;
      return state.failUntil(retry_at, rejected);
    }
    state.backoff.succeed();
    // Saved before it is handed out, unless the store fails.
    const isCurrent = await this.#save(record, claim);
    return isCurrent ? state.hold(record) : undefined;
  }

  /** Ends the session, unless another process has another token. */
  async #end(error: unknown, claim: Stored): Promise<undefined> {
    const ended = { token: undefined, ended: "invalid_grant" };
    // Swaps after a read: another process may have rotated the token.
    if (!await this.#claims.release(claim, ended)) return;
    this.#state.held = undefined;
    loginRequired(SESSION_ENDED, error);
  }

  /**
   * Saves a token, or keeps it in memory if the store fails. Returns false if
   * the token is not that of the session any more.
   */
  async #save(record: TokenRecord, parent: Stored): Promise<boolean> {
    const { slot, report } = this.#settings;
    const state = this.#state;
    const { changes } = state;
    try {
      const isSaved = await saveRecord(slot, record, parent);
      if (changes !== state.changes) return false;
      this.#unsaved = undefined;
      return isSaved;
    } catch (error) {
      if (changes !== state.changes) return false;
      const isRetrying = this.#unsaved !== undefined;
      const retryAt = state.now + STORE_INTERVAL;
      this.#unsaved = { record, parent, retryAt };
      report(error);
      if (!isRetrying) this.#retrySave().catch(() => {});
      return true;
    }
  }

  /** Saves the token even if no call follows. */
  async #retrySave(): Promise<void> {
    for (let i = 0; i < MAX_RETRIES && this.#unsaved; i++) {
      await this.#settings.wait(STORE_INTERVAL);
      // The error is reported.
      if (this.#unsaved) await this.#renew(undefined).catch(() => {});
    }
  }

  /** Renews a token that the store failed to save. */
  async #runUnsaved(
    { record, parent, retryAt }: Unsaved,
    rejected: string | undefined,
  ): Promise<HeldToken> {
    const state = this.#state;
    if (state.now >= retryAt) {
      await this.#save(record, parent);
      if (!this.#unsaved) return await this.#runStored(rejected);
    }
    const held = state.hold(record);
    if (state.usable(rejected) && state.now < held.renewAt) return held;
    if (!this.#settings.grant) checkRefreshable(record);
    // Only this process has the refresh token.
    return await this.#request(record, rejected, async (next) => {
      const isCurrent = await this.#save(next, parent);
      return isCurrent ? state.hold(next) : await this.#runStored(rejected);
    });
  }

  /** Requests a token without a claim. */
  async #request(
    parent: TokenRecord | undefined,
    rejected: string | undefined,
    use: (record: TokenRecord) => HeldToken | Promise<HeldToken>,
  ): Promise<HeldToken> {
    const state = this.#state;
    const { changes, backoff } = state;
    if (state.now < backoff.retryAt) {
      return state.failUntil(backoff.retryAt, rejected);
    }
    let record: TokenRecord | undefined;
    try {
      record = await requestToken(this.#settings, parent);
      backoff.succeed();
    } catch (error) {
      if (changes === state.changes) {
        if (!isFinal(error) || this.#settings.grant) {
          return state.failUntil(state.fail(error), rejected);
        }
        this.#forget();
        loginRequired(SESSION_ENDED, error);
      }
    }
    return record && changes === state.changes
      ? await use(record)
      : await this.#runStored(rejected);
  }
}
