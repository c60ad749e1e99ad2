import type { Client } from "../client.ts";
import { notSupported } from "../error.ts";
import type { AccessToken } from "../token.ts";

/** Grant of a client. */
export abstract class Grant<T extends AccessToken> {
  /** Client that asks for tokens. */
  protected readonly client: Client<T>;

  /** Makes the grant of a client. */
  constructor(client: Client<T>) {
    this.client = client;
  }
}

/** Grant without a user, and so without an authorization request. */
export abstract class DirectGrant<T extends AccessToken> extends Grant<T> {
  /** Tells callers without types that there is no such request. */
  private authorizeUrl(): never {
    return notSupported("authorize URL for this grant");
  }
}
