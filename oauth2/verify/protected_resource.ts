/**
 * Metadata of protected resources (RFC 9728).
 *
 * @module
 */
import { parseChallenges } from "../core/challenges.ts";
import { sendDirect } from "../core/direct_request.ts";
import { DISCOVER_OPTIONS, type DiscoverOptions } from "../server/discover.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { checkSecure } from "../core/url.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode discoverResource}. */
export interface ResourceOptions extends DiscoverOptions {
  /**
   * Response of the resource server, its headers or its `WWW-Authenticate`
   * header, which may name the URL of the metadata (RFC 9728 section 5.1).
   */
  challenge?: Response | Headers | string | null | undefined;
  /**
   * Accepts the metadata of a resource whose URL is a parent of the requested
   * one, on the same origin: `https://api.example` for
   * `https://api.example/notes`. RFC 9728 section 3.3 requires the same URL.
   * With a `challenge`, the parent must be the resource of its metadata URL:
   * `https://api.example/.well-known/oauth-protected-resource` for this one.
   *
   * @default {false}
   */
  allowParent?: boolean | undefined;
}

/** Metadata of a protected resource (RFC 9728 section 2). */
export interface ResourceMetadata {
  /** Identifier of the resource, for the parameter `resource` (RFC 8707). */
  readonly resource: string;
  /** Issuers of the authorization servers. */
  readonly authorization_servers?: readonly string[];
  /** URL of the JWK set of the resource server. */
  readonly jwks_uri?: string;
  /** Scopes for this resource. */
  readonly scopes_supported?: readonly string[];
  /** Places of a bearer token: `header`, `body`, `query`. */
  readonly bearer_methods_supported?: readonly string[];
  /** Signature algorithms of responses. */
  readonly resource_signing_alg_values_supported?: readonly string[];
  /** Name of the resource for people. */
  readonly resource_name?: string;
  /** URL of the documentation. */
  readonly resource_documentation?: string;
  /** URL of the data usage policy for clients. */
  readonly resource_policy_uri?: string;
  /** URL of the terms of service. */
  readonly resource_tos_uri?: string;
  /** True if tokens must be bound to a client certificate (RFC 8705). */
  readonly tls_client_certificate_bound_access_tokens?: boolean;
  /** Types of authorization details (RFC 9396). */
  readonly authorization_details_types_supported?: readonly string[];
  /** Signature algorithms of DPoP proofs (RFC 9449). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  /** True if tokens must be bound by DPoP. */
  readonly dpop_bound_access_tokens_required?: boolean;
  /** Metadata as a signed JWT, which is not read. */
  readonly signed_metadata?: string;
  /** Other fields. */
  readonly [field: string]: unknown;
}

const OPTIONS = knownNames<ResourceOptions>({
  ...DISCOVER_OPTIONS,
  challenge: true,
  allowParent: true,
});
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/**
 * Fetches the metadata of a protected resource, from the URL of a challenge or
 * from the well-known URL, which has
 * `/.well-known/oauth-protected-resource` between origin and path. Both must be
 * on the origin of the resource. Redirects are not followed.
 *
 * @throws {TypeError} If the resource is not a URL, has a user or fragment, or
 * is insecure, or if the challenge names a URL of another origin.
 * @throws {OAuth2Error} If there is no valid document, or it is that of another
 * resource (RFC 9728 section 3.3).
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { discoverResource } from "@carteiro/oauth2/protected-resource";
 *
 * const resource = "https://api.example/notes";
 * const metadata = await discoverResource(resource, {
 *   fetch: (url) => {
 *     const origin = "https://api.example/.well-known";
 *     console.assert(url === `${origin}/oauth-protected-resource/notes`);
 *     return Promise.resolve(Response.json({
 *       resource,
 *       authorization_servers: ["https://provider.example"],
 *     }));
 *   },
 * });
 * const [issuer] = metadata.authorization_servers ?? [];
 * console.assert(issuer === "https://provider.example");
 * ```
 */
