/**
 * Catalogue of providers: endpoints, client authentication and quirks.
 *
 * @module
 */
export { PROVIDERS } from "./catalogue.ts";
export {
  type NamesInBraces,
  profileUrl,
  type Provider,
  type ProviderArguments,
  providerOptions,
  type ProviderVariables,
  type VariableNames,
} from "./provider.ts";
export { type AppleAccount, appleClientSecret } from "./apple.ts";
export { type Quirks, withQuirks } from "./quirks.ts";
