/** Request or response. One that came over the network has a URL. */
export interface Readable {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly url: string;
}

/** Bytes of the first buffer; most responses of a token endpoint fit in. */
const FIRST_BUFFER = 4096;

/**
 * Reads a complete body. Returns undefined if it is longer than `maxBytes`.
 * `onStop` receives the function that stops reading.
 */
export async function readBody(
  { body, url }: Readable,
  maxBytes: number,
  onStop: (stop: (reason: unknown) => void) => void = () => {},
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!body) return new Uint8Array();
  // A body that did not come from the network is hardly ever a byte stream.
  const byteReader = url ? byteReaderOf(body) : undefined;
  const reader = byteReader ?? body.getReader();
  onStop((reason) => cancel(reader, reason));
  let bytes = new Uint8Array(byteReader ? FIRST_BUFFER : 0);
  let length = 0;
  for (;;) {
    const { done, value } = byteReader
      ? await byteReader.read(bytes.subarray(length))
      : await (reader as ReadableStreamDefaultReader<typeof bytes>).read();
    // The byte reader moves the buffer into its result, or drops it.
    if (byteReader) bytes = new Uint8Array(value?.buffer ?? []);
    if (done) return bytes.slice(0, length);
    const needed = length + value.length;
    if (needed > maxBytes) {
      cancel(reader);
      return undefined;
    }
    if (needed >= bytes.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(bytes);
      bytes = larger;
    }
    if (!byteReader) bytes.set(value, length);
    length = needed;
  }
}

/**
 * Returns a reader that fills a given buffer, if the platform has one for this
 * body: Deno would allocate 64 KiB for each chunk.
 */
function byteReaderOf(
  body: ReadableStream,
): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/** Cancels a body in the background and ignores errors. */
export function cancel(
  body: { cancel(reason?: unknown): Promise<void> } | null,
  reason?: unknown,
): void {
  body?.cancel(reason).catch(() => {});
}
