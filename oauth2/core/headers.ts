import { invalid } from "./type_error.ts";

/** Headers that `fetch` accepts. */
export type HeaderSource = NonNullable<RequestInit["headers"]>;

/** Headers by name in lower case. */
export type HeaderFields = { [name: string]: string };

const JSON_TYPE = /^(application|text)\/json$|\+json$/;
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
/** Latin-1 without CR, LF and NUL (RFC 9110 section 5.5). */
const VALUE = /^[^\0\r\n\u0100-\uFFFF]*$/;

/**
 * Merges headers. Later sources override earlier ones; a name repeated in one
 * source becomes a list (RFC 9110 section 5.3). Undefined and null are omitted.
 * An invalid value is refused here, because the message of the platform would
 * quote it.
 */
export function mergeHeaders(
  ...sources: readonly (HeaderSource | undefined)[]
): HeaderFields {
  const merged: HeaderFields = {};
  for (const source of sources) {
    if (!source) continue;
    const fields: HeaderFields = {};
    // Includes a Map, and the Headers of another library.
    const pairs = Symbol.iterator in source
      ? source as Iterable<[string, unknown]>
      : Object.entries(source);
    for (const [key, value] of pairs) {
      if (value === undefined || value === null) continue;
      const name = key.toLowerCase();
      const text = String(value).trim();
      if (!NAME.test(name)) {
        throw invalid("Cannot set a header: its name is invalid");
      }
      if (!VALUE.test(String(value))) {
        throw invalid(
          `Cannot set the header ${name}: its value is invalid`,
        );
      }
      fields[name] = Object.hasOwn(fields, name)
        ? `${fields[name]}${name === "cookie" ? "; " : ", "}${text}`
        : text;
    }
    Object.assign(merged, fields);
  }
  return merged;
}

/** Returns the media type in lower case and without parameters, or "". */
export function mediaType(contentType: string | null | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type);
}
