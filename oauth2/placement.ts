/**
 * The places of a request for a token besides the header, which OAuth 2.1 has
 * no more. A token loads this module when its mode asks for one of them, and
 * not before.
 */
import { type HeaderSource, mergeHeaders } from "./headers.ts";
import { encodeParams, isPlainObject } from "./params.ts";

/** Where a request may carry the token. */
export interface Places {
  /** Parameters of the query. */
  params?: { readonly [name: string]: unknown } | undefined;
  /** The headers. */
  headers?: HeaderSource | undefined;
  /** The body. An object is sent as a form. */
  body?: unknown;
}

/** What kind of body may hold a token (RFC 6750 section 2.2). */
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * A request with the token in its query or in its body (RFC 6750 sections 2.2
 * and 2.3); what the caller gave is left as it is.
 *
 * @throws {TypeError} When the mode is none, or the request has no such place.
 */
export function placeToken<R extends Places>(
  request: R,
  { mode, verb, paramName, token }: {
    mode: unknown;
    verb: string;
    paramName: string;
    token: string;
  },
): R {
  switch (mode) {
    case "query":
      return { ...request, params: { ...request.params, [paramName]: token } };
    case "body":
      return { ...request, body: addField(request, verb, paramName, token) };
    default:
      throw new TypeError(`invalid :mode option of ${mode}`);
  }
}

function addField(
  { headers, body }: Places,
  verb: string,
  name: string,
  token: string,
): unknown {
  const type = mergeHeaders(headers).get("content-type");
  const field = encodeParams({ [name]: token });
  if (!/^(get|head)$/i.test(verb) && (type === null || FORM_TYPE.test(type))) {
    if (body === undefined || body === null || body === "") return field;
    if (typeof body === "string") return `${body}&${field}`;
    if (isPlainObject(body)) return { ...body, [name]: token };
    if (body instanceof URLSearchParams) {
      return new URLSearchParams([...body, ...field]);
    }
  }
  throw new TypeError(
    `Cannot put the token into the body: the ${verb.toUpperCase()} request has no form`,
  );
}
