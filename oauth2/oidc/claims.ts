/** Postal address (OpenID Connect Core section 5.1.1). */
export interface AddressClaim {
  /** Complete address, for display; lines end with a newline. */
  readonly formatted?: string;
  /** Street, number and other details; may have several lines. */
  readonly street_address?: string;
  /** City. */
  readonly locality?: string;
  /** State, province or region. */
  readonly region?: string;
  /** Postal code. */
  readonly postal_code?: string;
  /** Country. */
  readonly country?: string;
}

/**
 * Claims about the user (OpenID Connect Core section 5.1). Their types are
 * those of the specification; they are not checked.
 */
export interface UserClaims {
  /** Name for display. */
  readonly name?: string;
  /** Given names. */
  readonly given_name?: string;
  /** Family names. */
  readonly family_name?: string;
  /** Middle names. */
  readonly middle_name?: string;
  /** Casual name. */
  readonly nickname?: string;
  /** Short name, which need not be unique. */
  readonly preferred_username?: string;
  /** URL of the profile page. */
  readonly profile?: string;
  /** URL of a picture. */
  readonly picture?: string;
  /** URL of a web page. */
  readonly website?: string;
  /** Email address, which need not be unique. */
  readonly email?: string;
  /** True if the server has verified the email address. */
  readonly email_verified?: boolean;
  /** Gender: `female`, `male` or another value. */
  readonly gender?: string;
  /** Birthday: `YYYY-MM-DD`, `YYYY` or `0000-MM-DD`. */
  readonly birthdate?: string;
  /** Time zone, e.g. `America/Sao_Paulo`. */
  readonly zoneinfo?: string;
  /** Language tag, e.g. `pt-BR`. */
  readonly locale?: string;
  /** Telephone number. */
  readonly phone_number?: string;
  /** True if the server has verified the telephone number. */
  readonly phone_number_verified?: boolean;
  /** Postal address. */
  readonly address?: AddressClaim;
  /** Time of the last change, in seconds since 1970. */
  readonly updated_at?: number;
}

/** Claims of a valid ID token (OpenID Connect Core section 2). */
export interface IdTokenClaims extends UserClaims {
  /** Issuer. */
  readonly iss: string;
  /** User: unique at the issuer, and never reassigned. */
  readonly sub: string;
  /** Client ids for which the token is intended. */
  readonly aud: string | readonly string[];
  /** Time of expiry, in seconds since 1970. */
  readonly exp: number;
  /** Time of issue, in seconds since 1970. */
  readonly iat: number;
  /** Time of the user's authentication, in seconds since 1970. */
  readonly auth_time?: number;
  /** Value of the authorization request. */
  readonly nonce?: string;
  /** Authentication context class. */
  readonly acr?: string;
  /** Authentication methods, e.g. `pwd` and `otp` (RFC 8176). */
  readonly amr?: readonly string[];
  /** Client id for which the token was issued. */
  readonly azp?: string;
  /** Session at the server, for logout. */
  readonly sid?: string;
  /** Another claim. */
  readonly [claim: string]: unknown;
}

/** Claims of a userinfo response (OpenID Connect Core section 5.3.2). */
export interface UserInfo extends UserClaims {
  /** User: identical to the `sub` of the ID token. */
  readonly sub: string;
  /** Another claim. */
  readonly [claim: string]: unknown;
}
