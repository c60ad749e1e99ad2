export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Encodes bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes)
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Decodes base64 or base64url, with or without padding. Returns undefined for
 * any other text.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w+/-]*={0,2}$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Decodes base64url without padding. Returns undefined for any other text, also
 * one whose last character has bits that are ignored (RFC 4648 section 3.5).
 */
export function fromBase64Url(
  text: string,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64(text);
  return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}
