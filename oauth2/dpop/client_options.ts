import type { ClientOptions } from "../core/client_options.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { AccessToken, type TokenClass } from "../core/token.ts";
import { dpopFetch, type DpopFetchOptions, FETCH_OPTIONS } from "./fetch.ts";
import type { DpopKey } from "./key.ts";
import { dpopTokenClass } from "./token.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode withDpop}; the rest are those of the client. */
export interface DpopOptions extends DpopFetchOptions {
  /**
   * Accepts tokens that the server did not bind to the key.
   *
   * @default {false}
   */
  allowBearer?: boolean | undefined;
}

const OPTIONS = knownNames<DpopOptions>({
  ...FETCH_OPTIONS,
  allowBearer: true,
});

/**
 * Adds DPoP to the options of a client: its `fetch` adds proofs, and its tokens
 * are bound to the key. `fetch`, `clock` and `assertionKey` are those of the
 * client.
 *
 * Call it once for a client, because it remembers the nonces of the servers.
 * Send `dpop_jkt: key.thumbprint` in authorization requests to bind the code,
 * too.
 *
 * @throws {TypeError} If an option is misspelled, or the metadata of the server
 * does not list the algorithm of the key.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { DpopKey, withDpop } from "@carteiro/oauth2/dpop";
 *
 * const key = await DpopKey.generate();
 * const client = new Client(
 *   "abc",
 *   "secret",
 *   withDpop(key, {
 *     site: "https://provider.example",
 *     fetch: (_url, { headers }) => {
 *       console.assert(new Headers(headers).has("dpop"));
 *       return Promise.resolve(
 *         Response.json({ access_token: "monkey", token_type: "DPoP" }),
 *       );
 *     },
 *   }),
 * );
 * const token = await client.clientCredentials.getToken();
 * console.assert(token.headers.Authorization === "DPoP monkey");
 * console.assert(token.params.dpop_jkt === key.thumbprint);
 * ```
 */
export function withDpop<T extends AccessToken = AccessToken>(
  key: DpopKey,
  options: ClientOptions<T> = {},
  dpop: DpopOptions = {},
): ClientOptions<T> & { accessTokenClass: TokenClass<T> } {
  checkNames(dpop, OPTIONS);
  const supported = options.metadata?.dpop_signing_alg_values_supported;
  if (Array.isArray(supported) && !supported.includes(key.algorithm)) {
    throw invalid(
      `Cannot use the DPoP key: the server supports ${
        supported.join(", ")
      }, not ${key.algorithm}`,
    );
  }
  const { allowBearer = false, ...others } = dpop;
  const {
    fetch,
    clock,
    assertionKey,
    tokenTypes = [],
    accessTokenClass = AccessToken as unknown as TokenClass<T>,
  } = options;
  return {
    ...options,
    fetch: dpopFetch(key, { fetch, clock, assertionKey, ...others }),
    tokenTypes: [...tokenTypes, "DPoP"],
    accessTokenClass: dpopTokenClass(accessTokenClass, {
      thumbprint: key.thumbprint,
      allowBearer,
    }),
  };
}
