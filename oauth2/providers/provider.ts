import type { AuthScheme } from "../core/client_auth.ts";
import type { ClientOptions } from "../core/client_options.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { type Quirks, withQuirks } from "./quirks.ts";
import { oneLine } from "../core/redactor.ts";
import type { AccessToken } from "../core/token.ts";
import { invalid } from "../core/type_error.ts";

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
  /**
   * Endpoint that describes the signed-in user to a request with the token:
   * `userinfo` of OpenID Connect or one of the provider's own; null if none is
   * known.
   */
  readonly profileUrl: string | null;
  /** Client authentication method. */
  readonly authScheme: AuthScheme;
  /** Default values of variables. */
  readonly variables?: { readonly [name: string]: string };
  /** Deviations from the specifications. */
  readonly quirks: Quirks;
}

/** Names in braces in a text. */
export type NamesInBraces<Text> = Text extends
  `${string}{${infer Name}}${infer Rest}` ? Name | NamesInBraces<Rest>
  : never;

/** Names of the variables of a provider. */
export type VariableNames<P extends Provider> = NamesInBraces<
  P["authorizeUrl"] | P["tokenUrl"]
>;

/**
 * Values of the variables of a provider, e.g. `{ domain: "id.example" }`. Those
 * of a provider of the catalogue are known by name.
 */
export type ProviderVariables<P extends Provider = Provider> = string extends
  P["authorizeUrl"] ? { readonly [name: string]: string }
  : [VariableNames<P>] extends [never] ? { readonly [name: string]: never }
  :
    & {
      readonly [name in Exclude<VariableNames<P>, keyof P["variables"]>]:
        string;
    }
    & { readonly [name in keyof P["variables"]]?: string };

/**
 * Arguments of {@linkcode providerOptions} after the provider: values of the
 * variables, which may be left out if all have a default, and other options.
 */
export type ProviderArguments<
  P extends Provider,
  T extends AccessToken = AccessToken,
> = Record<never, never> extends ProviderVariables<P>
  ? [variables?: ProviderVariables<P>, options?: ClientOptions<T>]
  : [variables: ProviderVariables<P>, options?: ClientOptions<T>];

type Values = { readonly [name: string]: string | undefined };

const VARIABLE = /\{\w+\}/g;
/** Value of a variable: a host with port, or a segment of a path. */
const VALUE = /^[\w~-]+(\.[\w~-]+)*(:\d{1,5})?$/;
/** Value of the variable `site`: a URL, which may have a path. */
const SITE = /^https?:\/\/[^\s?#@]+$/i;

/**
 * Returns the options of a client for a provider, with its quirks. Other
 * options override those of the provider.
 *
 * @throws {TypeError} If a variable is unknown, or has no value, or one that
 * would change the rest of the URL.
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
export function providerOptions<
  P extends Provider,
  T extends AccessToken = AccessToken,
>(
  provider: P,
  ...args: ProviderArguments<P, T>
): ClientOptions<T> {
  const [variables = {}, options = {}] = args;
  const { authorizeUrl, tokenUrl, revokeUrl, authScheme } = provider;
  checkVariables(provider, variables);
  const fill = (url: string) => fillIn(provider, url, variables);
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

/**
 * Returns the URL of the profile of the signed-in user, for `token.get`.
 *
 * @throws {TypeError} If the provider has none, or a variable has no valid
 * value.
 *
 * @example
 * ```ts
 * import { profileUrl, PROVIDERS } from "@carteiro/oauth2/providers";
 *
 * const url = profileUrl(PROVIDERS.gitlab, { site: "https://git.example" });
 * console.assert(url === "https://git.example/oauth/userinfo");
 * ```
 */
export function profileUrl<P extends Provider>(
  provider: P,
  ...args: ProviderArguments<P>
): string {
  const [variables = {}] = args;
  checkVariables(provider, variables);
  if (provider.profileUrl !== null) {
    return fillIn(provider, provider.profileUrl, variables);
  }
  throw invalid(
    `Cannot use the provider "${provider.name}": its profile endpoint is unknown`,
  );
}

function checkVariables(
  { authorizeUrl, tokenUrl, variables = {} }: Provider,
  given: Values,
): void {
  const names = (authorizeUrl + tokenUrl).match(VARIABLE) ?? [];
  checkNames(
    given,
    knownNames([
      ...names.map((name) => name.slice(1, -1)),
      ...Object.keys(variables),
    ]),
  );
}

function fillIn(provider: Provider, url: string, variables: Values): string {
  return url.replace(VARIABLE, (braced: string) => {
    const name = braced.slice(1, -1);
    const value = variables[name] ?? provider.variables?.[name];
    if (value === undefined) {
      throw invalid(
        `Cannot use the provider "${provider.name}": the variable "${name}" has no value`,
      );
    }
    if (!(name === "site" ? SITE : VALUE).test(value)) {
      throw invalid(
        `Cannot use the provider "${provider.name}": the variable "${name}" is ${
          oneLine(JSON.stringify(value))
        }, not ${
          name === "site"
            ? "an http URL without user, query and fragment"
            : "a host or a segment of a path"
        }`,
      );
    }
    return value.replace(/\/$/, "");
  });
}
