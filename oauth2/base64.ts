/**
 * Base64 (RFC 4648 section 4).
 *
 * @module
 */

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
