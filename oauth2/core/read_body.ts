type Bytes = Uint8Array<ArrayBuffer>;

/** Request or response. */
export interface Readable {
  readonly body: ReadableStream<Bytes> | null;
  readonly type?: ResponseType;
  readonly headers: Headers;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Registers the function that stops reading. */
export type OnStop = (stop: (reason: unknown) => void) => void;

/**
 * Reads a complete body. Returns undefined if it is longer than `maxBytes`.
 * `onStop` receives the function that stops reading.
 */
export async function readBody(
  message: Readable,
  maxBytes: number,
  onStop: OnStop = () => {},
): Promise<Bytes | undefined> {
  if (isShort(message, maxBytes)) {
    return new Uint8Array(await message.arrayBuffer());
  }
  let bytes = new Uint8Array();
  const reader = message.body?.getReader();
  if (!reader) return bytes;
  onStop((reason) => cancel(reader, reason));
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.length > length ? bytes.slice(0, length) : bytes;
    const needed = length + value.length;
    if (needed > maxBytes) {
      cancel(reader);
      return undefined;
    }
    if (length === 0) {
      // Copied, because a source may overwrite its chunks.
      bytes = value.slice();
    } else {
      // Doubles, because chunks may be tiny, and many.
      if (needed > bytes.length) {
        const larger = new Uint8Array(2 * needed);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(value, length);
    }
    length = needed;
  }
}

/**
 * Returns true if the body cannot be longer than `maxBytes`: it ends at its
 * Content-Length, and is not compressed. Only a `basic` response is certain to
 * come from the network and to show all of its headers.
 */
function isShort({ type, headers }: Readable, maxBytes: number): boolean {
  if (type !== "basic" || headers.has("content-encoding")) return false;
  const length = String(headers.get("content-length"));
  return /^\d+$/.test(length) && Number(length) <= maxBytes;
}

/** Cancels a body in the background and ignores errors. */
export function cancel(
  body: { cancel(reason?: unknown): Promise<void> } | null | undefined,
  reason?: unknown,
): void {
  body?.cancel(reason).catch(() => {});
}
