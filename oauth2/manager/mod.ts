/**
 * Token manager: requests with a token that is always valid, renewed once for
 * all callers and processes.
 *
 * @module
 */
export { type TokenCallOptions, TokenManager } from "./token_manager.ts";
export type { TokenManagerOptions } from "./options.ts";
export {
  type TokenManagerCode,
  TokenManagerError,
  type TokenManagerErrorOptions,
} from "./manager_error.ts";
export type { TokenStore } from "./store.ts";
