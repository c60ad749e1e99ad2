/** Allocates a block of memory. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** Allocates memory of this thread, which `free` returns at once. */
export const plainMemory: Allocate = (bytes) => new ArrayBuffer(bytes);

/**
 * Allocates memory that other threads can read, too. It is returned when every
 * thread has collected its last reference: see `collect_garbage.ts`.
 */
export const sharedMemory: Allocate = (bytes) => new SharedArrayBuffer(bytes);

/**
 * Allocates memory for several arrays, each aligned for 32-bit numbers, in one
 * block: a large one is returned to the system when it is freed, which many
 * small ones would not be.
 */
export function allocateTogether(
  sizes: readonly number[],
  allocate: Allocate,
): Uint8Array[] {
  const aligned = sizes.map((size) => 4 * Math.ceil(size / 4));
  const block = allocate(aligned.reduce((total, size) => total + size, 0));
  let end = 0;
  return sizes.map((size, i) => {
    const start = end;
    end += aligned[i]!;
    return new Uint8Array(block, start, size);
  });
}
