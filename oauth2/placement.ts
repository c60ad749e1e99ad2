import { FORM_TYPE } from "./body.ts";
import { type HeaderSource, mergeHeaders } from "./headers.ts";
import { mediaType } from "./media_type.ts";
import { encodeParams, isPlainObject, type Params } from "./params.ts";
import type { Mode, Placement } from "./token_hash.ts";

/** Places of a request that may carry a token. */
export interface Places {
  /** Parameters of the query. */
  params?: Params | undefined;
  /** Headers. */
  headers?: HeaderSource | undefined;
  /** Body; a form may carry the token. */
  body?: unknown;
}

/** Token, and the way in which a request carries it. */
export interface PlacedToken {
  readonly mode: Mode;
  readonly token: string;
  /** Name of the parameter, in the modes query and body. */
  readonly paramName: string;
  /** Headers that carry the token, in the mode header. */
  readonly headers: HeaderSource;
}

/**
 * Copies a request with the token in its header, query or body (RFC 6750
 * section 2). The latter two were removed in OAuth 2.1. `defaults` are headers
 * that the request will have unless it has its own.
 *
 * @throws {TypeError} When the mode is unknown, or the request has no such place.
 */
export function placeToken<R extends Places>(
  request: R,
  verb: string,
  { mode, token, paramName, headers }: PlacedToken,
  defaults?: HeaderSource,
): R {
  const place = placeOf(mode, verb.toLowerCase());
  switch (place) {
    case "header":
      return { ...request, headers: mergeHeaders(request.headers, headers) };
    case "query":
      return {
        ...request,
        params: { ...request.params, [paramName]: token },
        // RFC 6750 section 2.3
        headers: mergeHeaders(
          { "cache-control": "no-store" },
          defaults,
          request.headers,
        ),
      };
    case "body":
      return { ...request, body: addField(request, verb, paramName, token) };
    default:
      throw new TypeError(`invalid :mode option of ${place}`);
  }
}

function placeOf(mode: Mode, verb: string): Placement | undefined {
  if (typeof mode === "function") return mode(verb);
  if (typeof mode !== "object") return mode;
  return Object.hasOwn(mode, verb) ? mode[verb] : "header";
}

function addField(
  { headers, body }: Places,
  verb: string,
  name: string,
  token: string,
): unknown {
  const type = mediaType(mergeHeaders(headers)["content-type"]);
  const field = encodeParams([[name, token]]);
  if (!/^(get|head)$/i.test(verb) && (type === "" || type === FORM_TYPE)) {
    if (body === undefined || body === null || body === "") {
      return new URLSearchParams(field);
    }
    if (typeof body === "string") {
      const form = `${body}&${field}`;
      // Without a content type, `fetch` would send text/plain.
      return type === "" ? new URLSearchParams(form) : form;
    }
    if (isPlainObject(body)) return { ...body, [name]: token };
    if (body instanceof URLSearchParams) {
      return new URLSearchParams([...body, [name, token]]);
    }
  }
  throw new TypeError(
    `Cannot put the token into the body: the ${verb.toUpperCase()} request has no form`,
  );
}
