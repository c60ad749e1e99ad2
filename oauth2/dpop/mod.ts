/**
 * Demonstrating Proof of Possession (DPoP, RFC 9449): tokens that are useless
 * without a key.
 *
 * @module
 */
export {
  type DpopAlgorithm,
  DpopKey,
  type DpopKeyOptions,
  type ProofRequest,
} from "./key.ts";
export type {
  Jwk,
  WebCryptoKey,
  WebCryptoKeyPair,
} from "../core/web_crypto.ts";
export { dpopFetch, type DpopFetchOptions } from "./fetch.ts";
export { type DpopOptions, withDpop } from "./client_options.ts";
export {
  type ValidationCode,
  ValidationError,
} from "../core/validation_error.ts";
