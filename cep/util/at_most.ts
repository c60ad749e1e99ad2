/** Waits until a promise settles or the time has passed. */
export async function atMost(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, milliseconds);
  try {
    await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
