/** Milliseconds that suffice on a machine with many times its load. */
const PATIENCE_MS = 60_000;

/** Awaits a promise; rejects with the name if it takes too long. */
export async function within<T>(name: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Timed out: ${name}`)),
    PATIENCE_MS,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
