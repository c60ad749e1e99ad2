/**
 * Requests and responses as servers have them: those of the web platform cost
 * more than a lookup on Node.
 */
/** Request, as much of it as the service reads. A `Request` fits. */
export interface Incoming extends Pick<Request, "method" | "url" | "body"> {
  /** Headers of the request. */
  readonly headers: RequestHeaders;
}

/** Headers of a request, as much of them as the service reads. */
export type RequestHeaders = Pick<Headers, "get" | "has">;

/** Response before it is sent. */
export interface Reply {
  /** Status code. */
  readonly status: number;
  /** Values by name, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content that is sent, `null` for none. */
  readonly content: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/**
 * Creates the `Response` of a reply.
 *
 * @param countsBytes True if the server adds `Content-Length` to a response with
 * content: one header less is several percent of a lookup.
 */
export function toResponse(
  { status, headers, content }: Reply,
  countsBytes = false,
): Response {
  const type = headers["content-type"];
  const response = new Response(content as BodyInit | null, {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });
  const isCounted = countsBytes && content !== null;
  // Setting headers one by one is several times faster than passing an object.
  const { headers: sent } = response;
  for (const name in headers) {
    if (name === "content-type" || isCounted && name === "content-length") {
      continue;
    }
    sent.set(name, headers[name]!);
  }
  return response;
}

/** A request target (RFC 9112, 3.2). */
interface Target {
  /** Path, as sent by the client. */
  readonly path: string;
  /** Query string without its question mark, or `""`. */
  readonly query: string;
}

const EMPTY: Target = { path: "", query: "" };

/** Characters that end the host in a URL. */
const END_OF_HOST = /[/?#\\]/;

/**
 * Splits the URL of a request, without a URL parser: servers build it from the
 * `Host` header, which may be invalid in a URL. A header that contains a path
 * gives an empty target, which no route matches.
 */
export function splitTarget(url: string, host: string | null): Target {
  if (host !== null && END_OF_HOST.test(host)) return EMPTY;
  const start = endOfAuthority(url);
  // An absolute target may lack a path: `http://host?/metrics`.
  if (url[start] !== "/") return EMPTY;
  const end = url.indexOf("?", start);
  return end === -1
    ? { path: url.slice(start), query: "" }
    : { path: url.slice(start, end), query: url.slice(end + 1) };
}

function endOfAuthority(url: string): number {
  const start = url.indexOf("//") + 2;
  const length = url.slice(start).search(END_OF_HOST);
  return length === -1 ? url.length : start + length;
}
