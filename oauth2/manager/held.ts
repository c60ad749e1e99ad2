import { ConnectionError } from "../core/error.ts";
import { OAuth2Error } from "../core/response.ts";
import { describeError } from "../core/errors.ts";
import type { AccessToken } from "../core/token.ts";
import { ValidationError } from "../core/validation_error.ts";
import { TokenManagerError } from "./manager_error.ts";
import type { ManagerSettings } from "./options.ts";
import { checkBinding, refuse, REVOKED, type TokenRecord } from "./record.ts";

/** Maximum part of the lifetime before the expiry. */
const MAX_MARGIN = 1 / 4;
/** Milliseconds between two attempts to use a store that failed. */
export const STORE_INTERVAL = 1000;
/**
 * First and longest interval between two attempts to renew a token, in
 * milliseconds; it doubles in between.
 */
const FIRST_INTERVAL = 1000;
const LONGEST_INTERVAL = 60_000;
/** Maximum interval that a server may set, in milliseconds. */
export const MAX_RETRY_AFTER = 3_600_000;

/** Token of a record. Times are in milliseconds since 1970. */
export class HeldToken {
  /** Token of the record. */
  readonly token: AccessToken;
  /** Record of the store. */
  readonly record: TokenRecord;
  /** Time of expiry, or Infinity. */
  readonly expiresAt: number;
  /** Time of the next renewal, or Infinity. */
  renewAt: number;

  /**
   * Restores the token of a record.
   *
   * @throws {TokenManagerError} If the fields of the record are not a token, or
   * it is bound to another key than that of the client.
   */
  constructor(settings: ManagerSettings, record: TokenRecord) {
    this.record = record;
    this.token = restore(settings, record);
    const { expiresAt = Infinity, expiresIn } = this.token;
    this.expiresAt = Math.max(expiresAt * 1000, record.used_until ?? 0);
    const lifetime = expiresIn !== undefined
      ? expiresIn * 1000
      : this.expiresAt - (record.issued_at ?? 0);
    const isRenewable = settings.grant || record.token?.refresh_token;
    const longest = isRenewable ? Math.max(0, lifetime * MAX_MARGIN) : 0;
    this.renewAt = this.expiresAt - Math.min(settings.margin, longest);
  }

  /** Sets the time of the next renewal, at most that of the expiry. */
  postpone(until: number): void {
    this.renewAt = Math.min(until, this.expiresAt);
  }
}

function restore(
  { client, binding }: ManagerSettings,
  { token: fields, origins }: TokenRecord,
): AccessToken {
  const allowedOrigins = binding.origins
    .filter((origin) => origins.includes(origin));
  try {
    // The class checks the key of a token with DPoP.
    const token = client.accessTokenClass
      .fromHash(client, fields!, { allowedOrigins });
    // Throws if the format of the header is not text, or the client has no DPoP.
    void token.headers;
    return token;
  } catch (error) {
    // Its message may quote the record.
    if (error instanceof ValidationError || Object(error).kind === "policy") {
      throw new TokenManagerError(
        "Cannot use the token: it is not bound to the key of the client",
        { code: "invalid_key", kind: "policy" },
      );
    }
    return refuse("its fields are not a token");
  }
}

/**
 * Token in the memory of a process, the time at which the store confirmed it,
 * and the failures of its renewal.
 */
