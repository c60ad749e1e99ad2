import type { Body } from "./body.ts";
import { ConnectionError, type Repetition, TimeoutError } from "./error.ts";
import type { Redactor } from "./redactor.ts";
import type { WireRequest } from "./request.ts";
import {
  OAuth2Response,
  type ParseOptions,
  type ResponseSettings,
} from "./response.ts";

/** Part of `fetch` that is used: any function of this shape will do. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** End of a call. */
export interface Deadline {
  /**
   * Milliseconds for the call; 0 for no limit.
   *
   * @default 30000
   */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of one exchange. */
export interface ExchangeOptions extends Deadline {
  /**
   * Function that sends requests.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  readonly redactor: Redactor;
}

/** Takes the function that stops the reading of a body. */
type OnStop = (stop: (reason: unknown) => void) => void;

/** Longest response of an authorization server, in bytes. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Longest time that timers know: some 24 days, in milliseconds. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Messages of TypeErrors that tell of a lost connection; others are mistakes. */
const NO_CONNECTION =
  /^(fetch failed|failed to fetch|load failed|terminated|error )|network|connection|unable to connect/i;
/** Messages and codes of certificate errors, which a retry does not cure. */
const BAD_CERTIFICATE = /certificate|self.signed|\b[A-Z_]*(CERT|VERIFY)/;
const DEEPEST_CAUSE = 8;
/** Problem of a redirect whose `Location` a browser hides. */
export const HIDDEN_REDIRECT =
  "Cannot follow the redirect: the browser hides its Location";

/**
 * Sends one request and reads the whole answer. Redirects are not followed. An
 * answer that cannot be read has a `problem`.
 *
 * @throws {TypeError} When the timeout is not a number of milliseconds.
 * @throws {TimeoutError} When the answer takes longer than the timeout.
 * @throws {ConnectionError} When there is no complete answer.
 */
export function exchange(
  request: WireRequest,
  options: ExchangeOptions & {
    /** Bytes after which a body is refused. */
    readonly maxBodyBytes: number;
  },
  parsing?: ParseOptions & ResponseSettings,
): Promise<OAuth2Response> {
  const { maxBodyBytes } = options;
  return roundTrip(request, options, async (answer, onStop) => {
    const { status, headers } = answer;
    const body = await readBody(answer, maxBodyBytes, onStop);
    const problem = answer.type === "opaqueredirect"
      ? HIDDEN_REDIRECT
      : !body
      ? `Cannot read the answer: it is longer than ${maxBodyBytes} bytes`
      : status < 200 || status > 599
      ? `Unhandled status code value of ${status}`
      : undefined;
    const { href: url } = request.url;
    return new OAuth2Response({ status, headers, body, url, problem }, parsing);
  });
}

/**
 * Sends one request and gives the answer as it is, when its headers are there.
 * Redirects are not followed.
 *
 * @throws As {@link exchange}, but for what happens after the headers.
 */
export function open(
  request: WireRequest,
  options: ExchangeOptions,
): Promise<Response> {
  const { signal, fetch = globalThis.fetch } = options;
  return roundTrip(request, {
    ...options,
    // An abort ends a body that the caller reads, too.
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        ...signal && { signal: AbortSignal.any([init.signal!, signal]) },
      }),
  }, (answer) => {
    // A function of the caller's may give anything.
    if (!answer?.headers) throw new TypeError("fetch gave no response");
    return answer;
  });
}

/** Sends a request and reads its answer, both in time. */
function roundTrip<T>(
  request: WireRequest,
  options: ExchangeOptions,
  read: (answer: Response, onStop: OnStop) => T | Promise<T>,
): Promise<T> {
  const { url: { origin }, repetition } = request;
  return withDeadline(
    `answer from "${origin}"`,
    repetition,
    options,
    (signal, onStop) =>
      send(request, options.fetch, signal)
        .then((answer) => {
          if (!signal.aborted) return read(answer, onStop);
          // The answer came too late.
          cancel(answer.body);
          throw signal.reason;
        })
        .catch((error) => {
          throw connectionError(error, request, options.redactor);
        }),
  );
}

/**
 * Runs a task until it settles, the timeout passes or the signal is aborted, even
 * if the task ignores its own signal. `name` is that of the result, for messages.
 *
 * @throws {TimeoutError} When the task takes longer than the timeout.
 */
