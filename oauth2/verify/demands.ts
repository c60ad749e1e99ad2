import type { Refusal } from "./access_denied.ts";
import type { AccessClaims } from "./token_claims.ts";
import { invalid } from "../core/type_error.ts";

/** Demands of a resource, spelled as on the wire. */
export interface AccessDemands {
  /** Scopes, all of which the token must have. */
  scope?: string | readonly string[] | undefined;
  /** Authentication context classes, one of which must be the `acr`. */
  acr_values?: string | readonly string[] | undefined;
  /** Maximum authentication age in seconds. */
  max_age?: number | undefined;
}

/** Demands as they are compared. */
export interface Demanded {
  readonly scopes: readonly string[];
  readonly acrValues: readonly string[];
  readonly maxAge: number | undefined;
}

/** `scope-token` (RFC 6749 section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Reads demands.
 *
 * @throws {TypeError} If a scope or class is invalid, or `max_age` is not a
 * whole number, 0 or more.
 */
export function readDemands(
  { scope, acr_values, max_age }: AccessDemands,
): Demanded {
  if (
    max_age !== undefined && !(Number.isSafeInteger(max_age) && max_age >= 0)
  ) {
    throw invalid(
      "Cannot demand max_age: it must be a whole number, 0 or more",
    );
  }
  return {
    scopes: words("scope", scope),
    acrValues: words("acr_values", acr_values),
    maxAge: max_age,
  };
}

/** Parameters of a challenge that tell the demands. */
export function scopeParam({ scopes }: Demanded): { scope?: string } {
  return scopes.length === 0 ? {} : { scope: scopes.join(" ") };
}

/** Returns the scopes in claims that are texts or lists of texts. */
export function scopesOf(
  claims: AccessClaims,
  names: readonly string[],
): string[] {
  const found = names.flatMap((name) => claims[name] ?? [])
    .flatMap((text) => String(text).split(" "));
  return [...new Set(found)].filter((name) => name !== "");
}

/** Returns the demand that a token does not meet. Times are in seconds. */
export function findUnmet(
  claims: AccessClaims,
  demanded: Demanded,
  { granted, now, clockTolerance }: {
    /** Scopes of the token. */
    readonly granted: readonly string[];
    readonly now: number;
    readonly clockTolerance: number;
  },
): Refusal | undefined {
  const { scopes, acrValues, maxAge } = demanded;
  if (!scopes.every((scope) => granted.includes(scope))) {
    return {
      code: "insufficient_scope",
      description: "the token lacks a scope",
      params: scopeParam(demanded),
    };
  }
  const { acr, auth_time } = claims;
  const hasClass = acrValues.length === 0 ||
    acr !== undefined && acrValues.includes(acr);
  const isRecent = maxAge === undefined ||
    auth_time !== undefined && now - auth_time <= maxAge &&
      auth_time <= now + clockTolerance;
  if (hasClass && isRecent) return undefined;
  return {
    code: "insufficient_user_authentication",
    description: hasClass
      ? "more recent authentication is required"
      : "a different authentication level is required",
    params: {
      ...scopeParam(demanded),
      acr_values: acrValues.length === 0 ? undefined : acrValues.join(" "),
      max_age: maxAge?.toString(),
    },
  };
}

function words(
  name: string,
  value: string | readonly string[] | undefined,
): string[] {
  const found = [value ?? []].flat().flatMap((text) => text.split(" "))
    .filter((word) => word !== "");
  const wrong = found.find((word) => !SCOPE.test(word));
  if (wrong === undefined) return found;
  throw invalid(`Cannot demand ${name}: "${wrong}" is invalid`);
}
