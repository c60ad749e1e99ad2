/**
 * Waiting with an end.
 *
 * @module
 */

/** Waits until something is settled, but no longer than these milliseconds. */
export async function atMost(
  milliseconds: number,
  something: Promise<unknown>,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, milliseconds);
  try {
    await Promise.race([something, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
