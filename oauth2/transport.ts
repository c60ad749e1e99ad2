import { ConnectionError, TimeoutError } from "./error.ts";
import type { Redactable, Redactor } from "./redact.ts";
import { OAuth2Response, type ParseOptions } from "./response.ts";

/** The part of `fetch` that is used: any function of this shape will do. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Whatever `fetch` takes as a body. */
export type Body = NonNullable<RequestInit["body"]>;

/** A request as it goes over the wire. */
export interface WireRequest extends Redactable {
  /** The method in capitals. */
  readonly method: string;
  readonly body?: Body | undefined;
}

/** How one request is sent and its answer read. */
export interface TransportOptions extends ParseOptions {
  readonly fetch: Fetch;
  readonly redactor: Redactor;
  /**
   * Milliseconds for the whole exchange; 0 for no limit.
   *
   * @default 30000
   */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes after which a body is refused. */
  readonly maxBodyBytes: number;
}

/** The longest answer of an authorization server, in bytes. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

const DEFAULT_TIMEOUT = 30_000;

/** The longest time that timers know: some 24 days, in milliseconds. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * Sends one request and reads the whole answer. Redirects are not followed. An
 * answer that cannot be read has a `problem`.
 *
 * @throws {TimeoutError} When the answer takes longer than the timeout.
 * @throws {ConnectionError} When no whole answer came.
 */
export async function exchange(
  request: WireRequest,
  options: TransportOptions,
): Promise<OAuth2Response> {
  const { timeout = DEFAULT_TIMEOUT, signal } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const stopLate = () =>
    controller.abort(
      new TimeoutError(
        `Got no answer from "${request.url.origin}" in ${timeout} ms`,
      ),
    );
  const timer = timeout > 0 && timeout <= LONGEST_TIMEOUT
    ? setTimeout(stopLate, timeout)
    : undefined;
  try {
    // A fetch of the caller's may not heed the signal.
    return await Promise.race([
      rejectOnAbort(controller.signal),
      converse(request, options, controller.signal),
    ]);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw connectionError(error, request, options.redactor);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function converse(
  request: WireRequest,
  options: TransportOptions,
  signal: AbortSignal,
): Promise<OAuth2Response> {
  const { method, url } = request;
  const { fetch, maxBodyBytes } = options;
  const init: RequestInit & { duplex?: "half" } = {
    method,
    headers: request.headers,
    signal,
    redirect: "manual",
  };
  if (request.body !== undefined) init.body = request.body;
  if (request.body instanceof ReadableStream) init.duplex = "half";
  const answer = await fetch(url.href, init);
  const { status, headers } = answer;
  const isHidden = answer.type === "opaqueredirect";
  const body = isHidden ? undefined : await readBody(answer, maxBodyBytes);
  const problem = isHidden
    ? "Cannot follow the redirect: the browser hides where it leads"
    : !body
    ? `Cannot read the answer: it is longer than ${maxBodyBytes} bytes`
    : status < 200 || status > 599
    ? `Unhandled status code value of ${status}`
    : undefined;
  return new OAuth2Response(
    { status, headers, body, url: url.href, problem },
    options,
  );
}

/** The body, or nothing if it is too long. */
async function readBody(
  answer: Response,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      // Nobody waits for a server that does not stop, or hears of its failing.
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
  return chunks.length === 1
    ? chunks[0]
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
  });
}

/**
 * The cause is left out, for it may hold the request; its message is told, since
 * Node gives the reason only there.
 */
function connectionError(
  error: unknown,
  request: WireRequest,
  redactor: Redactor,
): ConnectionError {
  const { message, cause } = Object(error);
  const reason = [message, cause?.message ?? cause]
    .filter((text) => text && typeof text === "string").join(": ");
  return new ConnectionError(
    `Cannot get an answer from "${request.url.origin}": ${
      redactor.text(reason, request)
    }`,
  );
}
