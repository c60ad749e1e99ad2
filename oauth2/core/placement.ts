import { FORM_TYPE } from "./body.ts";
import { type HeaderSource, mediaType, mergeHeaders } from "./headers.ts";
import { encodeParams, isPlainObject, type Params } from "./params.ts";
import type { Mode, Placement } from "./token_hash.ts";
import { invalid } from "./type_error.ts";

/** Parts of a request that can carry a token. */
export interface Places {
  params?: Params | undefined;
  headers?: HeaderSource | undefined;
  /** Body; only a form can carry the token. */
  body?: unknown;
}

export interface PlacedToken {
  readonly mode: Mode;
  readonly token: string;
  /** Name of the parameter, for the modes `query` and `body`. */
  readonly paramName: string;
  /** Headers that carry the token, for the mode `header`. */
  readonly headers: HeaderSource;
}

/**
 * Copies a request with the token in its header, query string or body. OAuth
 * 2.1 removed the query string. `defaults` are headers that the request
 * overrides.
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
        // RFC 6750 section 2.3 requires `no-store`.
        headers: mergeHeaders(
          { "cache-control": "no-store" },
          defaults,
          request.headers,
        ),
      };
    case "body":
      return { ...request, body: addField(request, verb, paramName, token) };
    default:
      throw invalid(
        `invalid :mode option of ${place}: it must be one of header, query, body`,
      );
  }
}

/** Returns the place of a mode for a verb in lower case. */
export function placeOf(mode: Mode, verb: string): Placement | undefined {
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
      // For a string, `fetch` would set the content type text/plain.
      return type === "" ? new URLSearchParams(form) : form;
    }
    if (isPlainObject(body)) return { ...body, [name]: token };
    if (body instanceof URLSearchParams) {
      return new URLSearchParams([...body, [name, token]]);
    }
  }
  throw invalid(
    `Cannot put the token into the body: the ${verb.toUpperCase()} request has no form`,
  );
}
