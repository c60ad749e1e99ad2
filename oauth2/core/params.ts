import { invalid } from "./type_error.ts";

/** Text without characters to encode. */
const PLAIN = /^[\w.*-]*$/;

/** Text that is a form and cannot be JSON, HTML or prose. */
const FORM = /^[^\s=&<>{}"]+=(?!=*$)[^\s&]*(&[^\s=&]+=[^\s&]*)*$/;

/** Parameters by name; a list repeats its parameter. */
export type Params = { readonly [name: string]: unknown };

/**
 * Encodes parameters as a form. A list repeats its parameter, as RFC 8707
 * requires for `resource`; null and undefined are omitted.
 */
export function encodeParams(
  params: Iterable<readonly [name: string, value: unknown]>,
): string {
  const pairs: string[] = [];
  for (const [name, value] of params) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      if (typeof item === "object" || typeof item === "function") {
        throw invalid(
          `Cannot send the parameter "${name}": it must be text, not an object`,
        );
      }
      pairs.push(`${encodeText(name)}=${encodeText(String(item))}`);
    }
  }
  return pairs.join("&");
}

/** Encodes text as `application/x-www-form-urlencoded`. */
export function encodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replace(
      /[!'()~]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll("%20", "+");
}

/** Returns true for text that is a form and cannot be JSON, HTML or prose. */
export function isForm(text: string): boolean {
  return FORM.test(text);
}

/**
 * Adds parameters to the query string of a URL, replaces those with the same
 * name, and sorts all by name.
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
  const result = new URL(url);
  // Not every server decodes a plus sign as a space.
  result.search = String(all).replaceAll("+", "%20");
  return result;
}

/** Returns true for an object literal, and false for an instance of a class. */
export function isPlainObject(
  value: unknown,
): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Values without undefined and null. */
export type Defined<T> = { [K in keyof T]: NonNullable<T[K]> };

/** Copies values, except undefined and null, which would override a default. */
export function onlyDefined<T extends object>(
  values: T | undefined,
): Defined<T> {
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(values ?? {})) {
    const value = values![name as keyof T];
    if (value !== undefined && value !== null) defined[name] = value;
  }
  return defined as Defined<T>;
}
