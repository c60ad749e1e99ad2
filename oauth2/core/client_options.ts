import { toBase64 } from "./base64.ts";
import type { AuthScheme, RegisteredAuthScheme } from "./client_auth.ts";
import { type Config, CONFIG_NAMES, isDebugWanted } from "./config.ts";
import {
  type HeaderFields,
  type HeaderSource,
  mergeHeaders,
} from "./headers.ts";
import { copyKey, type JwtKey } from "../server/jwt.ts";
import { checkNames, knownNames } from "./names.ts";
import { encodeText, onlyDefined } from "./params.ts";
import type { Parsers } from "./response.ts";
import type { TokenMethod } from "./call_params.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import type { AccessToken, TokenClass } from "./token.ts";
import type { TokenHash } from "./token_hash.ts";
import { checkLimit, type Fetch } from "./transport.ts";
import { invalid } from "./type_error.ts";
import { readOrigins } from "./url.ts";

/** Logger, such as `console`. */
export interface Logger {
  /** Logs a request or a response. */
  debug(line: string): void;
  /** Logs a warning. */
  warn(line: string): void;
}

/** Defaults for every request of a client. */
export interface ConnectionOptions {
  /**
   * Timeout of each request in milliseconds; 0 for none.
   *
   * @default {30000}
   */
  timeout?: number | undefined;
  /** Signal that aborts calls without their own signal. */
  signal?: AbortSignal | undefined;
  /** Headers of every request. */
  headers?: HeaderSource | undefined;
  /**
   * Maximum length of a response body in bytes.
   *
   * @default {1048576 from the authorization server, 67108864 otherwise}
   */
  maxBodyBytes?: number | undefined;
}

/** Adapter to a server that deviates from the specifications. */
export interface ServerAdapter {
  /** Changes the options of a client when it is created. */
  adapt<T extends AccessToken>(options: ClientOptions<T>): ClientOptions<T>;
  /** Changes the URL of an authorization request. */
  authorizeUrl(url: string): string;
}

