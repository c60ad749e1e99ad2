const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns true for `localhost`, 127.0.0.0/8 and ::1, as the host name of a
 * `URL`. The address of other names, such as `a.localhost`, may be up to DNS.
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
