/**
 * Token in the memory of a process.
 *
 * @module
 */
import { Backoff } from "./backoff.ts";
import { checkBinding } from "./binding.ts";
import { HeldToken } from "./held_token.ts";
import type { KeeperSettings } from "./keeper_settings.ts";
import { isOutcomeUnknown } from "./outcome.ts";
import { REVOKED } from "./login_required.ts";
import { haveSameToken, type TokenRecord } from "./record.ts";

/** Token in the memory of a process, and the failures of its renewal. */
export class HeldState {
  readonly #settings: KeeperSettings;
  readonly backoff = new Backoff();
  /** Token, if any. */
  held: HeldToken | undefined;
  /** Number of times that the token was forgotten. */
  changes = 0;

  constructor(settings: KeeperSettings) {
    this.#settings = settings;
  }

  /** Time in milliseconds since 1970. */
  get now(): number {
    return this.#settings.client.now();
  }

  /** Returns the token if it is valid and not the rejected one. */
  usable(rejected: string | undefined): HeldToken | undefined {
    return this.held?.isUsable(this.now, rejected) ? this.held : undefined;
  }

  /** Forgets the token and the failures: a user has signed in or out. */
  forget(): void {
    this.changes++;
    this.held = undefined;
    this.backoff.succeed();
  }

  /**
   * Holds the token of the store, if any.
   *
   * @throws {TokenManagerError} If it is of another server or client.
   */
  adopt(record: TokenRecord | undefined): void {
    const { binding, grant } = this.#settings;
    if (record) checkBinding(record, binding);
    const isOutdated = grant !== undefined &&
      binding.origins.some((origin) => !record?.origins.includes(origin));
    const isRevoked = record?.ended === REVOKED;
    if (record?.token && !isOutdated && !isRevoked) this.hold(record);
    else this.held = undefined;
  }

  /** Holds the token of a record. */
  hold(record: TokenRecord): HeldToken {
    const { client, margin, grant } = this.#settings;
    const { held } = this;
    if (held?.record.revision === record.revision) return held;
    // Another process may have renewed the token.
    if (held && !haveSameToken(held.record, record)) this.backoff.succeed();
    const isRenewable = grant || record.token?.refresh_token;
    return this.held = new HeldToken(client, record, isRenewable ? margin : 0);
  }

  /** Counts a failed request, and returns the time of the next attempt. */
  fail(error: unknown): number {
    const { grant, timeout } = this.#settings;
    // The server may still act on the refresh token: not again at once.
    const minimum = !grant && isOutcomeUnknown(error) ? timeout : 0;
    return this.backoff.fail(error, this.now, minimum);
  }

  /**
   * Returns the token until the next attempt.
   *
   * @throws {TokenManagerError} If it is not valid.
   */
  failUntil(retryAt: number, rejected: string | undefined): HeldToken {
    const held = this.usable(rejected);
    if (!held) throw this.backoff.createError(this.now, retryAt);
    held.postpone(retryAt);
    return held;
  }
}
