/** Arrays in which the counts are kept. */
export type NumberArray = Int32Array | Uint32Array | Uint8Array;

/**
 * Returns an array with room for an index: the same one, or a copy of at least
 * twice the length.
 */
export function withRoom<A extends NumberArray>(array: A, index: number): A {
  if (index < array.length) return array;
  const length = Math.max(2 * array.length, index + 1);
  const grown = new (array.constructor as new (length: number) => A)(length);
  grown.set(array);
  return grown;
}