export class HeldState {
  readonly #settings: ManagerSettings;
  /** Token, if any. */
  held: HeldToken | undefined;
  /** Number of times that the token was forgotten. */
  changes = 0;
  /** Time of the last confirmation, and the one at which it is too old. */
  #confirmedAt = 0;
  #staleAt = 0;
  #hasStoreFailed = false;
  /** Failures of the attempts to renew the token, and the last error. */
  #failures = 0;
  #lastError: unknown;
  /** Time of the next attempt, or 0. */
  retryAt = 0;

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
  }

  /** Time in milliseconds since 1970. */
  get now(): number {
    return this.#settings.client.now();
  }

  /** Token, unless it is time to renew it, or to ask the store for it. */
  get fresh(): HeldToken | undefined {
    const { held, now } = this;
    return held && now < held.renewAt && this.#isConfirmed(now)
      ? held
      : undefined;
  }

  #isConfirmed(now: number): boolean {
    // A clock that was set back must not prolong it.
    return now < this.#staleAt && now >= this.#confirmedAt;
  }

  /**
   * True if the token may be used while another caller asks the store for it:
   * the store has confirmed it, or does not answer.
   */
  get isTrusted(): boolean {
    return this.#isConfirmed(this.now) ||
      this.#hasStoreFailed && this.#settings.maxStale > 0;
  }

  /** Notes that the store had the token at a time. */
  confirm(at: number): void {
    this.#hasStoreFailed = false;
    this.#confirmedAt = at;
    this.#staleAt = at + this.#settings.maxStale;
  }

  /** Notes that the store failed: the token is used until the next attempt. */
  noteStoreFailure(): void {
    const { now, held } = this;
    this.#hasStoreFailed = true;
    this.#confirmedAt = now;
    this.#staleAt = now + Math.min(this.#settings.maxStale, STORE_INTERVAL);
    if (held && held.renewAt <= now) held.postpone(now + STORE_INTERVAL);
  }

  /** Returns the token if it is valid and not the rejected one. */
  usable(rejected: string | undefined): HeldToken | undefined {
    const { held, now } = this;
    const { token } = held?.token ?? {};
    return held && token && token !== rejected && now < held.expiresAt
      ? held
      : undefined;
  }

  /** Forgets the token and the failures: a user has signed in or out. */
  forget(): void {
    this.changes++;
    this.held = undefined;
    this.succeed();
  }

  /**
   * Holds the token of the store, if any, which it had at a time.
   *
   * @throws {TokenManagerError} If it is of another server or client.
   */
  adopt(record: TokenRecord | undefined, at: number): void {
    const { binding, grant } = this.#settings;
    if (record) checkBinding(record, binding);
    const isOutdated = grant !== undefined &&
      binding.origins.some((origin) => !record?.origins.includes(origin));
    const isRevoked = record?.ended === REVOKED;
    if (record?.token && !isOutdated && !isRevoked) this.hold(record);
    else this.held = undefined;
    this.confirm(at);
  }

  /** Holds the token of a record. */
  hold(record: TokenRecord): HeldToken {
    const { held } = this;
    if (held?.record.revision === record.revision) return held;
    const next = new HeldToken(this.#settings, record);
    // Another process may have renewed the token.
    if (held && held.token.token !== next.token.token) this.succeed();
    return this.held = next;
  }

  /** Counts a failed request, and returns the time of the next attempt. */
  fail(error: unknown): number {
    const { grant, timeout } = this.#settings;
    // The server may still act on the refresh token: not again at once.
    const minimum = !grant && isOutcomeUnknown(error) ? timeout : 0;
    this.#lastError = error;
    const { retryAfter = 0 } = describeError(error);
    const interval = Math.min(
      LONGEST_INTERVAL,
      FIRST_INTERVAL * 2 ** this.#failures++,
    );
    const wait = Math.max(retryAfter * 1000, interval, minimum);
    return this.retryAt = this.now + Math.min(MAX_RETRY_AFTER, wait);
  }

  /** Forgets the failures. */
  succeed(): void {
    this.#failures = this.retryAt = 0;
    this.#lastError = undefined;
  }

  /**
   * Returns the token until the next attempt.
   *
   * @throws {TokenManagerError} If it is not valid.
   */
  failUntil(retryAt: number, rejected: string | undefined): HeldToken {
    const held = this.usable(rejected);
    if (!held) throw this.#createError(retryAt);
    held.postpone(retryAt);
    return held;
  }

  /** Without a cause, another process has failed. */
  #createError(retryAt: number): TokenManagerError {
    const cause = this.#lastError;
    const seconds = Math.max(0, Math.ceil((retryAt - this.now) / 1000));
    const { kind, retryable, message } = cause === undefined
      ? {
        kind: "http",
        retryable: true,
        message: "another process failed",
      } as const
      : describeError(cause);
    return new TokenManagerError(
      `Cannot get a token: ${message}; next attempt in ${seconds} s`,
      { code: "refresh_failed", kind, retryable, retryAfter: seconds, cause },
    );
  }
}

/**
 * Returns true if the server may have acted, or may still act, on a refresh
 * that failed: it may have replaced the refresh token.
 */
function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof OAuth2Error) return [502, 504].includes(error.status);
  // It is retryable if nothing was sent.
  if (!(error instanceof ConnectionError) || error.retryable) return false;
  return !/certificate|CERT_/.test(error.message);
}
