import { reasonOf } from "../../util/reason_of.ts";
import { abortableChunks, readAtMost } from "./bounded_reading.ts";
import { MAX_MANIFEST_BYTES } from "./manifest.ts";
import {
  besideManifest,
  isAllowed,
  type ManifestAddress,
  withoutQueries,
  withoutQuery,
} from "./release_url.ts";
import {
  type FilePart,
  type ManifestText,
  type OpenOptions,
  type ReleaseSource,
  SourceError,
} from "./source.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const MAX_REDIRECTS = 5;

/** Header against compression. */
const IDENTITY = { "accept-encoding": "identity" };

/** Request of releases: `fetch`, or a replacement in tests. */
export type Fetch = (
  url: URL,
  init: RequestInit & { readonly signal: AbortSignal },
) => Promise<Response>;

/** Releases on an HTTP server. */
export class HttpSource implements ReleaseSource {
  readonly shown: string;
  readonly #manifest: URL;
  readonly #fetch: Fetch;

  constructor({ url, shown }: ManifestAddress, fetch: Fetch) {
    this.shown = shown;
    this.#manifest = url;
    this.#fetch = fetch;
  }

  async readManifest(
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<ManifestText | "unchanged"> {
    const headers = etag === undefined ? {} : { "if-none-match": etag };
    const response = await this.#request(this.#manifest, headers, signal);
    if (response.status === 304 && etag !== undefined) {
      await response.body?.cancel();
      return "unchanged";
    }
    const body = await bodyOf(response, 200);
    return {
      text: await readAtMost(
        MAX_MANIFEST_BYTES,
        chunksOf(body, this.#manifest, signal),
      ),
      etag: response.headers.get("etag") ?? undefined,
    };
  }

  async open(
    name: string,
    { start, etag, signal }: OpenOptions,
  ): Promise<FilePart> {
    const url = besideManifest(this.#manifest, name);
    if (start > 0) {
      const part = await this.#openRest(url, { start, etag, signal });
      if (part !== undefined) return part;
    }
    return whole(await this.#request(url, IDENTITY, signal), url, signal);
  }

  /** Continues a file; `undefined` if the server cannot do so. */
  async #openRest(
    url: URL,
    { start, etag, signal }: OpenOptions,
  ): Promise<FilePart | undefined> {
    const response = await this.#request(url, {
      ...IDENTITY,
      range: `bytes=${start}-`,
      // RFC 9110, section 13.1.5: not a weak validator.
      ...(isStrong(etag) ? { "if-range": etag } : {}),
    }, signal);
    if (response.status === 200) return await whole(response, url, signal);
    if (response.status === 206) {
      const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(
        response.headers.get("content-range") ?? "",
      );
      if (
        Number(range?.[1]) === start && !isCompressed(response)
      ) {
        return {
          start,
          size: Number(range![2]),
          etag: response.headers.get("etag") ?? undefined,
          ...contentOf(await bodyOf(response, 206), url, signal),
        };
      }
    } else if (response.status !== 416) {
      return await whole(response, url, signal); // Throws.
    }
    await response.body?.cancel();
    return undefined;
  }

  async #request(
    first: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = first;
    for (let i = 0; i <= MAX_REDIRECTS; i++) {
      const response = await this.#send(url, headers, signal);
      if (!REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      url = nextUrl(url, response.headers.get("location"));
    }
    throw new SourceError(`it redirects more than ${MAX_REDIRECTS} times`);
  }

  async #send(
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      // Redirects are followed here, because `fetch` would follow one to any
      // address.
      return await this.#fetch(url, { headers, signal, redirect: "manual" });
    } catch (cause) {
      throw failure(cause, url, signal);
    }
  }
}

/** Returns the response of a whole file. */
async function whole(
  response: Response,
  url: URL,
  signal: AbortSignal,
): Promise<FilePart> {
  const body = await bodyOf(response, 200);
  const { headers } = response;
  if (isCompressed(response)) {
    await body.cancel();
    throw new SourceError("the server compresses it (Content-Encoding)");
  }
  const length = headers.get("content-length");
  return {
    start: 0,
    size: length === null ? undefined : Number(length),
    etag: headers.get("etag") ?? undefined,
    ...contentOf(body, url, signal),
  };
}

/** Returns true if sizes and positions are not those of the file. */
function isCompressed({ headers }: Response): boolean {
  return (headers.get("content-encoding") ?? "identity") !== "identity";
}

function contentOf(
  body: ReadableStream<Uint8Array>,
  url: URL,
  signal: AbortSignal,
): Pick<FilePart, "chunks" | "cancel"> {
  return {
    chunks: chunksOf(body, url, signal),
    cancel: () => body.cancel(),
  };
}

async function bodyOf(
  response: Response,
  status: number,
): Promise<ReadableStream<Uint8Array>> {
  if (response.status !== status) {
    await response.body?.cancel();
    throw new SourceError(
      `the server responded with status ${response.status}`,
    );
  }
  return response.body ?? new Blob().stream();
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  url: URL,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* abortableChunks(body, signal);
  } catch (cause) {
    throw failure(cause, url, signal);
  }
}

function nextUrl(url: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, url);
  if (
    next === null || next.protocol === "file:" || !isAllowed(next) ||
    url.protocol === "https:" && next.protocol !== "https:"
  ) {
    const where = next?.protocol.startsWith("http") ? withoutQuery(next) : "";
    throw new SourceError(
      `it redirects to an address that is not allowed ${where}`.trimEnd(),
    );
  }
  return next;
}

function isStrong(etag: string | undefined): etag is string {
  return etag !== undefined && !etag.startsWith("W/");
}

function failure(cause: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof SourceError) return cause;
  const reasons: string[] = [];
  for (let it = cause; it !== undefined; it = (it as Error).cause) {
    reasons.push(reasonOf(it));
    if (!(it instanceof Error)) break;
  }
  const reason = reasons.join(": ")
    .replaceAll(url.href, withoutQuery(url))
    .replaceAll(url.search || "?", "");
  // Without the cause, which holds the URL with its query string.
  return new SourceError(withoutQueries(reason));
}
