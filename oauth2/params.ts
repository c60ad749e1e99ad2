/** Text that is its own encoding. */
const PLAIN = /^[\w.*-]*$/;

/** Text that is a query or form, and nothing else. */
const FORM = /^[^\s=&<>{}"]+=(?!=*$)[^\s&]*(&[^\s=&]+=[^\s&]*)*$/;

/** Parameters by name; a list stands for one pair for each item. */
export type Params = { readonly [name: string]: unknown };

/**
 * Writes parameters as a form; a list as one pair for each item, as RFC 8707
 * wants it for `resource`, and undefined and null not at all.
 *
 * @throws {TypeError} When a value is an object: parameters that hold JSON,
 * such as `claims`, are given as text.
 */
export function encodeParams(
  params: Iterable<readonly [name: string, value: unknown]>,
): string {
  const pairs: string[] = [];
  for (const [name, value] of params) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      if (typeof item === "object" || typeof item === "function") {
        throw new TypeError(
          `Cannot send the parameter "${name}": it is an object`,
        );
      }
      pairs.push(`${encodeText(name)}=${encodeText(String(item))}`);
    }
  }
  return pairs.join("&");
}

/** Encodes a text as `application/x-www-form-urlencoded`, spaces as plus. */
export function encodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replace(
      /[!'()~]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll("%20", "+");
}

/** True for a text that can be nothing but a query or form. */
export function isForm(text: string): boolean {
  return FORM.test(text);
}

/**
 * Adds parameters to those of a URL, of which they replace any of the same
 * name; all are sorted by name.
 */
export function addParams(url: URL, params: Params | undefined): URL {
  const added = params && encodeParams(Object.entries(params));
  if (!added) return url;
  const all = new URLSearchParams(added);
  const names = new Set(all.keys());
  for (const [name, value] of url.searchParams) {
    if (!names.has(name)) all.append(name, value);
  }
  all.sort();
  const whole = new URL(url);
  // Not every server reads a plus as a space.
  whole.search = String(all).replaceAll("+", "%20");
  return whole;
}

/** Tells an object literal from an instance of a class. */
export function isPlainObject(
  value: unknown,
): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
