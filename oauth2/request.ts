import type { HeaderSource } from "./headers.ts";
import { encodeParams, isPlainObject } from "./params.ts";
import type { ParseOptions } from "./response.ts";
import type { Body, WireRequest } from "./transport.ts";

/** What a caller may say about any call. */
export interface CallOptions extends ParseOptions {
  /** Headers of this call; they win over those of the client. */
  headers?: HeaderSource | undefined;
  /**
   * Whether errors of the server are thrown. If not, they are in the `error`
   * of the response.
   *
   * @default the `raiseErrors` of the client, which is true
   */
  raiseErrors?: boolean | undefined;
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the call, redirects each counted on their own; 0 for no
   * limit.
   *
   * @default the `timeout` of `connectionOpts`, which is 30000
   */
  timeout?: number | undefined;
}

/** How the token endpoint is asked. All but `post` put secrets into addresses. */
export type TokenMethod = "post" | "get" | "post_with_query_string";

/** What a caller may say about a call to the authorization server. */
export interface EndpointOptions extends CallOptions {
  /**
   * How the endpoint is asked.
   *
   * @default the `tokenMethod` of the client for tokens, "post" for revocation
   */
  tokenMethod?: TokenMethod | undefined;
}

/**
 * The parameters of a call to the authorization server, as they go over the
 * wire, and beside them the options of the call, which never do.
 */
export interface CallParams extends EndpointOptions {
  /** A parameter; `undefined` and `null` leave it out, a list repeats it. */
  readonly [param: string]: unknown;
}

/** What a caller may say about a request to a resource server. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the query, added to what the address holds. */
  params?: { readonly [name: string]: unknown } | undefined;
  /**
   * The body. A plain object is sent as a form, and it or a list as JSON if the
   * headers say so; everything else as `fetch` sends it.
   */
  body?: unknown;
  /**
   * Bytes after which a body is refused.
   *
   * @default that of `connectionOpts`, or 67108864 (64 MiB)
   */
  maxBodyBytes?: number | undefined;
  /**
   * Whether redirects may lead to another origin. Only `Accept`,
   * `Accept-Language` and `User-Agent` go along, and no body.
   *
   * @default the `allowCrossOriginRedirects` of the client, which is false
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /** Further values that must not show in logs and messages. */
  secrets?: readonly string[] | undefined;
}

const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** What goes into a request besides its address. */
interface Content {
  readonly body?: unknown;
  readonly headers: Headers;
  readonly secrets: readonly string[];
}

/**
 * A request as it goes over the wire.
 *
 * @throws {TypeError} When the verb allows no body.
 */
export function wireRequest(
  verb: string,
  url: URL,
  { headers, secrets, ...content }: Content,
): WireRequest {
  const method = verb.toUpperCase();
  const body = encodeBody(content.body, headers);
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw new TypeError(`Cannot send a body: the method is ${method}`);
  }
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", FORM_TYPE);
  }
  return { method, url, headers, body, secrets };
}

function encodeBody(body: unknown, headers: Headers): Body | undefined {
  const isJson = JSON_TYPE.test(headers.get("content-type") ?? "");
  if (isJson && (Array.isArray(body) || isPlainObject(body))) {
    return JSON.stringify(body);
  }
  return isPlainObject(body)
    ? encodeParams(body)
    : (body ?? undefined) as Body | undefined;
}
