import type { Settings } from "./client_options.ts";
import type { AccessToken } from "./token.ts";
import { checkSecure, resolveUrl } from "./url.ts";

/** Names of the endpoints by the options that hold them. */
const NAMES = {
  authorizeUrl: "authorization",
  tokenUrl: "token",
  revokeUrl: "revocation",
} as const;

/** Option that holds an endpoint. */
export type EndpointName = keyof typeof NAMES;

/** Settings of a client that say where requests go. */
type EndpointSettings = Pick<
  Settings<AccessToken>,
  | EndpointName
  | "site"
  | "authScheme"
  | "metadata"
  | "allowInsecure"
  | "allowedOrigins"
>;

/** URLs to which a client of one site may send requests. */
export class Endpoints {
  #settings: EndpointSettings;
  #resolved: { [name in EndpointName]?: URL } = {};

  /** Takes the settings as they are; a client with another site has others. */
  constructor(settings: EndpointSettings) {
    this.#settings = settings;
  }

  /**
   * Resolves an endpoint of the options, which is done once.
   *
   * @throws {TypeError} When the server has none, or its URL cannot be used.
   */
  get(name: EndpointName): URL {
    const target = this.#settings[name];
    if (target === null) {
      throw new TypeError(
        `Cannot use the ${NAMES[name]} endpoint: the server has none`,
      );
    }
    return this.#resolved[name] ??= this.#resolve(target);
  }

  /**
   * Resolves an endpoint that a caller names. Beside the allowed origins, those
   * of the server are allowed.
   *
   * @throws {TypeError} When the URL cannot be used, or its origin is not
   * allowed.
   */
  find(target: string | URL): URL {
    const url = this.#resolve(target);
    if (!this.isAllowed(url) && !this.#isOfServer(url)) refuse(url);
    return url;
  }

  /**
   * Resolves the target of a request to a resource server.
   *
   * @throws {TypeError} When the URL cannot be used, or its origin is not
   * allowed.
   */
  findResource(target: string | URL): URL {
    const url = this.#check(target);
    if (!this.isAllowed(url)) refuse(url);
    return url;
  }

  /** True for a URL of an allowed origin. */
  isAllowed({ origin }: URL): boolean {
    return this.#settings.allowedOrigins?.includes(origin) ?? true;
  }

  /** True for a URL of the origin of an endpoint, in options or metadata. */
  #isOfServer({ origin }: URL): boolean {
    const { site, authorizeUrl, tokenUrl, revokeUrl, metadata } =
      this.#settings;
    const found = [metadata, metadata?.mtls_endpoint_aliases]
      .flatMap((fields) => Object.entries(fields ?? {}))
      .filter(([name]) => name.endsWith("_endpoint"))
      .map(([, url]) => url);
    return [site, authorizeUrl, tokenUrl, revokeUrl, ...found].some((url) =>
      typeof url === "string" && URL.parse(url, site)?.origin === origin
    );
  }

  /** Resolves an endpoint, or its alias for client certificates (RFC 8705 section 5). */
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
  throw new TypeError(
    `Cannot send a request to "${origin}": it is not an allowed origin`,
  );
}
