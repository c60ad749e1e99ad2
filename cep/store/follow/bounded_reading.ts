/** Reading in bounded time and size: neither a server nor a mount may hang. */
import { clearTimeout, setTimeout } from "node:timers";
import { SourceError } from "./source.ts";

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

/** Bytes that count as progress: a server may trickle them. */
const PROGRESS_BYTES = 1_048_576;

/** Signal that aborts after some time without progress. */
export class ProgressWatch {
  readonly #milliseconds: number;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort(this.#outer.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #bytes = 0;

  constructor(milliseconds: number, outer: AbortSignal) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    // Removed in `stop`. The outer signal would keep one of `AbortSignal.any`
    // as long as that has a listener, about 1 kB in V8 for each left behind.
    outer.addEventListener("abort", this.#onAbort, { once: true });
    if (outer.aborted) this.#onAbort();
    this.#restart();
  }

  /** Aborts with the outer signal, or without progress. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts bytes that have been received. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= PROGRESS_BYTES) this.#restart();
  }

  #restart(): void {
    clearTimeout(this.#timer);
    this.#bytes = 0;
    this.#timer = setTimeout(() => {
      const seconds = this.#milliseconds / 1000;
      this.#controller.abort(
        new SourceError(`it made no progress for ${seconds} seconds`),
      );
    }, this.#milliseconds);
  }

  /** Ends the limit. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onAbort);
  }
}

/**
 * Reads a UTF-8 text.
 *
 * @throws {SourceError} If it is longer than allowed, or not UTF-8.
 */
export async function readAtMost(
  bytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    if (read > bytes) throw new SourceError(`it has more than ${bytes} bytes`);
    text += decode(decoder, chunk);
  }
  return text + decode(decoder);
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new SourceError("it is not UTF-8");
  }
}
