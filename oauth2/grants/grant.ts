import type { Client } from "../core/client.ts";
import { notSupported } from "../core/error.ts";
import type { AccessToken } from "../core/token.ts";

/** Grant of a client. */
export abstract class Grant<T extends AccessToken> {
  /** Client that requests the tokens. */
  protected readonly client: Client<T>;

  /** Creates the grant of a client. */
  constructor(client: Client<T>) {
    this.client = client;
  }
}

/** Grant without an authorization request. */
export abstract class DirectGrant<T extends AccessToken> extends Grant<T> {
  /** Refuses calls from untyped code. */
  private authorizeUrl(): never {
    return notSupported(
      "Cannot build an authorization URL: this grant has none",
    );
  }
}
