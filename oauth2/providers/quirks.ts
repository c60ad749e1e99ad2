/**
 * Servers that deviate from the specifications, each deviation declared.
 *
 * @module
 */
import { FORM_TYPE } from "../core/body.ts";
import type { ClientOptions, ServerAdapter } from "../core/client_options.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { encodeParams } from "../core/params.ts";
import {
  extractToken,
  type IsEndpoint,
  quirkyParsers,
  type ResponseQuirks,
} from "./quirky_response.ts";
import type { AccessToken } from "../core/token.ts";
import type { Fetch } from "../core/transport.ts";
import { resolveUrl } from "../core/url.ts";

export type { ResponseQuirks } from "./quirky_response.ts";

/**
 * Deviations of a server. Without any, the client is as strict as the
 * specifications. A path names members of nested objects: `error.type`.
 */
export interface Quirks extends ResponseQuirks {
  /** Values of `token_type` of bearer tokens, besides `bearer`. */
  readonly tokenTypes?: readonly string[] | undefined;
  /**
   * Separator of scopes in requests.
   *
   * @default {" "}
   */
  readonly scopeSeparator?: string | undefined;
  /** Names of parameters at this server, by their registered names. */
  readonly parameterNames?: { readonly [name: string]: string } | undefined;
  /**
   * Encoding of id and secret in Basic credentials: `raw` for a server that
   * does not decode them.
   *
   * @default {"form"}
   */
  readonly secretEncoding?: "form" | "raw" | undefined;
  /**
   * Issuer of a server with many tenants; `{tenantid}` stands for the claim
   * `tid` of the ID token.
   */
  readonly issuerTemplate?: string | undefined;
  /** Headers of requests to the endpoints of the server. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

const QUIRKS = knownNames<Quirks>({
  textResponses: true,
  error: true,
  tokenPath: true,
  tokenTypes: true,
  scopeSeparator: true,
  responseScopes: true,
  parameterNames: true,
  fieldNames: true,
  secretEncoding: true,
  issuerTemplate: true,
  headers: true,
});
const ERROR = knownNames<NonNullable<Quirks["error"]>>({
  code: true,
  description: true,
  codes: true,
});
/** Endpoints of the metadata that clients do not send their parameters to. */
const OTHER_ENDPOINTS = [
  "authorization_endpoint",
  "userinfo_endpoint",
  "end_session_endpoint",
];

/**
 * Adds the quirks of a server to the options of a client. They apply to its
 * authorization requests and its endpoints, never to resource servers.
 *
 * @throws {TypeError} If a quirk is unknown.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { withQuirks } from "@carteiro/oauth2/quirks";
 *
 * const client = new Client("abc", "secret", withQuirks({
 *   scopeSeparator: ",",
 *   tokenPath: "data.token",
 *   fieldNames: { valid_for: "expires_in" },
 * }, {
 *   site: "https://provider.example",
 *   fetch: () =>
 *     Promise.resolve(Response.json({
 *       data: { token: { access_token: "monkey", expires_in: 60 } },
 *     })),
 * }));
 * const url = client.authCode.authorizeUrl({ scope: ["read", "write"] });
 * console.assert(new URL(url).searchParams.get("scope") === "read,write");
 * const token = await client.clientCredentials.getToken();
 * console.assert(token.token === "monkey");
 * ```
 */
export function withQuirks<T extends AccessToken = AccessToken>(
  quirks: Quirks,
  options: ClientOptions<T> = {},
): ClientOptions<T> {
  checkNames(quirks, QUIRKS);
  checkNames(quirks.error ?? { code: "" }, ERROR);
  const adapter: ServerAdapter = {
    adapt: (options) => adapt(quirks, options),
    authorizeUrl: (url) => changeUrl(quirks, url),
  };
  return { ...options, adapter };
}

function adapt<T extends AccessToken>(
  quirks: Quirks,
  options: ClientOptions<T>,
): ClientOptions<T> {
  const isEndpoint = endpointsOf(options);
  const {
    tokenTypes = [],
    secretEncoding,
    issuerTemplate,
    tokenPath,
    responseScopes,
  } = quirks;
  const { fetch, extractAccessToken: inner } = options;
  return {
    ...options,
    fetch: quirkyFetch(quirks, isEndpoint, fetch),
    parsers: { ...quirkyParsers(quirks, isEndpoint), ...options.parsers },
    ...tokenTypes.length > 0 &&
      { tokenTypes: [...tokenTypes, ...options.tokenTypes ?? []] },
    ...(tokenPath ?? responseScopes) !== undefined && {
      extractAccessToken: (fields: Record<string, unknown>) => {
        const found = extractToken(quirks, fields);
        return found && inner ? inner(found) : found;
      },
    },
    basicAuthEncoding: options.basicAuthEncoding ?? secretEncoding,
    issuerTemplate: options.issuerTemplate ?? issuerTemplate,
  };
}

/** Changes names of parameters and the separator of scopes in a URL. */
function changeUrl(quirks: Quirks, url: string): string {
  const changed = new URL(url);
  const params = rename(quirks, [...changed.searchParams]);
  changed.search = encodeParams(params).replaceAll("+", "%20");
  return changed.href;
}

function endpointsOf<T extends AccessToken>(
  options: ClientOptions<T>,
): IsEndpoint {
  const { site, tokenUrl = "oauth/token", revokeUrl = "oauth/revoke" } =
    options;
  const targets: (string | URL)[] = [tokenUrl];
  if (revokeUrl !== null) targets.push(revokeUrl);
  const { metadata } = options;
  for (
    const [name, url] of [
      ...Object.entries(metadata ?? {}),
      ...Object.entries(metadata?.mtls_endpoint_aliases ?? {}),
    ]
  ) {
    const isOwn = name.endsWith("_endpoint") && !OTHER_ENDPOINTS.includes(name);
    if (isOwn && typeof url === "string") targets.push(url);
  }
  const known = new Set(
    targets
      // Without a site, the client refuses a path when it is used.
      .filter((target) => site !== undefined || URL.canParse(target))
      .map((target) => withoutQuery(resolveUrl(site, target))),
  );
  return (url) => {
    const parsed = URL.parse(url);
    return parsed !== null && known.has(withoutQuery(parsed));
  };
}

function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** Wraps `fetch`: renames parameters and adds headers. */
function quirkyFetch(
  quirks: Quirks,
  isEndpoint: IsEndpoint,
  fetch: Fetch | undefined,
): Fetch {
  const { headers: added = {} } = quirks;
  return (url, init) => {
    const send = fetch ?? globalThis.fetch;
    if (!isEndpoint(url)) return send(url, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(added)) {
      if (!headers.has(name)) headers.set(name, value);
    }
    const isFormBody = typeof init.body === "string" &&
      headers.get("content-type")?.startsWith(FORM_TYPE) === true;
    const { search } = new URL(url);
    return send(search ? changeUrl(quirks, url) : url, {
      ...init,
      headers,
      ...isFormBody && {
        body: encodeParams(
          rename(quirks, [...new URLSearchParams(init.body as string)]),
        ),
      },
    });
  };
}

function rename(
  { parameterNames = {}, scopeSeparator }: Quirks,
  params: readonly (readonly [string, string])[],
): [string, string][] {
  return params.map(([name, value]) => [
    Object.hasOwn(parameterNames, name) ? parameterNames[name]! : name,
    name === "scope" && scopeSeparator !== undefined
      ? value.split(" ").filter((scope) => scope).join(scopeSeparator)
      : value,
  ]);
}
