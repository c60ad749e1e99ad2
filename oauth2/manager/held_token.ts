/**
 * Token that a manager holds, and the time of its renewal.
 *
 * @module
 */
import type { Client } from "../client.ts";
import type { AccessToken } from "../token.ts";
import { ValidationError } from "../validation_error.ts";
import { TokenManagerError } from "./manager_error.ts";
import type { TokenRecord } from "./record.ts";

/** Maximum part of the lifetime before the expiry. */
const MAX_MARGIN = 1 / 4;

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
   * Restores the token of a record. `margin` is the time in milliseconds before
   * its expiry at which it is renewed.
   *
   * @throws {TokenManagerError} If the fields of the record are not a token, or
   * it is bound to another key than that of the client.
   */
  constructor(client: Client, record: TokenRecord, margin: number) {
    this.record = record;
    this.token = restore(client, record);
    const { expiresAt = Infinity, expiresIn } = this.token;
    this.expiresAt = Math.max(expiresAt * 1000, record.used_until ?? 0);
    const lifetime = expiresIn !== undefined
      ? expiresIn * 1000
      : this.expiresAt - (record.issued_at ?? 0);
    const longest = Math.max(0, lifetime * MAX_MARGIN);
    this.renewAt = this.expiresAt - Math.min(margin, longest);
  }

  /** Sets the time of the next renewal, at most that of the expiry. */
  postpone(until: number): void {
    this.renewAt = Math.min(until, this.expiresAt);
  }

  /** Returns true if the token has not expired and was not rejected. */
  isUsable(now: number, rejected: string | undefined): boolean {
    const { token } = this.token;
    return now < this.expiresAt && token !== "" && token !== rejected;
  }
}

function restore(client: Client, { token: fields }: TokenRecord): AccessToken {
  try {
    // The class checks the key of a token with DPoP.
    const token = client.accessTokenClass.fromHash(client, fields!, {});
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
    throw new TokenManagerError(
      "Cannot read the stored token: its fields are not a token",
      { code: "unreadable_token", kind: "store" },
    );
  }
}
