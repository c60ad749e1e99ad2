import type { RequestHeaders } from "./reply.ts";

/**
 * True if `If-None-Match` lists a tag, by weak comparison (RFC 9110, 13.1.2).
 * The tags of this service contain no comma.
 */
export function knowsTag(requestHeaders: RequestHeaders, tag: string): boolean {
  const header = requestHeaders.get("if-none-match");
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((item) => {
    const given = item.trim();
    return given === tag || given === `W/${tag}`;
  });
}
