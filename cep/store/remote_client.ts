import { isLoopback } from "../util/loopback.ts";
import type { RemoteClient } from "./remote_server.ts";

/** Rule for the URL, as a phrase after "must be". */
export const REMOTE_URL_RULE = {
  en: "a URL with `libsql:` or `https:`, or with `http:` on this machine, " +
    "without a user, a query or a fragment",
  pt: "URL com `libsql:` ou `https:`, ou com `http:` nesta máquina, sem " +
    "usuário, query ou fragmento",
} as const;

/**
 * Parses the URL of a server to one with `https:` or `http:`.
 *
 * @returns `undefined` if it is not allowed. One with a user or a query is
 * refused because logs may show it: the token is a separate setting.
 */
export function parseRemoteUrl(text: string): URL | undefined {
  const url = URL.parse(text.replace(/^libsql:/i, "https:"));
  if (url === null || url.hostname === "") return undefined;
  // URL drops an empty user, query and fragment.
  if (/[@?#\\\s]/.test(text)) return undefined;
  if (url.protocol === "https:") return url;
  return url.protocol === "http:" && isLoopback(url.hostname) ? url : undefined;
}

/** Server of a URL. */
export interface RemoteAddress {
  /** Its URL for messages. */
  readonly name: string;
  /** Creates a client whose requests are given up after some milliseconds. */
  readonly connect: (timeoutMs: number) => RemoteClient;
}

/**
 * Prepares clients for a URL.
 *
 * @throws {TypeError} If the URL is not allowed.
 */
export async function connectTo(
  text: string,
  authToken: string | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<RemoteAddress> {
  const url = parseRemoteUrl(text);
  if (url === undefined) {
    throw new TypeError(
      "Cannot open the database: the URL of the server must be " +
        REMOTE_URL_RULE.en.replaceAll("`", ""),
    );
  }
  // Imported here: an edge runtime brings its own client.
  const { createClient } = await import("@libsql/client/http");
  return {
    name: url.origin,
    connect: (timeoutMs) =>
      createClient({
        url: url.href,
        ...(authToken ? { authToken } : {}),
        fetch: boundedFetch({ fetch, timeoutMs }),
        concurrency: 100,
      }),
  };
}

/**
 * Maximum size of a response. A server refuses rows of more than 10 MB, which
 * base64 and the names of columns may triple.
 */
const MAX_BYTES = 32 << 20;

/** Options of {@linkcode boundedFetch}. */
interface BoundedFetchOptions {
  /** Sends a request. */
  readonly fetch: typeof fetch;
  /** Milliseconds after which a request is given up. */
  readonly timeoutMs: number;
}

/**
 * Creates a function like `fetch` that gives up slow requests and large
 * responses, and follows no redirect: the token is for one server only.
 */
function boundedFetch(
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
