/**
 * Verification of access tokens by a resource server: JWTs (RFC 9068) or
 * introspection (RFC 7662), bound by DPoP (RFC 9449) or mutual TLS (RFC 8705),
 * with the challenges of RFC 6750, 9470 and 9728.
 *
 * @module
 */
export { type Access, TokenVerifier, type VerifyOptions } from "./verifier.ts";
export type { NodeRequest, VerifiedRequest } from "./request.ts";
export type { Binding, TokenVerifierOptions } from "./verifier_options.ts";
export {
  AccessDenied,
  type AccessErrorCode,
  type AccessScheme,
  type Refusal,
} from "./access_denied.ts";
export type { AccessDemands } from "./demands.ts";
export type { IntrospectionClient } from "../server/introspection.ts";
export {
  DpopNonces,
  type DpopNoncesOptions,
  type NonceSource,
} from "./nonces.ts";
export { MemoryReplays, type ReplayStore } from "../core/replays.ts";
export type { AccessClaims, Confirmation } from "./token_claims.ts";
