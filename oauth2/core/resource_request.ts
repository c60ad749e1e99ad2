import { encodeBody } from "./body.ts";
import type { Settings } from "./client_options.ts";
import type { Endpoints } from "./endpoints.ts";
import { mergeHeaders } from "./headers.ts";
import { checkNames } from "./names.ts";
import { addParams } from "./params.ts";
import {
  REQUEST_OPTIONS,
  type RequestOptions,
  type WireRequest,
} from "./request.ts";
import type { AccessToken } from "./token.ts";
import { invalid } from "./type_error.ts";

/** Method names (RFC 9110 section 9.1), except those that `fetch` forbids. */
const METHOD = /^(?!(CONNECT|TRACE|TRACK)$)[!#$%&'*+.^`|~\w-]+$/;
/** Idempotent methods (RFC 9110 section 9.2.2). */
const IDEMPOTENT = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];

/** Arguments of a request to a resource server. */
export interface ResourceRequest {
  readonly verb: string;
  readonly target: string | URL;
  readonly options: RequestOptions;
  /** Additional members of `init` for `fetch`. */
  readonly init?: RequestInit | undefined;
}

/**
 * Builds a request to a resource server.
 *
 * @throws {TypeError} If an option is misspelled, or the URL, method, headers
 * or body are invalid.
 */
export function resourceRequest<T extends AccessToken>(
  { verb, target, options, init }: ResourceRequest,
  endpoints: Endpoints,
  { connectionOpts, secrets }: Settings<T>,
): WireRequest {
  checkNames(options, REQUEST_OPTIONS);
  const { params, allowedOrigins } = options;
  const url = addParams(
    endpoints.findResource(target, allowedOrigins),
    params,
  );
  const method = verb.toUpperCase();
  if (!METHOD.test(method)) {
    throw invalid("Cannot send a request: its method is not allowed");
  }
  const headers = mergeHeaders(connectionOpts.headers, options.headers);
  const body = encodeBody(options.body, headers);
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw invalid(`Cannot send the body: the method is ${method}`);
  }
  return {
    init,
    method,
    url,
    headers,
    body,
    secrets: [...secrets, ...options.secrets ?? []],
    repetition: IDEMPOTENT.includes(method) ? "safe" : "if refused",
  };
}
