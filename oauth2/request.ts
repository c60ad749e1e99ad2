import type { Body } from "./body.ts";
import type { Repetition } from "./error.ts";
import type { HeaderSource } from "./headers.ts";
import { type KnownNames, knownNames } from "./names.ts";
import type { Params } from "./params.ts";
import type { Redactable } from "./redactor.ts";
import type { ParseOptions } from "./response.ts";

/** Options of any call. */
export interface CallOptions extends ParseOptions {
  /** Headers of this call; they win over those of the client. */
  headers?: HeaderSource | undefined;
  /**
   * Throws the errors of the server. Otherwise they are in the `error` of the
   * response. A refused redirect always throws.
   *
   * @default the `raiseErrors` of the client, which is true
   */
  raiseErrors?: boolean | undefined;
  /** Signal that ends the call, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the call, redirects each counted on their own; 0 for no
   * limit.
   *
   * @default the `timeout` of `connectionOpts`, which is 30000
   */
  timeout?: number | undefined;
  /**
   * Bytes after which a body is refused.
   *
   * @default that of `connectionOpts`, or 1048576 for the authorization server
   * and 67108864 for resources
   */
  maxBodyBytes?: number | undefined;
}

/** Method of the token endpoint. All but `post` put secrets into URLs. */
export type TokenMethod = "post" | "get" | "post_with_query_string";

/** Options of a call to the authorization server. */
export interface EndpointOptions extends CallOptions {
  /**
   * Method of the endpoint.
   *
   * @default the `tokenMethod` of the client for tokens, "post" for others
   */
  tokenMethod?: TokenMethod | undefined;
}

/** Options of a request to a resource server. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the query, added to those of the URL. */
  params?: Params | undefined;
  /**
   * The body. A plain object is a form, and any value JSON where the headers
   * name a JSON media type; text, forms, blobs, bytes and streams are sent as
   * `fetch` sends them.
   */
  body?: unknown;
  /**
   * Follows redirects to another origin too. Only `Accept`, `Accept-Language`
   * and `User-Agent` go along, and no body.
   *
   * @default the `allowCrossOriginRedirects` of the client, which is false
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /** Further values that must not show in logs and messages. */
  secrets?: readonly string[] | undefined;
}

/** Request as it goes over the wire. */
export interface WireRequest extends Redactable {
  /** Method in capitals. */
  readonly method: string;
  readonly body?: Body | undefined;
  /** Further members of `init` for `fetch`. */
  readonly init?: RequestInit | undefined;
  readonly repetition: Repetition;
}

/** Names of {@link CallOptions}. */
export const CALL_OPTIONS: readonly string[] = [
  "headers",
  "parse",
  "untyped",
  "snaky",
  "snakyHashClass",
  "raiseErrors",
  "signal",
  "timeout",
  "maxBodyBytes",
];
/** Names of {@link RequestOptions}. */
export const REQUEST_OPTIONS: KnownNames = knownNames([
  ...CALL_OPTIONS,
  "params",
  "body",
  "allowCrossOriginRedirects",
  "secrets",
]);
