import { toBase64 } from "./base64.ts";
import type { AuthScheme } from "./client_auth.ts";
import { type Config, isDebugWanted } from "./config.ts";
import { onlyDefined, type Resolved, withDefaults } from "./defaults.ts";
import {
  type HeaderFields,
  type HeaderSource,
  mergeHeaders,
} from "./headers.ts";
import { copyKey, type JwtKey } from "./jwt.ts";
import { checkName, knownNames } from "./names.ts";
import { encodeText } from "./params.ts";
import type { Parsers } from "./parsers.ts";
import type { TokenMethod } from "./request.ts";
import type { ServerMetadata } from "./server_metadata.ts";
import type { AccessToken, TokenClass } from "./token.ts";
import type { TokenHash } from "./token_hash.ts";
import { checkLimit, type Fetch } from "./transport.ts";

/** Logger: `console`, or any other with these two methods. */
export interface Logger {
  /** Takes a line about a request or a response. */
  debug(line: string): void;
  /** Takes a line about a likely mistake. */
  warn(line: string): void;
}

/** Defaults of every request of a client. */
export interface ConnectionOptions {
  /**
   * Milliseconds for each request; 0 for no limit.
   *
   * @default 30000
   */
  timeout?: number | undefined;
  /** Signal that ends the calls without a signal of their own. */
  signal?: AbortSignal | undefined;
  /** Headers of every request. */
  headers?: HeaderSource | undefined;
  /**
   * Bytes after which a body is refused.
   *
   * @default 1048576 for tokens and revocation, 67108864 for resources
   */
  maxBodyBytes?: number | undefined;
}

/** Options of a client. */
export interface ClientOptions<T extends AccessToken = AccessToken> {
  /** Base URL, against which paths are resolved. */
  site?: string | URL | undefined;
  /**
   * Authorization endpoint: a path or a URL, as the other two, or null for a
   * server without one.
   *
   * @default "oauth/authorize"
   */
  authorizeUrl?: string | URL | null | undefined;
  /**
   * Token endpoint.
   *
   * @default "oauth/token"
   */
  tokenUrl?: string | URL | undefined;
  /**
   * Revocation endpoint.
   *
   * @default "oauth/revoke"
   */
  revokeUrl?: string | URL | null | undefined;
  /** Redirect URI of calls that name none. */
  redirectUri?: string | undefined;
  /**
   * Client authentication method.
   *
   * @default "private_key_jwt" with an `assertionKey`, otherwise "basic_auth"
   */
  authScheme?: AuthScheme | undefined;
  /**
   * Encoding of id and secret in Basic credentials: as a form, as RFC 6749
   * section 2.3.1 wants it, or none, as some servers expect it.
   *
   * @default "form"
   */
  basicAuthEncoding?: "form" | "raw" | undefined;
  /** Key that signs the assertions of private_key_jwt. */
  assertionKey?: JwtKey | undefined;
  /**
   * Issuer of the server, to which client assertions are addressed.
   *
   * @default the URL of the token endpoint
   */
  issuer?: string | undefined;
  /**
   * Metadata of the server, as `discover` gives it. With tls_client_auth its
   * `mtls_endpoint_aliases` replace the endpoints (RFC 8705 section 5).
   */
  metadata?: ServerMetadata | undefined;
  /**
   * Method of the token endpoint, for servers that need another.
   *
   * @default "post"
   */
  tokenMethod?: TokenMethod | undefined;
  /**
   * Types of tokens that are taken besides bearer, in any letter case.
   *
   * @default []
   */
  tokenTypes?: readonly string[] | undefined;
  /**
   * Function that finds the object with the token among the fields of a
   * response, where it is not the response itself.
   */
  extractAccessToken?:
    | ((fields: Record<string, unknown>) => TokenHash | undefined)
    | undefined;
  /**
   * Class of tokens.
   *
   * @default AccessToken
   */
  accessTokenClass?: TokenClass<T> | undefined;
  /**
   * Throws errors of the server. Otherwise they are in the `error` of the
   * response. A refused redirect always throws.
   *
   * @default true
   */
  raiseErrors?: boolean | undefined;
  /**
   * Turns the names in parsed objects into snake case.
   *
   * @default true
   */
  snaky?: boolean | undefined;
  /** Parsers by names and media types, before those of the process. */
  parsers?: Parsers | undefined;
  /**
   * Settings of this client, before those of the process.
   *
   * @default {}
   */
  config?: Partial<Config> | undefined;
  /**
   * Number of redirects of resource servers that are followed.
   *
   * @default 5
   */
  maxRedirects?: number | undefined;
  /**
   * Follows redirects of resource servers to another origin too, to which no
   * credential goes.
   *
   * @default false
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /**
   * Origins to which `request` may send a token, and anything else, such as
   * `https://api.example`. The endpoints of the authorization server are named
   * by their own options.
   *
   * @default any
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Allows plain http beyond loopback.
   *
   * @default false
   */
  allowInsecure?: boolean | undefined;
  /** Defaults of every request. */
  connectionOpts?: ConnectionOptions | undefined;
  /**
   * Destination of log lines.
   *
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * Logs requests and responses, without their secrets.
   *
   * @default true if the environment variable OAUTH_DEBUG is "true"
   */
  debug?: boolean | undefined;
  /**
   * Function that sends requests. Wrap it for middleware, proxies and
   * certificates.
   *
   * @default globalThis.fetch
   */
  fetch?: Fetch | undefined;
  /**
   * Clock: milliseconds since 1970.
   *
   * @default Date.now
   */
  clock?: (() => number) | undefined;
}

