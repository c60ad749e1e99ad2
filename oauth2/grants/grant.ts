import type { AuthorizationParams, CallParams } from "../core/call_params.ts";
import { notSupported } from "../core/error.ts";
import type { AccessToken } from "../core/token.ts";
import type { TokenOverrides } from "../core/token_hash.ts";
import { invalid } from "../core/type_error.ts";

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

/**
 * Builds the URL of an authorization request (RFC 6749 sections 4.1.1 and
 * 4.2.1).
 *
 * @throws {TypeError} If the client has no id.
 */
export function authorizationUrl<T extends AccessToken>(
  client: GrantClient<T>,
  responseType: "code" | "token",
  params: AuthorizationParams,
): string {
  const client_id = params.client_id ?? client.id;
  if (client_id === undefined) {
    throw invalid(
      "Cannot build the authorization URL: the client has no id",
    );
  }
  return client.authorizeUrl({
    ...params,
    response_type: params.response_type ?? responseType,
    client_id,
  });
}
