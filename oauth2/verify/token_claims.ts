import type { AccessScheme } from "./access_denied.ts";
import { isPlainObject } from "../core/params.ts";
import { isFor } from "../oidc/check_claims.ts";

/** Claims of an access token, from its JWT or introspection response. */
export interface AccessClaims {
  /** Issuer. */
  readonly iss?: string;
  /** Resource owner, or the client itself. */
  readonly sub?: string;
  /** Resource servers. */
  readonly aud?: string | readonly string[];
  /** Time of expiry in seconds since 1970. */
  readonly exp?: number;
  /** Time of issue in seconds since 1970. */
  readonly iat?: number;
  /** Client. */
  readonly client_id?: string;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
  /** Keys that the token is bound to (RFC 7800). */
  readonly cnf?: Confirmation;
  /** Time of authentication in seconds since 1970. */
  readonly auth_time?: number;
  /** Authentication context class. */
  readonly acr?: string;
  /** Other claims. */
  readonly [claim: string]: unknown;
}

/** Keys that a token is bound to. */
export interface Confirmation {
  /** Thumbprint of a DPoP key (RFC 9449 section 6). */
  readonly jkt?: string;
  /** Thumbprint of a certificate (RFC 8705 section 3.1). */
  readonly "x5t#S256"?: string;
}

/** Rules of a resource server. */
export interface ClaimRules {
  readonly issuer: string;
  /** Names of the resource server, one of which must be in `aud`. */
  readonly audience: readonly string[];
  readonly clockTolerance: number;
  /** Time in seconds since 1970. */
  readonly now: number;
  /** Claims that must be there. */
  readonly required: readonly string[];
  /** Claims with the scopes. */
  readonly scopeClaims: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Claims that are text, if they are there. */
const TEXTS = ["iss", "sub", "client_id", "scope", "acr", "jti"];
/** Claims that are times, if they are there. */
const TIMES = ["exp", "iat", "nbf", "auth_time"];

/** Claims without which a JWT is not an access token for one server. */
const NEEDED = ["iss", "aud", "exp"];

/** Returns the claims that a JWT of this type must have (RFC 9068 section 2.2). */
export function requiredClaims(type: string): readonly string[] {
  return type === "at+jwt"
    ? [...NEEDED, "sub", "client_id", "iat", "jti"]
    : NEEDED;
}

/** Returns the reason why the claims are refused, or undefined. */
export function checkAccessClaims(
  claims: Claims,
  rules: ClaimRules,
): string | undefined {
  const { issuer, audience, clockTolerance, now, required, scopeClaims } =
    rules;
  const { iss, aud, exp, iat = 0, nbf = 0, cnf } = claims;
  const text = TEXTS.find((name) =>
    claims[name] !== undefined && typeof claims[name] !== "string"
  );
  if (text !== undefined) return `${text} is not text`;
  const list = scopeClaims.find((name) =>
    ![claims[name] ?? ""].flat().every((value) => typeof value === "string")
  );
  if (list !== undefined) return `${list} is neither text nor a list of texts`;
  const time = TIMES.find((name) =>
    claims[name] !== undefined && !Number.isFinite(claims[name])
  );
  if (time !== undefined) return `${time} is not a number`;
  const missing = required.find((name) => claims[name] === undefined);
  if (missing !== undefined) return `${missing} is missing`;
  if (iss !== undefined && iss !== issuer) {
    return "iss does not match the issuer";
  }
  if (aud !== undefined && !isFor(aud, ...audience)) {
    return "the token is for another resource server";
  }
  if (exp !== undefined && Number(exp) <= now - clockTolerance) {
    return "the token has expired";
  }
  if (Math.max(Number(iat), Number(nbf)) > now + clockTolerance) {
    return "the token is not valid yet";
  }
  return cnf === undefined ? undefined : checkConfirmation(cnf);
}

/** Refuses a binding that nobody would check. */
function checkConfirmation(cnf: unknown): string | undefined {
  if (!isPlainObject(cnf)) return "cnf is not an object";
  const found = ["jkt", "x5t#S256"].map((name) => cnf[name])
    .filter((value) => value !== undefined);
  const isKnown = found.length > 0 &&
    found.every((value) => typeof value === "string" && value !== "");
  return isKnown ? undefined : "the token is bound in an unknown way";
}

/** Rules for the type of a token. */
export interface TypeRules {
  /** Scheme of the request. */
  readonly scheme: AccessScheme;
  /** Accepts a response without `token_type`. */
  readonly allowUntyped: boolean;
}

/**
 * Returns the reason why an active token is refused, or undefined. Servers
 * introspect refresh tokens, too, which are bound to no key if the client is
 * confidential.
 */
export function checkTokenType(
  claims: Readonly<Record<string, unknown>>,
  { scheme, allowUntyped }: TypeRules,
): string | undefined {
  const { token_type, cnf } = claims;
  if (token_type === undefined) {
    return allowUntyped
      ? undefined
      : "its introspection has no token_type, as if it were a refresh token";
  }
  const type = String(token_type).toLowerCase();
  if (type === "bearer") return undefined;
  if (type !== "dpop") return "the token is not an access token";
  return scheme === "DPoP" && Object(cnf).jkt !== undefined
    ? undefined
    : "a token of the type DPoP needs its key";
}
