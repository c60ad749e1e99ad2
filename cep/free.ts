/**
 * Release of memory before garbage collection.
 *
 * @module
 */

/**
 * Frees the memory of arrays, which become empty. Garbage collection would leave
 * it for long, because the heap itself is small.
 */
export function free(
  ...arrays: readonly { readonly buffer: ArrayBuffer }[]
): void {
  for (const { buffer } of arrays) buffer.transfer(0);
}

/** Frees the memory of an array, unless other arrays may share it. */
export function freePart({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
    buffer.transfer(0);
  }
}