export function withDeadline<T>(
  name: string,
  repetition: Repetition,
  { timeout = 30_000, signal }: Deadline,
  task: (signal: AbortSignal, onStop: OnStop) => Promise<T>,
): Promise<T> {
  checkLimit("timeout", timeout);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const controller = new AbortController();
    let stopReading: ((reason: unknown) => void) | undefined;
    const stop = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
      stopReading?.(reason);
      settle();
    };
    const stopEarly = () => stop(signal!.reason);
    const stopLate = () =>
      stop(
        new TimeoutError(`Got no ${name} in ${timeout} ms`, {
          retryable: repetition === "safe",
        }),
      );
    const timer = timeout > 0 && timeout <= LONGEST_TIMEOUT
      ? setTimeout(stopLate, timeout)
      : undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stopEarly);
    };
    signal?.addEventListener("abort", stopEarly, { once: true });
    task(controller.signal, (stop) => stopReading = stop)
      .then(resolve, reject)
      .then(settle);
  });
}

/**
 * Refuses a limit that is not a number, or is negative.
 *
 * @throws {TypeError} When it is not a number, 0 or more.
 */
export function checkLimit(name: string, limit: number | undefined): void {
  if (limit === undefined) return;
  if (typeof limit !== "number" || !(limit >= 0)) {
    throw new TypeError(
      `Cannot use the ${name} ${limit}: it must be a number, 0 or more`,
    );
  }
}

async function send(
  { method, url, headers, body, init }: WireRequest,
  fetch: Fetch = globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  const sent: RequestInit & { duplex?: "half" } = {
    ...init,
    method,
    // The function may change them, but what is redacted was sent.
    headers: { ...headers },
    signal,
    redirect: "manual",
  };
  if (body !== undefined) sent.body = body;
  if (isStream(body)) sent.duplex = "half";
  return await fetch(url.href, sent);
}

/** Tells a body that can be sent but once. */
export function isStream(body: Body | undefined): boolean {
  return typeof body === "object" &&
    (body instanceof ReadableStream || Symbol.asyncIterator in body);
}

/** Reads the whole body, or undefined if it is too long. */
async function readBody(
  { body }: Response,
  maxBytes: number,
  onStop: OnStop,
): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array();
  if (!body) return bytes;
  let length = 0;
  const reader = body.getReader();
  onStop((reason) => cancel(reader, reason));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const needed = length + value.length;
    if (needed > maxBytes) {
      cancel(reader);
      return undefined;
    }
    // Chunks are copied: a small one may be a part of a large buffer.
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * bytes.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(value, length);
    length = needed;
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/** Cancels a body without waiting for it; a failure to cancel is ignored. */
export function cancel(
  body: { cancel(reason?: unknown): Promise<void> } | null,
  reason?: unknown,
): void {
  body?.cancel(reason).catch(() => {});
}

/** Wraps the error of a `fetch` or of a body, whose properties may hold the request. */
function connectionError(
  error: unknown,
  request: WireRequest,
  redactor: Redactor,
): ConnectionError {
  const redact = (text: string) => redactor.text(text, request);
  const cause = withoutSecrets(error, redact);
  const inner = cause.cause;
  const reasons = [cause.message, inner?.message].filter((text) => text);
  const hints = [...reasons, cause.code, inner?.code].join(" ");
  return new ConnectionError(
    `Cannot get an answer from "${request.url.origin}": ${reasons.join(": ")}`,
    {
      cause,
      retryable: request.repetition === "safe" &&
        !BAD_CERTIFICATE.test(hints) &&
        !(error instanceof TypeError && !NO_CONNECTION.test(error.message)),
    },
  );
}

/** Error with the code of the system, such as `ECONNREFUSED`. */
type SystemError = Error & { cause?: SystemError; code?: string };

/** Copies an error and its causes: name, message and code, redacted. */
function withoutSecrets(
  error: unknown,
  redact: (text: string) => string,
  depth = 0,
): SystemError {
  const { name = "Error", message = error, code, cause } = Object(error);
  const copy = new Error(redact(toText(message))) as SystemError;
  copy.name = redact(toText(name));
  if (typeof code === "string") copy.code = redact(code);
  if (cause && depth < DEEPEST_CAUSE) {
    copy.cause = withoutSecrets(cause, redact, depth + 1);
  }
  return copy;
}

/** Writes any value as text, even an object that has none. */
function toText(value: unknown): string {
  return Object(value) === value
    ? Object.prototype.toString.call(value)
    : String(value);
}
