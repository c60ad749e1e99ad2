/**
 * Options of a client for a provider of the catalogue.
 *
 * @module
 */
import type { AuthScheme } from "../client_auth.ts";
import type { ClientOptions } from "../client_options.ts";
import { type Quirks, withQuirks } from "../quirks.ts";
import type { AccessToken } from "../token.ts";
import { invalid } from "../type_error.ts";

/** Provider as data. `{name}` in a URL stands for a variable. */
export interface Provider {
  /** Name for people. */
  readonly name: string;
  /** Pages that the data comes from. */
  readonly sources: readonly string[];
  /**
   * Issuer, for `discover`; undefined if the provider publishes no metadata.
   */
  readonly issuer?: string;
  /** URL of the public keys, which ID tokens are validated with. */
  readonly jwksUri?: string;
  /** Authorization endpoint. */
  readonly authorizeUrl: string;
  /** Token endpoint. */
  readonly tokenUrl: string;
  /** Revocation endpoint; null if there is none with RFC 7009. */
  readonly revokeUrl: string | null;
  /** Client authentication method. */
  readonly authScheme: AuthScheme;
  /** Default values of variables. */
  readonly variables?: { readonly [name: string]: string };
  /** Deviations from the specifications. */
  readonly quirks: Quirks;
}

/** Values of the variables of a provider, e.g. `{ domain: "id.example" }`. */
export type ProviderVariables = { readonly [name: string]: string };

/** Value of a variable: a host with port, or a segment of a path. */
const VALUE = /^[\w~-]+(\.[\w~-]+)*(:\d{1,5})?$/;
/** Value of the variable `site`: a URL, which may have a path. */
const SITE = /^https?:\/\/[^\s?#@]+$/i;

/**
 * Returns the options of a client for a provider, with its quirks. Other
 * options override those of the provider.
 *
 * @throws {TypeError} If a variable has no value, or one that would change the
 * rest of the URL.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { providerOptions, PROVIDERS } from "@carteiro/oauth2/providers";
 *
 * const client = new Client("abc", "secret", {
 *   ...providerOptions(PROVIDERS.okta, {
 *     domain: "dev-1.okta.com",
 *     server: "default",
 *   }),
 *   redirectUri: "https://app.example/callback",
 * });
 * console.assert(
 *   client.tokenUrl() === "https://dev-1.okta.com/oauth2/default/v1/token",
 * );
 * ```
 */
export function providerOptions<T extends AccessToken = AccessToken>(
  provider: Provider,
  variables: ProviderVariables = {},
  options: ClientOptions<T> = {},
): ClientOptions<T> {
  const fill = (url: string) => fillIn(provider, url, variables);
  const { authorizeUrl, tokenUrl, revokeUrl, authScheme } = provider;
  const issuer = provider.issuer && fill(provider.issuer);
  const jwks_uri = provider.jwksUri && fill(provider.jwksUri);
  return withQuirks(provider.quirks, {
    ...issuer && { issuer },
    ...issuer && jwks_uri && { metadata: { issuer, jwks_uri } },
    authorizeUrl: fill(authorizeUrl),
    tokenUrl: fill(tokenUrl),
    revokeUrl: revokeUrl && fill(revokeUrl),
    authScheme,
    ...options,
  });
}

function fillIn(
  provider: Provider,
  url: string,
  variables: ProviderVariables,
): string {
  return url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name] ?? provider.variables?.[name];
    if (value === undefined) {
      throw invalid(
        `Cannot use the provider "${provider.name}": the variable "${name}" has no value`,
      );
    }
    if (!(name === "site" ? SITE : VALUE).test(value)) {
      throw invalid(
        `Cannot use the provider "${provider.name}": the variable "${name}" has an invalid value`,
      );
    }
    return value.replace(/\/$/, "");
  });
}
