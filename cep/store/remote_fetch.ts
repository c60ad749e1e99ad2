/**
 * Maximum size of a response. A server refuses rows of more than 10 MB, which
 * base64 and the names of columns may triple.
 */
const MAX_BYTES = 32 << 20;

/** Options of {@linkcode boundedFetch}. */
export interface BoundedFetchOptions {
  /** Sends a request. */
  readonly fetch: typeof fetch;
  /** Milliseconds after which a request is given up. */
  readonly timeoutMs: number;
}

/**
 * Creates a function like `fetch` that gives up slow requests and large
 * responses, and follows no redirect: the token is for one server only.
 */
export function boundedFetch(
  { fetch, timeoutMs }: BoundedFetchOptions,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return new Response(null, { status: 421 });
    }
    // The header Content-Length counts compressed bytes.
    return response.body === null
      ? response
      : await limited(response, response.body);
  };
}

/** Bytes that are read at once. */
const CHUNK_BYTES = 1 << 16;

/** Returns a response whose body is read; fails beyond the maximum. */
async function limited(
  response: Response,
  body: ReadableStream,
): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of readLarge(body)) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RangeError("the response is too large");
    chunks.push(chunk);
  }
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) {
    headers.delete(name); // Of the compressed body.
  }
  const { status } = response;
  return new Response(new Blob(chunks), { status, headers });
}

/**
 * Reads a stream in large chunks: a server sends chunks of a hundred bytes, and
 * to read each of them takes longer than to read them together.
 */
async function* readLarge(
  body: ReadableStream,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = byteReader(body);
  if (reader === undefined) return yield* body;
  try {
    while (true) {
      const { done, value } = await reader.read(new Uint8Array(CHUNK_BYTES), {
        min: CHUNK_BYTES,
      });
      if (value !== undefined && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    // Without effect on a stream that has ended.
    await reader.cancel().catch(() => {});
  }
}

/** Returns a reader into buffers, which not every stream has. */
function byteReader(
  body: ReadableStream,
): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}
