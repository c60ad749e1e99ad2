import { ResponseCache } from "./cache.ts";
import { CepError } from "./error.ts";
import type { CallOptions, Connection } from "./options.ts";
import { backoff, isPassing, parseRetryAfter } from "./retry.ts";

/** Request; with a body, the method is POST. */
export interface WireRequest extends CallOptions {
  /** Absolute URL. */
  readonly url: string;
  /** Value that is sent as JSON. */
  readonly body?: unknown;
}

/** Response of one try. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** URL after redirects. */
  readonly url: string;
  readonly text: string;
}

/** Requests to a server or static site: timeout, retries, cache, and JSON. */
export class Transport {
  readonly #options: Connection;
  readonly #cache: ResponseCache;

  /** Creates a connection. */
  constructor(options: Connection) {
    this.#options = options;
    this.#cache = new ResponseCache(options.cache);
  }

  /**
   * Sends a request and parses the response as JSON. Every request of this
   * client is safe to repeat.
   *
   * @throws {CepError} If the response is an error, cannot be read or does not
   * arrive.
   */
  async request(request: WireRequest): Promise<unknown> {
    const { clock, random, retries, maxRetryDelay } = this.#options;
    const signal = request.signal ?? new AbortController().signal;
    for (let retry = 0;; retry++) {
      signal.throwIfAborted();
      try {
        return await this.#try(request);
      } catch (error) {
        if (!(error instanceof CepError) || !maySucceed(error)) throw error;
        const asked = error.retryAfter;
        const delay = asked === undefined
          ? Math.min(backoff(retry, random), maxRetryDelay)
          // Clients that were refused together do not return together.
          : asked * 1000 + random() * 250;
        if (retry >= retries || delay > maxRetryDelay + 250) throw error;
        await clock.sleep(delay, signal);
      }
    }
  }

  async #try(request: WireRequest): Promise<unknown> {
    const { clock } = this.#options;
    const { url, body } = request;
    const cached = body === undefined ? this.#cache.get(url) : undefined;
    if (cached !== undefined && clock.now() < cached.freshUntil) {
      return JSON.parse(cached.text);
    }
    const answer = await this.#exchange(request, cached?.etag ?? undefined);
    const { status, headers } = answer;
    if (status === 304 && cached !== undefined) {
      this.#cache.set(url, cached.text, headers, clock.now());
      return JSON.parse(cached.text);
    }
    const value = parse(answer.text);
    if (status < 200 || status > 299) throw this.#toError(answer, value);
    if (value === undefined) throw notOfTheApi(answer);
    if (body === undefined) {
      this.#cache.set(url, answer.text, headers, clock.now());
    }
    return value;
  }

  /** Sends one request and reads its response, within the timeout. */
  #exchange(
    { url, body, signal }: WireRequest,
    etag: string | undefined,
  ): Promise<Answer> {
    const { fetch, headers } = this.#options;
    const init: RequestInit = {
      headers: {
        ...headers,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(etag !== undefined && { "if-none-match": etag }),
      },
      ...(body !== undefined &&
        { method: "POST", body: JSON.stringify(body) }),
    };
    return this.#withDeadline(url, signal, async (signal) => {
      try {
        const response = await fetch(url, { ...init, signal });
        const text = await readText(response, signal);
        const { status, headers } = response;
        return { status, headers, text, url: response.url || url };
      } catch (cause) {
        if (cause instanceof CepError || signal.aborted) throw cause;
        throw new CepError("network", `Cannot reach "${shown(url)}"`, {
          cause,
        });
      }
    });
  }

  /**
   * Runs a task until it settles, the timeout passes or the signal is aborted,
   * even if the task ignores its signal.
   */
  #withDeadline<T>(
    url: string,
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeout, clock } = this.#options;
    const controller = new AbortController();
    const done = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const stop = (reason: unknown) => {
        if (done.signal.aborted) return;
        reject(reason);
        controller.abort(reason);
      };
      const abort = () => stop(signal!.reason);
      signal?.addEventListener("abort", abort, { signal: done.signal });
      if (timeout > 0) {
        clock.sleep(timeout, done.signal).then(() =>
          stop(
            new CepError(
              "timeout",
              `Cannot get "${shown(url)}": timeout of ${timeout} ms exceeded`,
            ),
          )
        );
      }
      task(controller.signal).then(resolve, reject);
    }).finally(() => done.abort());
  }

  #toError(answer: Answer, value: unknown): CepError {
    const { status, headers } = answer;
    const retryAfter = isPassing(status)
      ? parseRetryAfter(headers.get("retry-after"), this.#options.clock.now())
      : undefined;
    const { error, code } = Object(value);
    return typeof error === "string" && typeof code === "string"
      ? new CepError(code, error, {
        status,
        retryAfter,
        details: value as Record<string, unknown>,
      })
      : notOfTheApi(answer, retryAfter);
  }
}

function maySucceed({ code, status }: CepError): boolean {
  return code === "network" || code === "timeout" ||
    (status !== undefined && isPassing(status));
}

function notOfTheApi(
  { status, headers, url }: Answer,
  retryAfter?: number,
): CepError {
  const type = headers.get("content-type") ?? "no content type";
  return new CepError(
    "response_invalid",
    `Cannot read the response of "${shown(url)}": it is not of the API ` +
      `(status ${status}, ${type})`,
    { status, retryAfter },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a URL for messages, without its query, which may hold a key. */
function shown(url: string): string {
  return url.replace(/[?#].*$/, "");
}

/** Maximum size of a body in bytes. */
export const MAX_BODY_BYTES: number = 16 * 1024 * 1024;

/**
 * Reads a body as UTF-8.
 *
 * @throws {CepError} If it is larger than {@linkcode MAX_BODY_BYTES}.
 */
async function readText(
  response: Response,
  signal: AbortSignal,
): Promise<string> {
  const { body, status } = response;
  // React Native has no streams.
  if (!body) return await response.text();
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    const decoder = new TextDecoder();
    let size = 0;
    let text = "";
    while (true) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MAX_BODY_BYTES) {
        throw new CepError(
          "response_invalid",
          `Cannot read the response: it is longer than ${MAX_BODY_BYTES} bytes`,
          { status },
        );
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
