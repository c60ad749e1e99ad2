/** A request target (RFC 9112, 3.2). */
export interface Target {
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
