import { type Body, encodeBody, FORM_TYPE } from "./body.ts";
import { authenticate } from "./client_auth.ts";
import type { Settings } from "./client_options.ts";
import type { Repetition } from "./error.ts";
import { type HeaderFields, mergeHeaders } from "./headers.ts";
import { UnsignedJwt } from "../server/jwt.ts";
import { addParams, encodeParams } from "./params.ts";
import type { EndpointOptions, WireRequest } from "./request.ts";
import type { AccessToken } from "./token.ts";
import { type Deadline, withDeadline } from "./transport.ts";
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
 * Only signatures are awaited; everything else is read before the first
 * `await`.
 *
 * @throws {TypeError} If the arguments are invalid.
 * @throws {TimeoutError} If a signature takes longer than the timeout.
 */
export async function endpointRequest<T extends AccessToken>(
  { endpoint, params, call, audience }: EndpointRequest,
  settings: Settings<T>,
  deadline: Deadline,
): Promise<WireRequest> {
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
  const unsigned = listUnsigned(params);
  if (unsigned.length > 0) await sign(params, unsigned, repetition, deadline);
  const isForm = tokenMethod === "post";
  return {
    method: tokenMethod === "get" ? "GET" : "POST",
    url: isForm ? endpoint : addParams(endpoint, Object.fromEntries(params)),
    body: isForm ? encodeForm(params, headers) : undefined,
    headers,
    secrets: settings.secrets,
    hidesParams: true,
    repetition,
  };
}

/** Parameter that is signed by the caller, or here. */
type Unsigned = [name: string, value: Promise<string> | UnsignedJwt];

function listUnsigned(params: Map<string, unknown>): Unsigned[] {
  const unsigned: Unsigned[] = [];
  for (const [name, value] of params) {
    if (value instanceof Promise || value instanceof UnsignedJwt) {
      unsigned.push([name, value]);
    }
  }
  return unsigned;
}

/** Signs parameters, or awaits signatures of the caller. */
async function sign(
  params: Map<string, unknown>,
  unsigned: readonly Unsigned[],
  repetition: Repetition,
  deadline: Deadline,
): Promise<void> {
  // Leaves no rejection unhandled if two fail.
  const settle = () =>
    Promise.allSettled(unsigned.map(async ([name, value]) => {
      const isUnsigned = value instanceof UnsignedJwt;
      params.set(name, await (isUnsigned ? value.sign() : value));
    }));
  const hasPromise = unsigned.some(([, value]) => value instanceof Promise);
  const results =
    await (hasPromise
      ? withDeadline("signature", repetition, deadline, settle)
      : settle());
  for (const result of results) {
    if (result.status === "rejected") throw result.reason;
  }
}

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
