/**
 * Catalogue of providers: endpoints, client authentication and quirks.
 *
 * @module
 */
export { PROVIDERS } from "./catalogue.ts";
export {
  type Provider,
  providerOptions,
  type ProviderVariables,
} from "./provider.ts";
export { type AppleAccount, appleClientSecret } from "./apple.ts";
export { type Quirks, quirkySignIn, quirkyUrl, withQuirks } from "../quirks.ts";
