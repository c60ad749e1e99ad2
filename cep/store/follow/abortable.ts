/** Waits for a promise, or throws the reason of the signal. */
export async function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    // Neither may be left without a handler.
    promise.catch(() => {});
    aborted.promise.catch(() => {});
  }
}

/** Iterates over the chunks of a stream until its end or the signal. */
export async function* abortableChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // A file that hangs would also hang here.
    reader.cancel().catch(() => {});
  }
}
