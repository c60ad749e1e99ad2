import type { AccessScheme } from "./access_denied.ts";

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
