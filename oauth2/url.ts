const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Finds the address that a path means.
 *
 * A path without a leading slash goes below the site's own path, one with a
 * leading slash to the root of the site's host, an absolute URL stands for
 * itself. A path never leaves the site: `//host/path` is refused.
 *
 * @throws {TypeError} When it is no address, names a user, leaves the site, or
 * is a path and there is no site.
 */
export function resolveUrl(site: string | undefined, target: string): URL {
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(target);
  const base = isAbsolute ? undefined : site?.replace(/\/?([?#].*)?$/s, "/");
  const url = URL.canParse(target, base) ? new URL(target, base) : undefined;
  if (
    !url || url.username || url.password ||
    base && url.origin !== new URL(base).origin
  ) {
    // The message holds no address: a query may carry a secret.
    throw new TypeError(
      "Cannot use the address: it is neither a URL nor a path of the site",
    );
  }
  return url;
}

/**
 * Whether what is sent to an address cannot be read on the way: it is https or
 * on this machine (RFC 8252 section 7.3), or the caller allows plain http.
 */
export function isSecure(
  { protocol, hostname }: URL,
  allowInsecure: boolean | undefined,
): boolean {
  return protocol === "https:" ||
    protocol === "http:" && (allowInsecure || LOOPBACK.test(hostname));
}

/**
 * Refuses addresses over which a secret would travel in clear.
 *
 * @throws {TypeError} When the address is not secure.
 */
export function checkSecure(
  url: URL,
  allowInsecure: boolean | undefined,
): void {
  if (isSecure(url, allowInsecure)) return;
  throw new TypeError(
    `Cannot use "${url.protocol}//${url.host}": plain http is for loopback, or with allowInsecure`,
  );
}
