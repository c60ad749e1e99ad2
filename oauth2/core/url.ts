import { forbidden, invalid } from "./type_error.ts";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Resolves an absolute URL or a path. A path with a leading slash is relative
 * to the origin of the site, other paths to the path of the site. A path cannot
 * change the origin: `//host/path` is refused.
 */
export function resolveUrl(
  site: string | URL | undefined,
  target: string | URL,
): URL {
  if (typeof target !== "string" && !(target instanceof URL)) {
    throw invalid(
      "Cannot use the URL: it must be a string or a URL object",
    );
  }
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(String(target));
  const base = isAbsolute || site === undefined
    ? undefined
    : String(site).replace(/\/?([?#].*)?$/s, "/");
  const url = URL.parse(target, base);
  if (
    !url || url.username || url.password ||
    base && url.origin !== new URL(base).origin
  ) {
    // The URL is not part of the message: its query may contain a secret.
    throw invalid(
      "Cannot use the URL: it must be absolute or a path of the site, and have no user name",
    );
  }
  return url;
}

/** Returns the origins of a list. */
export function readOrigins(origins: readonly string[]): string[] {
  if (!Array.isArray(origins)) {
    throw invalid(
      'Cannot use allowedOrigins: it must be a list such as ["https://api.example"]',
    );
  }
  return origins.map((text) => {
    const { origin = "null" } = URL.parse(text) ?? {};
    if (origin !== "null") return origin;
    throw invalid(
      `Cannot use allowedOrigins: "${text}" is not an origin such as https://api.example`,
    );
  });
}

/**
 * Returns true for https, for http on loopback (RFC 8252 section 7.3), and for
 * any http if it is allowed.
 */
export function isSecure(
  { protocol, hostname }: URL,
  allowInsecure: boolean | undefined,
): boolean {
  return protocol === "https:" ||
    protocol === "http:" && (allowInsecure || LOOPBACK.test(hostname));
}

/** Returns a URL if it is secure. */
export function checkSecure(url: URL, allowInsecure: boolean | undefined): URL {
  if (isSecure(url, allowInsecure)) return url;
  throw forbidden(
    `Cannot use "${url.protocol}//${url.host}": it must be https or loopback, unless allowInsecure is true`,
  );
}
