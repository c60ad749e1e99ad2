/**
 * Sign-in in one call before the redirect and one after it, and sealed cookies.
 *
 * @module
 */
export { type SignedIn, SignIn } from "./sign_in.ts";
export type { SignInOptions, SignInParams } from "./sign_in_options.ts";
export {
  Flow,
  type FlowData,
  type FlowDataOf,
  type OpenIdFlowData,
  StartedFlow,
} from "./flow.ts";
export type { FillRandom } from "./new_flow.ts";
export type { AuthorizationResponse } from "./response_params.ts";
export {
  seal,
  type SealKey,
  type SealOptions,
  unseal,
  type UnsealOptions,
} from "./seal.ts";
export type { WebCryptoKey } from "../core/web_crypto.ts";
export type { IdTokenClaims } from "../oidc/claims.ts";
export {
  type ValidationCode,
  ValidationError,
} from "../core/validation_error.ts";