export async function discoverResource(
  resource: string | URL,
  options: ResourceOptions = {},
): Promise<ResourceMetadata> {
  const { challenge, allowParent = false, ...request } = options;
  checkNames(options, OPTIONS);
  const url = checkResource(resource, options.allowInsecure);
  const named = metadataUrlOf(challenge);
  const places = named === undefined
    ? wellKnownUrls(url, allowParent)
    : [checkMetadataUrl(named, url, options.allowInsecure)];
  // Any path of a shared host can send a challenge; its document must not get
  // tokens for the paths above.
  const top = named === undefined ? "" : resourceOf(places[0]!);
  let failure: unknown;
  for (const place of places) {
    const { response, fail } = await sendDirect(
      { method: "GET", url: place },
      request,
    );
    const { status, problem, fields } = response;
    const reason = problem ??
      (status === 200
        ? describeFault(fields, String(resource), allowParent ? top : undefined)
        : `got status ${status}`);
    if (reason === undefined) return fields as ResourceMetadata;
    const error = fail(`Cannot discover the resource at "${place}": ${reason}`);
    if (status >= 500) throw error;
    failure ??= error;
  }
  throw failure;
}

/** Returns the URL of the metadata that a challenge names. */
export function metadataUrlOf(
  source: ResourceOptions["challenge"],
): string | undefined {
  const isResponse = typeof source === "object" && source !== null &&
    "headers" in source;
  const header = isResponse ? source.headers : source;
  return parseChallenges(header)
    .map(({ params }) => params.resource_metadata)
    .find((url) => url !== undefined);
}

function checkResource(
  resource: string | URL,
  allowInsecure: boolean | undefined,
): URL {
  const url = URL.parse(resource);
  if (
    !url || String(resource).includes("#") || url.username || url.password
  ) {
    throw invalid(
      "Cannot discover the resource: it must be a URL without user and fragment",
    );
  }
  return checkSecure(url, allowInsecure);
}

/** Inserts the well-known path between origin and path (section 3.1). */
function wellKnownUrls(url: URL, allowParent: boolean): URL[] {
  const insert = (
    { pathname, search }: { pathname: string; search: string },
  ) => {
    const other = new URL(url);
    other.pathname = WELL_KNOWN + (pathname === "/" ? "" : pathname);
    other.search = search;
    return other;
  };
  const own = insert(url);
  const root = insert({ pathname: "/", search: "" });
  return allowParent && own.href !== root.href ? [own, root] : [own];
}

/**
 * Checks the URL that a challenge names. Section 3 puts the metadata on the
 * origin of the resource; another origin might be that of an internal service.
 */
function checkMetadataUrl(
  named: string,
  resource: URL,
  allowInsecure: boolean | undefined,
): URL {
  const url = URL.parse(named);
  if (!url || url.username || url.password || url.origin !== resource.origin) {
    throw invalid(
      `Cannot discover the resource: resource_metadata must be a URL on "${resource.origin}"`,
    );
  }
  url.hash = "";
  return checkSecure(url, allowInsecure);
}

/**
 * Returns the path of the resource that a metadata URL is made from (section
 * 3.1), or undefined if it is not a well-known URL.
 */
function resourceOf({ pathname }: URL): string | undefined {
  return pathname === WELL_KNOWN || pathname.startsWith(`${WELL_KNOWN}/`)
    ? pathname.slice(WELL_KNOWN.length)
    : undefined;
}

/**
 * Returns the reason why a document is invalid. `top` is the highest path that
 * its resource may have; undefined if it must have the URL that is wanted.
 */
function describeFault(
  fields: Record<string, unknown> | undefined,
  wanted: string,
  top: string | undefined,
): string | undefined {
  if (!fields) return "the document is not a JSON object";
  const { resource, authorization_servers: servers = undefined } = fields;
  if (typeof resource !== "string") return "resource must be a URL";
  if (resource !== wanted && !isParent(resource, wanted, top)) {
    return `the document describes "${resource}", not "${wanted}"`;
  }
  if (servers === undefined || servers === null) return undefined;
  const areUrls = Array.isArray(servers) &&
    servers.every((issuer) =>
      typeof issuer === "string" && URL.canParse(issuer)
    );
  return areUrls ? undefined : "authorization_servers must be a list of URLs";
}

/**
 * Returns true if the path of a URL begins with the segments of another, which
 * is not above `top`.
 */
function isParent(
  parent: string,
  child: string,
  top: string | undefined,
): boolean {
  const [a, b] = [URL.parse(parent), URL.parse(child)];
  if (
    top === undefined || !a || !b || a.origin !== b.origin || a.username ||
    a.search || a.hash
  ) return false;
  return isWithin(b.pathname, a.pathname) && isWithin(a.pathname, top);
}

/** Returns true if a path begins with the segments of another. */
function isWithin(path: string, other: string): boolean {
  const start = other.replace(/\/$/, "");
  return path === start || path.startsWith(`${start}/`);
}
