/**
 * Returns a hash of 32 bits (FNV-1a). It detects mistakes and changes, not
 * forgery.
 */
export function digest(text: string): number {
  let hash = 0x811C9DC5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}
