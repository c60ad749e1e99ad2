/**
 * OpenID Connect: validation of ID tokens, UserInfo and logout.
 *
 * @module
 */
export {
  type IdTokenChecks,
  IdTokenValidator,
  type IdTokenValidatorOptions,
} from "./id_token_validator.ts";
export { fetchUserInfo, type UserInfoOptions } from "./user_info.ts";
export {
  type EndSessionClient,
  type EndSessionParams,
  endSessionUrl,
} from "./end_session_url.ts";
export {
  BackChannelLogout,
  type BackChannelLogoutOptions,
  type EndedSessions,
  type LogoutClaims,
} from "./back_channel_logout.ts";
export { MemoryReplays, type ReplayStore } from "../core/replays.ts";
export { clientKeys, type OpenIdClient } from "./client.ts";
export {
  Jwks,
  type JwksOptions,
  type KeyQuery,
  type LoadJwks,
  type PublicJwk,
} from "./jwks.ts";
export type {
  AddressClaim,
  IdTokenClaims,
  UserClaims,
  UserInfo,
} from "./claims.ts";
export {
  type ValidationCode,
  ValidationError,
} from "../core/validation_error.ts";
