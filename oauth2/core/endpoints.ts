import type { Settings } from "./client_options.ts";
import { OAuth2Error, type OAuth2Response } from "./response.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import type { AccessToken } from "./token.ts";
import { checkSecure, readOrigins, resolveUrl } from "./url.ts";
import { forbidden, invalid } from "./type_error.ts";

const NAMES = {
  authorizeUrl: "authorization",
  tokenUrl: "token",
  revokeUrl: "revocation",
} as const;

/** Option with the URL of an endpoint. */
export type EndpointName = keyof typeof NAMES;

type EndpointSettings = Pick<
  Settings<AccessToken>,
  | EndpointName
  | "site"
  | "authScheme"
  | "metadata"
  | "allowInsecure"
  | "allowedOrigins"
>;

/** URLs that a client may send requests to, for one value of `site`. */
export class Endpoints {
  #settings: EndpointSettings;
  #resolved: { [name in EndpointName]?: URL } = {};

  /**
   * Creates the endpoints of a client; another `site` needs another instance.
   */
  constructor(settings: EndpointSettings) {
    this.#settings = settings;
  }

  /**
   * Resolves an endpoint of the options, once.
   *
   * @throws {TypeError} If the server has no such endpoint, or its URL is
   * invalid or insecure.
   */
  get(name: EndpointName): URL {
    const target = this.#settings[name];
    if (target === null) {
      throw invalid(
        `Cannot use the ${NAMES[name]} endpoint: the server has none`,
      );
    }
    return this.#resolved[name] ??= this.#resolve(target);
  }

  /**
   * Resolves an endpoint of the authorization server by its URL. The origins of
   * the server are allowed in addition to `allowedOrigins`.
   *
   * @throws {TypeError} If the URL is invalid or insecure, or its origin is not
   * allowed.
   */
  find(target: string | URL): URL {
    const url = this.#resolve(target);
    if (!this.isAllowed(url) && !this.#isOfServer(url)) refuse(url);
    return url;
  }

  /**
   * Resolves the target of a request to a resource server. `origins` are those
   * of the request.
   *
   * @throws {TypeError} If the URL is invalid or insecure, or its origin is not
   * allowed.
   */
  findResource(target: string | URL, origins?: readonly string[]): URL {
    const url = this.#check(target);
    const isOther = origins && !readOrigins(origins).includes(url.origin);
    if (isOther || !this.isAllowed(url)) {
      refuse(url);
    }
    return url;
  }

  /** Returns true if `allowedOrigins` permits the origin of a URL. */
  isAllowed({ origin }: URL): boolean {
    return this.#settings.allowedOrigins?.includes(origin) ?? true;
  }

  /** Returns true for the origin of an endpoint in the options or metadata. */
  #isOfServer({ origin }: URL): boolean {
    const { site, authorizeUrl, tokenUrl, revokeUrl, metadata } =
      this.#settings;
    const found = [metadata, metadata?.mtls_endpoint_aliases]
      .flatMap((fields) => Object.entries(fields ?? {}))
      .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
      .map(([, url]) => url);
    return [site, authorizeUrl, tokenUrl, revokeUrl, ...found].some((url) =>
      typeof url === "string" && URL.parse(url, site)?.origin === origin
    );
  }

  /** Resolves an endpoint, or its mutual TLS alias (RFC 8705 section 5). */
  #resolve(target: string | URL): URL {
    const { authScheme, metadata } = this.#settings;
    const [, alias] = authScheme === "tls_client_auth"
      ? Object.entries(metadata?.mtls_endpoint_aliases ?? {})
        .find(([name]) => metadata?.[name] === String(target)) ?? []
      : [];
    return this.#check(alias ?? target);
  }

  #check(target: string | URL): URL {
    const { site, allowInsecure } = this.#settings;
    return checkSecure(resolveUrl(site, target), allowInsecure);
  }
}

function refuse({ origin }: URL): never {
  throw forbidden(
    `Cannot send a request to "${origin}": it is not in allowedOrigins`,
  );
}

/** Option of a call to such an endpoint. */
export interface EndpointChoice {
  /**
   * URL of the endpoint.
   *
   * @default {that of the client's metadata}
   */
  endpoint?: string | URL | undefined;
}

/**
 * Returns the URL of an endpoint, from the option or the metadata.
 *
 * @throws {TypeError} If neither names the endpoint.
 */
export function findEndpoint(
  field: string,
  metadata: ServerMetadata | undefined,
  { endpoint }: EndpointChoice,
): string | URL {
  const url = endpoint ?? metadata?.[field];
  if (typeof url === "string" || url instanceof URL) return url;
  throw invalid(
    `Cannot use the ${field}: the metadata of the client has none`,
  );
}

/** Refuses a response that breaks a rule; `state` has no part of the body. */
export function refuseResponse(
  name: string,
  response: OAuth2Response,
  state: string,
): never {
  throw new OAuth2Error(response, {
    message: `Cannot use the ${name}: ${state}`,
    // Descriptions of a malformed response may repeat a secret.
    redact: () => "",
  });
}
