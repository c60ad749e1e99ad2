/** Spreads the bits of a 32-bit number over all of them. */
export function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ hash >>> 16, 0x85EBCA6B);
  hash = Math.imul(hash ^ hash >>> 13, 0xC2B2AE35);
  return (hash ^ hash >>> 16) >>> 0;
}

/**
 * Hashes bytes from one position up to another.
 *
 * @param before Hash of what precedes them, to hash both.
 */
export function hashBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  before = 0,
): number {
  let hash = 0x811C9DC5 ^ before;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  }
  return mix(hash);
}
