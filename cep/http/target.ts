/**
 * Target of a request: its path and its query.
 *
 * @module
 */

/** A request target (RFC 9112, 3.2). */
export interface Target {
  /** Path, as the client wrote it. */
  readonly path: string;
  /** Query string without its question mark, or `""`. */
  readonly query: string;
}

const NOWHERE: Target = { path: "", query: "" };

/** Characters that no host name holds: they would begin a path or end one. */
const NO_HOST = /[/?#\\]/;

/**
 * The path and the query of a URL. A server gives it with the host as the
 * client wrote it, which a parser may refuse, or which may hold a path that
 * would be taken for the one asked for: that leads nowhere.
 */
export function splitTarget(url: string, host: string | null): Target {
  if (host !== null && NO_HOST.test(host)) return NOWHERE;
  const start = endOfAuthority(url);
  // An absolute target may have no path: `http://host?/metrics`.
  if (url[start] !== "/") return NOWHERE;
  const end = url.indexOf("?", start);
  return end === -1
    ? { path: url.slice(start), query: "" }
    : { path: url.slice(start, end), query: url.slice(end + 1) };
}

function endOfAuthority(url: string): number {
  let end = url.indexOf("//") + 2;
  while (end < url.length && !"/?#\\".includes(url[end]!)) end++;
  return end;
}
