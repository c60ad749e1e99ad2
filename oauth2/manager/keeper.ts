/**
 * Keeper of a token: its renewal, once for all callers and processes.
 */
import type { CallParams } from "../core/call_params.ts";
import type { OAuth2Response } from "../core/response.ts";
import type { AccessToken } from "../core/token.ts";
import { withSignal } from "../core/shared_call.ts";
import { invalid } from "../core/type_error.ts";
import { Claims, pollAfter } from "./claims.ts";
import {
  HeldState,
  HeldToken,
  MAX_RETRY_AFTER,
  STORE_INTERVAL,
} from "./held.ts";
import { hasCode, loginRequired } from "./manager_error.ts";
import type { ManagerSettings } from "./options.ts";
import {
  bindingOf,
  checkBinding,
  checkRefreshable,
  recordOf,
  refreshTokenOf,
  SESSION_ENDED,
  type TokenRecord,
  unclaimed,
} from "./record.ts";
import {
  discard,
  isFinal,
  isOfAnotherUser,
  requestToken,
  revokeQuietly,
} from "./refresh.ts";
import { clearSession, revokeSession } from "./sign_out.ts";
import { refuseAll, type Stored } from "./slot.ts";

/** Token that the store failed to save. */
interface Unsaved {
  readonly record: TokenRecord;
  /** Claim under which it was requested. */
  readonly claim: Stored;
  /** Time of the next attempt. */
  readonly retryAt: number;
}

/** Maximum number of rounds of a renewal: others may renew all the time. */
const MAX_ROUNDS = 1000;
/** Maximum number of claims in a row that a store refuses. */
const MAX_REFUSALS = 10;
/** Maximum number of attempts to save a token without a call. */
const MAX_RETRIES = 600;

/**
 * Keeps a token valid. A process claims the record in the store before it sends
 * the refresh token, which is therefore never in use twice.
 */
