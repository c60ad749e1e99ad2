import { parseJson } from "../core/parsers.ts";
import type { CallOptions } from "../core/call_params.ts";
import type { OAuth2Response } from "../core/response.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import { Jwks, type JwksOptions } from "./jwks.ts";

/** Client of an OpenID provider; a `Client` is one. */
export interface OpenIdClient {
  /** Client id. */
  readonly id: string | undefined;
  /** Client secret, for HS algorithms. */
  readonly secret: string | undefined;
  /** Issuer of the server. */
  readonly issuer: string | undefined;
  /** Issuer in the ID tokens of a server with many tenants. */
  readonly issuerTemplate?: string | undefined;
  /** Metadata of the server. */
  readonly metadata: ServerMetadata | undefined;
  /** Defaults of every request. */
  readonly connectionOpts: { readonly signal?: AbortSignal | undefined };
  /** Logs a warning. */
  warn?(message: string): void;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Fetches a public document of the server. */
  get(url: string, options: CallOptions): Promise<OAuth2Response>;
}

/**
 * Returns a cache of the keys at the `jwks_uri` of the metadata, or undefined
 * without one.
 */
export function clientKeys(
  client: OpenIdClient,
  options: JwksOptions = {},
): Jwks | undefined {
  const { jwks_uri } = client.metadata ?? {};
  if (jwks_uri === undefined) return undefined;
  const headers = { accept: "application/jwk-set+json, application/json" };
  return new Jwks(
    async (signal) => {
      const { parsed } = await client.get(jwks_uri, {
        signal,
        headers,
        // Some servers send the document as text/plain.
        parse: parseJson,
        snaky: false,
        raiseErrors: true,
      });
      return parsed;
    },
    { clock: () => client.now(), ...options },
  );
}
