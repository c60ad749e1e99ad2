import { isPlainObject } from "./params.ts";

/** Metadata of a client (RFC 7591 section 2). */
export interface ClientMetadata {
  /** Redirect URIs. */
  readonly redirect_uris?: readonly string[];
  /** Client authentication method, e.g. `client_secret_basic` or `none`. */
  readonly token_endpoint_auth_method?: string;
  /** Grant types, e.g. `authorization_code`. */
  readonly grant_types?: readonly string[];
  /** Response types, e.g. `code`. */
  readonly response_types?: readonly string[];
  /** Name for people. */
  readonly client_name?: string;
  /** URL of a page about the client. */
  readonly client_uri?: string;
  /** URL of a logo. */
  readonly logo_uri?: string;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
  /** People responsible for the client. */
  readonly contacts?: readonly string[];
  /** URL of the terms of service. */
  readonly tos_uri?: string;
  /** URL of the privacy policy. */
  readonly policy_uri?: string;
  /** URL of the JWK set of the client. */
  readonly jwks_uri?: string;
  /** JWK set of the client. */
  readonly jwks?: Readonly<Record<string, unknown>>;
  /** Id of the software, the same for all its instances. */
  readonly software_id?: string;
  /** Version of the software. */
  readonly software_version?: string;
  /** Claims about the software, as a signed JWT. */
  readonly software_statement?: string;
  /** `web` or `native` (OpenID Connect Registration section 2). */
  readonly application_type?: string;
  /** Other members. */
  readonly [member: string]: unknown;
}

/**
 * Returns the names of the members that were registered with other values than
 * requested. Lists may have another order, and so may scopes.
 */
export function changedMembers(
  asked: ClientMetadata,
  registered: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(asked)
    .filter(([name, value]) =>
      value !== undefined && value !== null &&
      normalize(name, value) !== normalize(name, registered[name])
    )
    .map(([name]) => name);
}

/** Returns a text that is the same for equal values, sorted where order is free. */
function normalize(name: string, value: unknown): string | undefined {
  if (name === "scope" && typeof value === "string") {
    return value.split(" ").filter((scope) => scope).sort().join(" ");
  }
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => JSON.stringify(sorted(item))).sort();
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, item]) => [name, sorted(item)]),
  );
}
