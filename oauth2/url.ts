const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Resolves the target of a request.
 *
 * A path without a leading slash goes below the site's own path, one with a
 * leading slash to the root of the site's host, an absolute URL stands for
 * itself. A path never leaves the site: `//host/path` is refused.
 *
 * @throws {TypeError} When the target is not a URL, names a user, leaves the
 * site, or is a path and there is no site.
 */
export function resolveUrl(
  site: string | URL | undefined,
  target: string | URL,
): URL {
  if (typeof target !== "string" && !(target instanceof URL)) {
    throw new TypeError("Cannot use the address: it is not a string or a URL");
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
    // The URL is not part of the message: a query may carry a secret.
    throw new TypeError(
      "Cannot use the address: it is neither a URL nor a path of the site",
    );
  }
  return url;
}

/**
 * True for a URL whose traffic cannot be read on the way: https, loopback
 * (RFC 8252 section 7.3), or plain http that the caller allows.
 */
export function isSecure(
  { protocol, hostname }: URL,
  allowInsecure: boolean | undefined,
): boolean {
  return protocol === "https:" ||
    protocol === "http:" && (allowInsecure || LOOPBACK.test(hostname));
}

/**
 * Refuses a URL over which a secret would travel in clear.
 *
 * @throws {TypeError} When the URL is not secure.
 */
export function checkSecure(url: URL, allowInsecure: boolean | undefined): URL {
  if (isSecure(url, allowInsecure)) return url;
  throw new TypeError(
    `Cannot use "${url.protocol}//${url.host}": it must be https, or http on loopback or with allowInsecure`,
  );
}
