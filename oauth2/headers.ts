/** Whatever `fetch` takes as headers. */
export type HeaderSource = NonNullable<RequestInit["headers"]>;

/**
 * Joins headers; later ones replace earlier ones of the same name.
 *
 * @throws {TypeError} When a value cannot be a header. The platform's own
 * error would quote it, and it may be a secret.
 */
export function mergeHeaders(
  ...sources: readonly (HeaderSource | undefined)[]
): Headers {
  const merged = new Headers();
  for (const source of sources) {
    if (source === undefined) continue;
    // Headers of another library and a Map are lists of pairs as well.
    const entries = Symbol.iterator in source
      ? source as Iterable<[string, string]>
      : Object.entries(source);
    for (const [name, value] of entries) {
      if (value === undefined || value === null) continue;
      try {
        // Deno would send an empty header.
        if (/[\r\n\0]/.test(value)) throw value;
        merged.set(name, value);
      } catch {
        throw new TypeError("Cannot set a header: it is not valid");
      }
    }
  }
  return merged;
}
