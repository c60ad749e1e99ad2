import type { Body } from "./body.ts";
import type { Repetition } from "./error.ts";
import type { HeaderSource } from "./headers.ts";
import { type KnownNames, knownNames } from "./names.ts";
import type { Params } from "./params.ts";
import type { Redactable } from "./redactor.ts";
import type { ParseOptions } from "./response.ts";

/** Options of every call. */
export interface CallOptions extends ParseOptions {
  /** Headers; they override those of the client. */
  headers?: HeaderSource | undefined;
  /**
   * Throws error responses. If false, the error is the `error` of the response.
   * A refused redirect always throws.
   *
   * @default {`raiseErrors` of the client}
   */
  raiseErrors?: boolean | undefined;
  /** Signal that aborts the call, which rejects with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout in milliseconds, restarted for each redirect; 0 for none.
   *
   * @default {`timeout` of `connectionOpts`}
   */
  timeout?: number | undefined;
  /**
   * Maximum length of the response body in bytes.
   *
   * @default {`maxBodyBytes` of `connectionOpts`}
   */
  maxBodyBytes?: number | undefined;
}

/**
 * Method of token requests. Other methods than `post` put secrets into URLs.
 */
export type TokenMethod = "post" | "get" | "post_with_query_string";

/** Options of a request to the authorization server. */
export interface EndpointOptions extends CallOptions {
  /**
   * Method of the request.
   *
   * @default {`tokenMethod` of the client for token requests, otherwise "post"}
   */
  tokenMethod?: TokenMethod | undefined;
}

/** Options of a request to a resource server. */
export interface RequestOptions extends CallOptions {
  /** Query parameters; they replace those of the URL with the same name. */
  params?: Params | undefined;
  /**
   * Body. A plain object is sent as a form. With a JSON content type, objects,
   * arrays, numbers and booleans are sent as JSON. Strings, forms, blobs, bytes
   * and streams are sent as `fetch` sends them.
   */
  body?: unknown;
  /**
   * Follows redirects to other origins, with only the headers `Accept`,
   * `Accept-Language` and `User-Agent`, and without a body.
   *
   * @default {`allowCrossOriginRedirects` of the client}
   */
  allowCrossOriginRedirects?: boolean | undefined;
  /** Origins to which the request may go, among those of the client. */
  allowedOrigins?: readonly string[] | undefined;
  /** Additional values to redact in logs and messages. */
  secrets?: readonly string[] | undefined;
}

/** Request as it is sent. */
export interface WireRequest extends Redactable {
  /** Method in upper case. */
  readonly method: string;
  readonly body?: Body | undefined;
  /** Additional members of `init` for `fetch`. */
  readonly init?: RequestInit | undefined;
  readonly repetition: Repetition;
}

/** Names of {@linkcode CallOptions}. */
export const CALL_OPTIONS: {
  readonly [name in keyof CallOptions]-?: true;
} = {
  headers: true,
  parse: true,
  untyped: true,
  snaky: true,
  snakyHashClass: true,
  raiseErrors: true,
  signal: true,
  timeout: true,
  maxBodyBytes: true,
};
/** Names of {@linkcode RequestOptions}. */
export const REQUEST_OPTIONS: KnownNames = knownNames<RequestOptions>({
  ...CALL_OPTIONS,
  params: true,
  body: true,
  allowCrossOriginRedirects: true,
  allowedOrigins: true,
  secrets: true,
});
