import { isLoopback } from "../util/loopback.ts";

/** Rule for the URL, as a phrase after "must be". */
export const REMOTE_URL_RULE = {
  en: "a URL with `libsql:` or `https:`, or with `http:` on this machine, " +
    "without a user, a query or a fragment",
  pt: "URL com `libsql:` ou `https:`, ou com `http:` nesta máquina, sem " +
    "usuário, query ou fragmento",
} as const;

/**
 * Parses the URL of a server to one with `https:` or `http:`.
 *
 * @returns `undefined` if it is not allowed. One with a user or a query is
 * refused because logs may show it: the token is a separate setting.
 */
export function parseRemoteUrl(text: string): URL | undefined {
  const url = URL.parse(text.replace(/^libsql:/i, "https:"));
  if (url === null || url.hostname === "") return undefined;
  // URL drops an empty user, query and fragment.
  if (/[@?#\\\s]/.test(text)) return undefined;
  if (url.protocol === "https:") return url;
  return url.protocol === "http:" && isLoopback(url.hostname) ? url : undefined;
}
