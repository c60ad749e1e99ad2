/**
 * Writes parameters as pairs; a list as one pair for each item, as RFC 8707
 * wants it for `resource`.
 *
 * @throws {TypeError} When a value is an object: parameters that hold JSON,
 * such as `claims`, are given as text.
 */
export function encodeParams(
  params: { readonly [name: string]: unknown },
): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of [value].flat()) {
      if (item === undefined || item === null) continue;
      if (typeof item === "object" || typeof item === "function") {
        throw new TypeError(
          `Cannot send the parameter "${name}": it is an object`,
        );
      }
      encoded.append(name, String(item));
    }
  }
  return encoded;
}

/**
 * Adds parameters to those that an address has, of which they replace any of
 * the same name; all are sorted by name.
 */
export function addParams(
  url: URL,
  params: { readonly [name: string]: unknown } = {},
): URL {
  const added = encodeParams(params);
  if (added.size === 0) return url;
  const kept = [...url.searchParams].filter(([name]) => !added.has(name));
  const all = new URLSearchParams([...kept, ...added]);
  all.sort();
  const whole = new URL(url);
  // Not every server reads a plus as a space.
  whole.search = String(all).replaceAll("+", "%20");
  return whole;
}

/** Whether a value is an object literal, and no instance of a class. */
export function isPlainObject(
  value: unknown,
): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
