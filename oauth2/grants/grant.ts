import type { AuthorizationParams, CallParams } from "../core/call_params.ts";
import { notSupported } from "../core/error.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";

/** Part of a client that grants use. */
export interface GrantClient<T extends AccessToken> {
  /** Client id. */
  readonly id: string | undefined;
  /** Redirect URI. */
  readonly redirectUri: string | undefined;
  /** Builds the URL of an authorization request. */
  authorizeUrl(params: AuthorizationParams): string;
  /** Requests a token. */
  getToken(params: CallParams, options?: TokenOverrides): Promise<T>;
}

/** Grant of a client. */
export abstract class Grant<T extends AccessToken> {
  /** Client that requests the tokens. */
  protected readonly client: GrantClient<T>;

  /** Creates the grant of a client. */
  constructor(client: GrantClient<T>) {
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