/** Options of a client. */
export interface ClientOptions<T extends AccessToken = AccessToken> {
  /** Base URL for paths. */
  site?: string | URL | undefined;
  /**
   * Authorization endpoint, a path or a URL; null if the server has none.
   *
   * @default {"oauth/authorize"}
   */
  authorizeUrl?: string | URL | null | undefined;
  /**
   * Token endpoint, a path or a URL.
   *
   * @default {"oauth/token"}
   */
  tokenUrl?: string | URL | undefined;
  /**
   * Revocation endpoint, a path or a URL; null if the server has none.
   *
   * @default {"oauth/revoke"}
   */
  revokeUrl?: string | URL | null | undefined;
  /** Default redirect URI. */
  redirectUri?: string | undefined;
  /**
   * Client authentication method, by its name here or by that in metadata:
   * `client_secret_basic` is `basic_auth`, `client_secret_post` is
   * `request_body`.
   *
   * @default {"private_key_jwt" with an `assertionKey`, otherwise "basic_auth"}
   */
  authScheme?: AuthScheme | RegisteredAuthScheme | undefined;
  /**
   * Encoding of id and secret in Basic credentials: `form` as RFC 6749 section
   * 2.3.1 requires, or `raw` for servers that do not decode them.
   *
   * @default {"form"}
   */
  basicAuthEncoding?: "form" | "raw" | undefined;
  /** Key that signs the assertions of `private_key_jwt`. */
  assertionKey?: JwtKey | undefined;
  /**
   * Issuer of the server: the audience of client assertions (RFC 7523bis), and
   * the issuer of ID tokens. Without one, the audience of assertions is the URL
   * of the token endpoint.
   *
   * @default {`issuer` of the metadata}
   */
  issuer?: string | undefined;
  /**
   * Issuer in the ID tokens of a server with many tenants, with `{tenantid}`
   * for the claim `tid`; see `IdTokenValidatorOptions`.
   *
   * @default {none: `iss` must be the issuer}
   */
  issuerTemplate?: string | undefined;
  /**
   * Metadata of the server, as `discover` returns it: its keys and endpoints.
   * With `tls_client_auth`, its `mtls_endpoint_aliases` replace the endpoints
   * (RFC 8705 section 5).
   */
  metadata?: ServerMetadata | undefined;
  /**
   * Method of token requests. Other methods than `post` put secrets into URLs.
   *
   * @default {"post"}
   */
  tokenMethod?: TokenMethod | undefined;
  /**
   * Token types that are accepted in addition to `bearer`, case-insensitive.
   *
   * @default {[]}
   */
  tokenTypes?: readonly string[] | undefined;
  /**
   * Function that returns the token object from the fields of a response, for
   * servers that nest it.
   */
  extractAccessToken?:
    | ((fields: Record<string, unknown>) => TokenHash | undefined)
    | undefined;
  /**
   * Class of tokens.
   *
   * @default {AccessToken}
   */
  accessTokenClass?: TokenClass<T> | undefined;
  /**
   * Throws error responses. If false, the error is the `error` of the response.
   * A refused redirect always throws.
   *
   * @default {true}
   */
  raiseErrors?: boolean | undefined;
  /**
   * Converts the names in parsed objects to snake case.
   *
   * @default {true for responses of the authorization server}
   */
  snaky?: boolean | undefined;
  /** Parsers by name or media type; they override those of the process. */
  parsers?: Parsers | undefined;
  /**
   * Settings of this client; they override those of the process.
   *
   * @default {{}}
   */
  config?: Partial<Config> | undefined;
  /**
   * Maximum number of redirects of a resource server to follow.
   *
   * @default {5}
   */
  maxRedirects?: number | undefined;
  /**
   * Follows redirects of resource servers to other origins, without
   * credentials.
   *
   * @default {false}
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /**
   * Origins to which requests may be sent, e.g. `https://api.example`. Does not
   * restrict `authorizeUrl`, `tokenUrl` and `revokeUrl`.
   *
   * @default {any origin}
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Allows plain http to other hosts than loopback.
   *
   * @default {false}
   */
  allowInsecure?: boolean | undefined;
  /** Defaults for every request. */
  connectionOpts?: ConnectionOptions | undefined;
  /**
   * Logger of debug lines and warnings.
   *
   * @default {console}
   */
  logger?: Logger | undefined;
  /**
   * Logs requests and responses, with secrets redacted.
   *
   * @default {true if the environment variable OAUTH_DEBUG is "true"}
   */
  debug?: boolean | undefined;
  /**
   * Function that sends requests, e.g. for a proxy, a client certificate or
   * middleware.
   *
   * @default {globalThis.fetch}
   */
  fetch?: Fetch | undefined;
  /**
   * Adapter to a server that deviates from the specifications; `withQuirks` and
   * `providerOptions` create it.
   */
  adapter?: ServerAdapter | undefined;
  /**
   * Clock, in milliseconds since 1970.
   *
   * @default {Date.now}
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

const OPTIONS = knownNames<ClientOptions>({
  ...DEFAULTS,
  ...ENDPOINTS,
  site: true,
  redirectUri: true,
  authScheme: true,
  assertionKey: true,
  issuer: true,
  issuerTemplate: true,
  metadata: true,
  tokenTypes: true,
  extractAccessToken: true,
  accessTokenClass: true,
  snaky: true,
  parsers: true,
  config: true,
  allowCrossOriginRedirects: true,
  allowedOrigins: true,
  allowInsecure: true,
  debug: true,
  fetch: true,
  adapter: true,
});
const CONNECTION_OPTIONS = knownNames<ConnectionOptions>({
  timeout: true,
  signal: true,
  headers: true,
  maxBodyBytes: true,
});
/** Names of methods in metadata (RFC 8414 section 2) that differ from ours. */
const AUTH_SCHEMES: { readonly [name in RegisteredAuthScheme]: AuthScheme } = {
  client_secret_basic: "basic_auth",
  client_secret_post: "request_body",
  self_signed_tls_client_auth: "tls_client_auth",
};

/** Options with defaults applied. */
type Resolved<O, D> =
  & { readonly [K in Exclude<keyof O, keyof D>]: Exclude<O[K], null> }
  & { readonly [K in keyof D & keyof O]-?: NonNullable<O[K]> };

/** Id, secret and options of a client, with defaults applied. */
export type Settings<T extends AccessToken> =
  & Resolved<
    Omit<ClientOptions<T>, keyof typeof ENDPOINTS | "site" | "authScheme"> & {
      authScheme?: AuthScheme;
      id?: string | null;
      secret?: string | null;
    },
    typeof DEFAULTS & { authScheme: AuthScheme; debug: boolean }
  >
  & { readonly [name in keyof typeof ENDPOINTS]: string | null }
  & {
    readonly site: string | undefined;
    /** False if the id is undefined; a null id is deliberate. */
    readonly hasId: boolean;
    /** Value of the `Authorization` header, for `basic_auth` with a secret. */
    readonly basicCredentials: string | undefined;
    /** Values to redact: the secret, if any. */
    readonly secrets: readonly string[];
    readonly endpointHeaders: HeaderFields;
  };

/**
 * Checks the options of a client and applies the defaults. The settings are a
 * copy: later changes of the options have no effect.
 */
export function resolveOptions<T extends AccessToken>(
  id: string | null | undefined,
  secret: string | null | undefined,
  given: ClientOptions<T>,
): Settings<T> {
  if (typeof (id ?? "") !== "string" || typeof (secret ?? "") !== "string") {
    throw invalid("Cannot create the client: id and secret must be text");
  }
  checkNames(given, OPTIONS);
  const options = given.adapter?.adapt(given) ?? given;
  const connectionOpts: ConnectionOptions = options.connectionOpts ?? {};
  checkNames(connectionOpts, CONNECTION_OPTIONS);
  checkNames(options.config ?? {}, CONFIG_NAMES);
  const settings = {
    ...DEFAULTS,
    authScheme: options.assertionKey ? "private_key_jwt" : "basic_auth",
    debug: options.debug ?? isDebugWanted(),
    ...onlyDefined({ ...options, id, secret }),
  };
  const { assertionKey, authScheme } = settings;
  checkLimit("timeout", connectionOpts.timeout);
  checkLimit("maxBodyBytes", connectionOpts.maxBodyBytes);
  const headers = Object.freeze(mergeHeaders(connectionOpts.headers));
  return {
    ...settings,
    authScheme: AUTH_SCHEMES[authScheme as RegisteredAuthScheme] ?? authScheme,
    site: settings.site?.toString(),
    issuer: settings.issuer ?? settings.metadata?.issuer,
    authorizeUrl: endpointOf(options, "authorizeUrl"),
    tokenUrl: endpointOf(options, "tokenUrl"),
    revokeUrl: endpointOf(options, "revokeUrl"),
    allowedOrigins: settings.allowedOrigins &&
      readOrigins(settings.allowedOrigins),
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

/** Returns the endpoint of an option; null is not replaced by the default. */
function endpointOf<T extends AccessToken>(
  options: ClientOptions<T>,
  name: keyof typeof ENDPOINTS,
): string | null {
  const { [name]: target = ENDPOINTS[name] } = options;
  return target && String(target);
}

/** Encodes id and secret as Basic credentials (RFC 6749 section 2.3.1). */
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
