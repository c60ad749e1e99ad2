import { type Body, encodeBody, FORM_TYPE } from "./body.ts";
import {
  type EndpointOptions,
  REQUEST_OPTIONS,
  type RequestOptions,
} from "./call_params.ts";
import { authenticate } from "./client_auth.ts";
import type { Settings } from "./client_options.ts";
import type { Endpoints } from "./endpoints.ts";
import { type HeaderFields, mergeHeaders } from "./headers.ts";
import { UnsignedJwt } from "../server/jwt.ts";
import { checkNames } from "./names.ts";
import { addParams, encodeParams } from "./params.ts";
import type { AccessToken } from "./token.ts";
import { type Deadline, type WireRequest, withDeadline } from "./transport.ts";
import { invalid } from "./type_error.ts";

const TOKEN_METHODS = ["post", "get", "post_with_query_string"];

/**
 * Endpoint, parameters and options of a request to the authorization server.
 */
export interface EndpointRequest {
  readonly endpoint: URL;
  /** Parameters; client authentication adds its own. */
  readonly params: Map<string, unknown>;
  readonly call: EndpointOptions;
  /** Returns the audience of client assertions. */
  readonly audience: () => string;
}

/**
 * Builds a request to the authorization server, with client authentication.
 * Only signatures are awaited; everything else is read at once.
 */
export function endpointRequest<T extends AccessToken>(
  { endpoint, params, call, audience }: EndpointRequest,
  settings: Settings<T>,
  deadline: Deadline,
): WireRequest | Promise<WireRequest> {
  const headers = {
    ...settings.endpointHeaders,
    ...call.headers && mergeHeaders(call.headers),
  };
  const { tokenMethod = "post" } = call;
  if (!TOKEN_METHODS.includes(tokenMethod)) {
    throw invalid(
      `Cannot use tokenMethod "${tokenMethod}": it must be one of ${
        TOKEN_METHODS.join(", ")
      }`,
    );
  }
  authenticate(settings, params, headers, audience);
  const repetition = params.has("code")
    ? "never"
    : params.has("refresh_token")
    ? "if unsent"
    : "safe";
  const isForm = tokenMethod === "post";
  const build = (): WireRequest => ({
    method: tokenMethod === "get" ? "GET" : "POST",
    url: isForm ? endpoint : addParams(endpoint, Object.fromEntries(params)),
    body: isForm ? encodeForm(params, headers) : undefined,
    headers,
    secrets: settings.secrets,
    hidesParams: true,
    repetition,
  });
  const unsigned = [...params].filter(([, value]) =>
    value instanceof Promise || value instanceof UnsignedJwt
  ) as Unsigned[];
  if (unsigned.length === 0) return build();
  const sign = ([name, value]: Unsigned) =>
    (value instanceof UnsignedJwt ? value.sign() : value)
      .then((jwt) => params.set(name, jwt));
  const signAll = () => Promise.all(unsigned.map(sign)).then(build);
  return unsigned.some(([, value]) => value instanceof Promise)
    ? withDeadline("signature", repetition, deadline, signAll)
    : signAll();
}

/** Parameter that is signed by the caller, or here. */
type Unsigned = [name: string, value: Promise<string> | UnsignedJwt];

/** Encodes the parameters as a form, or as JSON if the content type is JSON. */
function encodeForm(
  params: Map<string, unknown>,
  headers: HeaderFields,
): Body | undefined {
  if (headers["content-type"] === undefined) {
    headers["content-type"] = FORM_TYPE;
    return encodeParams(params);
  }
  return encodeBody(Object.fromEntries(params), headers);
}

/** Method names (RFC 9110 section 9.1), except those that `fetch` forbids. */
const METHOD = /^(?!(CONNECT|TRACE|TRACK)$)[!#$%&'*+.^`|~\w-]+$/;
/** Idempotent methods (RFC 9110 section 9.2.2). */
const IDEMPOTENT = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];

export interface ResourceRequest {
  readonly verb: string;
  readonly target: string | URL;
  readonly options: RequestOptions;
  /** Additional members of `init` for `fetch`. */
  readonly init?: RequestInit | undefined;
}

/** Builds a request to a resource server. */
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