const DEFAULTS = {
  basicAuthEncoding: "form",
  tokenMethod: "post",
  raiseErrors: true,
  maxRedirects: 5,
  connectionOpts: {},
  logger: console,
  clock: () => Date.now(),
} satisfies ClientOptions;

const ENDPOINTS = {
  authorizeUrl: "oauth/authorize",
  tokenUrl: "oauth/token",
  revokeUrl: "oauth/revoke",
};

/** Names of {@link ClientOptions}. */
const OPTIONS = knownNames([
  ...Object.keys({ ...DEFAULTS, ...ENDPOINTS }),
  ..."site redirectUri authScheme assertionKey issuer metadata tokenTypes extractAccessToken accessTokenClass snaky parsers config allowCrossOriginRedirects allowedOrigins allowInsecure debug fetch"
    .split(" "),
]);

/** Id and options of a client, defaults filled in. */
export type Settings<T extends AccessToken> =
  & Resolved<
    Omit<ClientOptions<T>, keyof typeof ENDPOINTS | "site"> & {
      id?: string | null;
      secret?: string | null;
    },
    typeof DEFAULTS & { authScheme: AuthScheme; debug: boolean }
  >
  & { readonly [name in keyof typeof ENDPOINTS]: string | null }
  & {
    /** Base URL. */
    readonly site: string | undefined;
    /** Tells an id that was left out from one that is null on purpose. */
    readonly hasId: boolean;
    /** Value of the Authorization header, for basic_auth with a secret. */
    readonly basicCredentials: string | undefined;
    /** The secret, if any, for redaction. */
    readonly secrets: readonly string[];
    /** Headers of requests to the authorization server. */
    readonly endpointHeaders: HeaderFields;
  };

/**
 * Checks the options of a client and fills in its defaults. The settings are a
 * copy: later changes of the options have no effect.
 *
 * @throws {TypeError} When an option cannot be used, or its name is misspelled.
 */
export function resolveOptions<T extends AccessToken>(
  id: string | null | undefined,
  secret: string | null | undefined,
  options: ClientOptions<T>,
): Settings<T> {
  for (const name of Object.keys(options)) checkName(name, OPTIONS);
  const settings = withDefaults({ ...options, id, secret }, {
    ...DEFAULTS,
    authScheme: options.assertionKey ? "private_key_jwt" : "basic_auth",
    debug: options.debug ?? isDebugWanted(),
  });
  const { connectionOpts, assertionKey } = settings;
  checkLimit("timeout", connectionOpts.timeout);
  checkLimit("maxBodyBytes", connectionOpts.maxBodyBytes);
  const headers = Object.freeze(mergeHeaders(connectionOpts.headers));
  return {
    ...settings,
    site: settings.site?.toString(),
    authorizeUrl: endpointOf(options, "authorizeUrl"),
    tokenUrl: endpointOf(options, "tokenUrl"),
    revokeUrl: endpointOf(options, "revokeUrl"),
    allowedOrigins: settings.allowedOrigins?.map(originOf),
    tokenTypes: settings.tokenTypes?.map((type) => type.toLowerCase()),
    assertionKey: assertionKey && copyKey(assertionKey),
    connectionOpts: Object.freeze({ ...connectionOpts, headers }),
    config: onlyDefined(settings.config),
    parsers: { ...settings.parsers },
    hasId: id !== undefined,
    basicCredentials: basicCredentials(settings),
    secrets: settings.secret === undefined ? [] : [settings.secret],
    endpointHeaders: { accept: "application/json", ...headers },
  } as unknown as Settings<T>;
}

/** Reads an endpoint; null, and not a default, stands for none. */
function endpointOf<T extends AccessToken>(
  options: ClientOptions<T>,
  name: keyof typeof ENDPOINTS,
): string | null {
  const { [name]: target = ENDPOINTS[name] } = options;
  return target && String(target);
}

function originOf(origin: string): string {
  const url = URL.parse(origin);
  if (url && url.origin !== "null") return url.origin;
  throw new TypeError(
    `Cannot use the allowed origin "${origin}": it is not like https://api.example`,
  );
}

/** Encodes id and secret (RFC 6749 section 2.3.1). */
function basicCredentials(
  { id = "", secret, basicAuthEncoding }: {
    readonly id?: string | undefined;
    readonly secret?: string | undefined;
    readonly basicAuthEncoding: "form" | "raw";
  },
): string | undefined {
  if (secret === undefined) return undefined;
  const encode = basicAuthEncoding === "form" ? encodeText : String;
  const credentials = `${encode(id)}:${encode(secret)}`;
  return `Basic ${toBase64(new TextEncoder().encode(credentials))}`;
}
