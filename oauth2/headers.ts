/**
 * Joins headers; later ones replace earlier ones of the same name.
 *
 * @throws {TypeError} When a value cannot be a header. The platform's own
 * error would quote it, and it may be a secret.
 */
export function mergeHeaders(
  ...sources: readonly (HeadersInit | undefined)[]
): Headers {
  const merged = new Headers();
  for (const source of sources) {
    if (source === undefined) continue;
    const entries = source instanceof Headers || Array.isArray(source)
      ? source
      : Object.entries(source);
    for (const [name, value] of entries) {
      if (value === undefined || value === null) continue;
      try {
        merged.set(name, value);
      } catch {
        throw new TypeError(
          "Cannot set a header: its name or value is not valid",
        );
      }
    }
  }
  return merged;
}
