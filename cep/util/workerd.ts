/** True in `workerd`, whose requests must not wait for each other. */
export function isWorkerd(): boolean {
  return globalThis.navigator?.userAgent === "Cloudflare-Workers";
}