export class TokenKeeper {
  readonly #settings: ManagerSettings;
  readonly #state: HeldState;
  readonly #claims: Claims;
  #renewal: Promise<HeldToken> | undefined;
  /** Number of renewals that have begun; most of them only read the store. */
  #renewals = 0;
  #unsaved: Unsaved | undefined;

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
    this.#state = new HeldState(settings);
    this.#claims = new Claims(settings);
  }

  /** Token, unless it is time to renew, confirm or save it. */
  get fresh(): HeldToken | undefined {
    return this.#unsaved ? undefined : this.#state.fresh;
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
    const state = this.#state;
    const begun = this.#renewals;
    for (;;) {
      signal?.throwIfAborted();
      const usable = state.usable(rejected);
      const isShared = this.#renewal !== undefined;
      // Only the first caller waits for the renewal of a valid token.
      if (usable && (isShared ? state.isTrusted : usable === this.fresh)) {
        return usable;
      }
      const renewal = this.#renew(rejected);
      // It may have read the store before this call.
      const isEarlier = this.#settings.maxStale === 0 &&
        this.#renewals === begun;
      if (isEarlier) {
        await withSignal(renewal.catch(() => {}), signal);
        continue;
      }
      const renewed = await withSignal(renewal, signal);
      // The caller that began the renewal may not have rejected the token.
      if (!isShared || renewed.token.token !== rejected) return renewed;
    }
  }

  /** Stores the token of a login. */
  async set(token: AccessToken): Promise<void> {
    const { client, binding, random, slot } = this.#settings;
    if (!Object(token).toHash) {
      throw invalid("Cannot use the token: it is not an AccessToken");
    }
    checkBinding(bindingOf(token.client, []), binding);
    const session = random();
    const record = recordOf(token, { ...binding, session }, { client, random });
    // Throws if the token cannot be restored.
    new HeldToken(this.#settings, record);
    const state = this.#state;
    const { changes, now } = state;
    await slot.change(() => record);
    const isLatest = changes === state.changes;
    const unsaved = this.#forget();
    if (isLatest) state.adopt(record, now);
    await this.#discard(unsaved);
  }

  /** Ends the session, and revokes its token. */
  async revoke(params: CallParams): Promise<OAuth2Response | undefined> {
    const { client } = this.#settings;
    // Throws if the server has no revocation endpoint.
    client.revokeUrl();
    await this.save();
    return await revokeSession({
      settings: this.#settings,
      claims: this.#claims,
      params,
      onEnd: () => this.#state.forget(),
    });
  }

  /** Deletes the token from the store. */
  async clear(): Promise<void> {
    const unsaved = this.#forget();
    await clearSession(this.#settings);
    // A call may have read the store before.
    await this.#discard(this.#forget());
    await this.#discard(unsaved);
  }

  /**
   * Saves the token that the store failed to save, if any.
   *
   * @throws {TokenManagerError} If the store fails again.
   */
  async save(): Promise<void> {
    await this.#renewal?.catch(() => {});
    const unsaved = this.#unsaved;
    if (!unsaved) return;
    const { claim, record } = unsaved;
    await this.#claims.settle(claim, record);
    // The next call reads the store.
    if (this.#unsaved?.record === record) this.#forget();
  }

  /** Forgets the token. Returns the one that the store does not have. */
  #forget(): Unsaved | undefined {
    const unsaved = this.#unsaved;
    this.#unsaved = undefined;
    this.#state.forget();
    return unsaved;
  }

  async #discard(
    unsaved: Pick<Unsaved, "record" | "claim"> | undefined,
  ): Promise<void> {
    if (!unsaved) return;
    const { record, claim } = unsaved;
    await discard(this.#settings, record, claim.record);
  }

  #renew(rejected: string | undefined): Promise<HeldToken> {
    if (!this.#renewal) this.#renewals++;
    const renewal = this.#renewal ??= this.#run(rejected).finally(() => {
      this.#renewal = undefined;
    });
    // Every caller may leave before it fails.
    renewal.catch(() => {});
    return renewal;
  }

  async #run(rejected: string | undefined): Promise<HeldToken> {
    const { grant, report, maxStale } = this.#settings;
    try {
      return await (this.#unsaved
        ? this.#runUnsaved(this.#unsaved, rejected)
        : this.#runStored(rejected));
    } catch (error) {
      if (!hasCode(error, "store_failed")) throw error;
      this.#claims.noteFailure();
      const state = this.#state;
      state.noteStoreFailure();
      const usable = state.usable(rejected);
      // A grant needs nothing that is in the store.
      if (!grant && (!usable || maxStale === 0)) throw error;
      report(error);
      return usable ??
        await this.#request(undefined, rejected, (it) => state.hold(it));
    }
  }

  async #runStored(rejected: string | undefined): Promise<HeldToken> {
    const { wait, grant } = this.#settings;
    const state = this.#state;
    for (let round = 0, refusals = 0; round < MAX_ROUNDS; round++) {
      const { changes } = state;
      const stored = await this.#adopt();
      if (changes !== state.changes) continue;
      const record = stored?.record;
      const { now } = state;
      const usable = state.usable(rejected);
      if (usable && now < usable.renewAt) return usable;
      if (!grant) checkRefreshable(record);
      const { retry_at = 0 } = record ?? {};
      // Ignores implausible times (clock skew).
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
      // The first refusal means that the record has changed.
      if (claim) refusals = 0;
      else if (++refusals > MAX_REFUSALS) break;
      else if (refusals > 1) await wait(pollAfter(refusals));
    }
    return refuseAll();
  }

  /**
   * Reads the store, and holds its token. With a grant, deletes what cannot be
   * read or used.
   */
  async #adopt(): Promise<Stored | undefined> {
    const { slot, grant, report } = this.#settings;
    const state = this.#state;
    const { changes, now } = state;
    const stored = await slot.read();
    if (changes !== state.changes) return stored;
    try {
      state.adopt(stored?.record, now);
      return stored;
    } catch (error) {
      if (!grant) throw error;
      report(error);
      await slot.change((found) =>
        found?.text === stored?.text ? "delete" : "keep"
      );
      state.adopt(undefined, now);
      return undefined;
    }
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
    let record: TokenRecord;
    try {
      record = await requestToken(this.#settings, claim.record);
    } catch (error) {
      return isFinal(error) && !this.#settings.grant
        ? await this.#end(error, claim)
        : await this.#fail(error, claim, rejected);
    }
    state.succeed();
    // Saved before it is handed out, unless the store fails.
    const isCurrent = await this.#save(record, claim);
    return isCurrent ? state.hold(record) : undefined;
  }

  /** Gives a claim back after a failure. */
  async #fail(
    error: unknown,
    claim: Stored,
    rejected: string | undefined,
  ): Promise<HeldToken | undefined> {
    const { maxStale, random } = this.#settings;
    const state = this.#state;
    const { changes, now } = state;
    const retry_at = state.fail(error);
    const next = { ...unclaimed(claim.record), revision: random(), retry_at };
    try {
      const settled = await this.#claims.settle(claim, next);
      if (changes !== state.changes || settled !== "done") return undefined;
      state.confirm(now);
    } catch (error) {
      if (maxStale === 0 || changes !== state.changes) throw error;
      state.noteStoreFailure();
    }
    return state.failUntil(retry_at, rejected);
  }

  /** Ends the session, unless another process has another token. */
  async #end(error: unknown, claim: Stored): Promise<undefined> {
    const { random } = this.#settings;
    const isOther = isOfAnotherUser(error);
    const token = refreshTokenOf(claim.record);
    // The server has replaced the refresh token by one that must not be used.
    if (isOther && token) await revokeQuietly(this.#settings, token);
    const settled = await this.#claims.settle(claim, {
      ...unclaimed(claim.record),
      revision: random(),
      token: undefined,
      ended: isOther ? "invalid_id_token" : "invalid_grant",
    });
    if (settled !== "done") return;
    this.#state.held = undefined;
    loginRequired(
      isOther ? "the new token belongs to another user" : SESSION_ENDED,
      error,
    );
  }

  /**
   * Saves a token, or keeps it in memory if the store fails. Returns false if
   * the token is not that of the session any more.
   */
  async #save(record: TokenRecord, claim: Stored): Promise<boolean> {
    const { report } = this.#settings;
    const state = this.#state;
    const { changes, now } = state;
    try {
      const settled = await this.#claims.settle(claim, record);
      if (changes !== state.changes) return false;
      this.#unsaved = undefined;
      if (settled !== "done") return false;
      state.confirm(now);
    } catch (error) {
      if (changes !== state.changes) {
        await this.#discard({ record, claim });
        return false;
      }
      const isRetrying = this.#unsaved !== undefined;
      const retryAt = state.now + STORE_INTERVAL;
      this.#unsaved = { record, claim, retryAt };
      report(error);
      if (!isRetrying) this.#retrySave().catch(() => {});
    }
    return true;
  }

  /** Saves the token even if no call follows. */
  async #retrySave(): Promise<void> {
    for (let i = 0; i < MAX_RETRIES && this.#unsaved; i++) {
      await this.#settings.wait(STORE_INTERVAL);
      // The error is reported.
      if (this.#unsaved) await this.#renew(undefined).catch(() => {});
    }
  }

  async #runUnsaved(
    { record, claim, retryAt }: Unsaved,
    rejected: string | undefined,
  ): Promise<HeldToken> {
    const state = this.#state;
    if (state.now >= retryAt) {
      await this.#save(record, claim);
      if (!this.#unsaved) return await this.#runStored(rejected);
    }
    const held = state.hold(record);
    if (state.usable(rejected) && state.now < held.renewAt) return held;
    if (!this.#settings.grant) checkRefreshable(record);
    // Only this process has the refresh token.
    return await this.#request(record, rejected, async (next) => {
      const isCurrent = await this.#save(next, claim);
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
    const { changes, retryAt } = state;
    if (state.now < retryAt) return state.failUntil(retryAt, rejected);
    let record: TokenRecord | undefined;
    try {
      record = await requestToken(this.#settings, parent);
      state.succeed();
    } catch (error) {
      if (changes === state.changes) {
        if (!isFinal(error) || this.#settings.grant) {
          return state.failUntil(state.fail(error), rejected);
        }
        this.#forget();
        loginRequired(SESSION_ENDED, error);
      }
    }
    if (record && changes === state.changes) return await use(record);
    // A login or a sign-out came meanwhile.
    if (record) await discard(this.#settings, record, parent);
    return await this.#runStored(rejected);
  }
}
