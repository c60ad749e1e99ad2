/**
 * Frees the memory of arrays, which become empty, unless other threads may read
 * it. Garbage collection would leave it for long, because the heap itself is
 * small.
 */
export function free(
  ...arrays: readonly { readonly buffer: ArrayBufferLike }[]
): void {
  for (const { buffer } of arrays) {
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }
}

/** Frees the memory of an array, unless other arrays may share it. */
export function freePart({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
    buffer.transfer(0);
  }
}
