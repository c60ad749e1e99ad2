import type {
  AuthorizationParams,
  AuthorizationWireParams,
  Scope,
} from "../core/call_params.ts";
import { type KnownNames, knownNames } from "../core/names.ts";
import {
  type IdTokenValidatorOptions,
  VALIDATOR_OPTIONS,
} from "../oidc/id_token_validator.ts";
import type { FillRandom } from "./new_flow.ts";

/**
 * Parameters of the authorization request of a sign-in; other names are
 * allowed.
 */
export interface SignInParams<S extends Scope = Scope> extends
  Omit<
    AuthorizationWireParams,
    | "state"
    | "nonce"
    | "code_challenge"
    | "code_challenge_method"
    | "response_type"
    | "client_id"
    | "scope"
  > {
  /** Scopes, as a list or separated by spaces; `openid` for an ID token. */
  scope?: S;
  /** A parameter; null and undefined omit it, a list repeats it. */
  readonly [param: Lowercase<string>]: unknown;
}

/** Options of a sign-in. */
export interface SignInOptions extends IdTokenValidatorOptions {
  /**
   * Seconds from the authorization request to the callback.
   *
   * @default {600}
   */
  lifetime?: number | undefined;
  /**
   * Sends a PKCE challenge. False for a server that refuses it.
   *
   * @default {true}
   */
  pkce?: boolean | undefined;
  /**
   * Requires the `nonce` in the ID token. False for a server that does not
   * return it; another nonce is refused anyway. Without `nonce` and PKCE, only
   * `state` protects the code (RFC 9700 section 2.1.1).
   *
   * @default {true}
   */
  requireNonce?: boolean | undefined;
  /**
   * Requires one of the `acr_values` of the request in the ID token. False for
   * a server that gives them another meaning, or need not honour them.
   *
   * @default {true}
   */
  requireAcr?: boolean | undefined;
  /**
   * Marks a flow as used, in a store that all processes share, and returns
   * false if it was already. `expiresAt` is in seconds since 1970; the entry
   * may be removed then. Without it, each process refuses only the last
   * 100,000 that itself has completed.
   */
  consume?:
    | ((state: string, expiresAt: number) => boolean | Promise<boolean>)
    | undefined;
  /**
   * Builds the URL of an authorization request, e.g. of a pushed one.
   *
   * @default {`client.authCode.authorizeUrl`}
   */
  authorize?:
    | ((params: AuthorizationParams) => string | Promise<string>)
    | undefined;
  /**
   * Fills an array with random bytes.
   *
   * @default {crypto.getRandomValues}
   */
  random?: FillRandom | undefined;
}

/** Names of {@linkcode SignInOptions}. */
export const SIGN_IN_OPTIONS: KnownNames = knownNames<SignInOptions>({
  ...VALIDATOR_OPTIONS,
  lifetime: true,
  pkce: true,
  requireNonce: true,
  requireAcr: true,
  consume: true,
  authorize: true,
  random: true,
});
