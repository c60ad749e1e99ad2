/** Headers as `fetch` takes them. */
export type HeaderSource = NonNullable<RequestInit["headers"]>;

/** Headers by their names in lower case. */
export type HeaderFields = { [name: string]: string };

const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
/** Bytes without CR, LF and NUL (RFC 9110 section 5.5). */
const VALUE = /^[^\0\r\n\u0100-\uFFFF]*$/;

/**
 * Joins headers; later sources replace earlier ones, and a name repeated in one
 * source is a list (RFC 9110 section 5.3). Undefined and null are left out.
 *
 * @throws {TypeError} When a name or a value cannot be sent. The message of the
 * platform would quote the value, which may be a secret.
 */
export function mergeHeaders(
  ...sources: readonly (HeaderSource | undefined)[]
): HeaderFields {
  const merged: HeaderFields = {};
  for (const source of sources) {
    if (!source) continue;
    const fields: HeaderFields = {};
    // Headers of another library and a Map are lists of pairs as well.
    const pairs = Symbol.iterator in source
      ? source as Iterable<[string, unknown]>
      : Object.entries(source);
    for (const [key, value] of pairs) {
      if (value === undefined || value === null) continue;
      const name = key.toLowerCase();
      const text = String(value).trim();
      if (!NAME.test(name)) {
        throw new TypeError("Cannot set a header: its name is not valid");
      }
      if (!VALUE.test(String(value))) {
        throw new TypeError(
          `Cannot set the header ${name}: its value is not valid`,
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
