import { type Body, isStream } from "./body.ts";
import { ConnectionError, type Repetition, TimeoutError } from "./error.ts";
import { cancel, type OnStop, readBody } from "./read_body.ts";
import type { Redactable, Redactor } from "./redactor.ts";
import {
  OAuth2Response,
  type ParseOptions,
  type ResponseSettings,
} from "./response.ts";
import { invalid } from "./type_error.ts";

/** Function that sends requests, with a subset of the signature of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Request as it is sent. */
export interface WireRequest extends Redactable {
  /** Method in upper case. */
  readonly method: string;
  readonly body?: Body | undefined;
  /** Additional members of `init` for `fetch`. */
  readonly init?: RequestInit | undefined;
  readonly repetition: Repetition;
}

export interface Deadline {
  /**
   * Timeout in milliseconds; 0 for none.
   *
   * @default {30000}
   */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ExchangeOptions extends Deadline {
  /**
   * Function that sends requests.
   *
   * @default {globalThis.fetch}
   */
  readonly fetch?: Fetch | undefined;
  readonly redactor: Redactor;
}

/** Maximum length of a response of the authorization server, in bytes. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Maximum delay of `setTimeout` in milliseconds: about 24 days. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Messages of a TypeError for a lost connection, not for a wrong argument. */
const NO_CONNECTION =
  /^(fetch failed|failed to fetch|load failed|terminated|error )|network|connection|unable to connect/i;
/** Codes and messages of connections that were not made. */
const UNSENT =
  /ECONNREFUSED|connection ?refused|ENOTFOUND|EAI_AGAIN|UNREACH|\(Connect\)|dns error/i;
/** Messages and codes of certificate errors, for which a retry is pointless. */
const BAD_CERTIFICATE = /certificate|self.signed|\b[A-Z_]*(CERT|VERIFY)/;
const MAX_CAUSES = 8;
/** Message for a redirect in a browser. */
export const HIDDEN_REDIRECT =
  "Cannot follow the redirect: the browser hides its Location";

/**
 * Sends one request and reads the complete response. Redirects are not
 * followed. A response that cannot be used has a `problem`.
 *
 * @throws {TypeError} If the timeout is not a number, 0 or more.
 * @throws {TimeoutError} If the response takes longer than the timeout.
 * @throws {ConnectionError} If no complete response arrives.
 */
export function exchange(
  request: WireRequest,
  options: ExchangeOptions & {
    /** Maximum length of the body in bytes. */
    readonly maxBodyBytes: number;
  },
  parsing?: ParseOptions & ResponseSettings,
): Promise<OAuth2Response> {
  const { maxBodyBytes } = options;
  return roundTrip(request, options, async (response, onStop) => {
    const { status, headers } = response;
    const body = await readBody(response, maxBodyBytes, onStop);
    const problem = response.type === "opaqueredirect"
      ? HIDDEN_REDIRECT
      : !body
      ? `Cannot read the response: it is longer than ${maxBodyBytes} bytes (maxBodyBytes)`
      : status < 200 || status > 599
      ? `Unhandled status code value of ${status}`
      : undefined;
    const { href: url } = request.url;
    return new OAuth2Response({ status, headers, body, url, problem }, parsing);
  });
}

/**
 * Sends one request and returns the response after its headers have arrived.
 * Redirects are not followed.
 *
 * @throws {TypeError} If the timeout is not a number, 0 or more.
 * @throws {TimeoutError} If the headers take longer than the timeout.
 * @throws {ConnectionError} If no response arrives.
 */
export function open(
  request: WireRequest,
  options: ExchangeOptions,
): Promise<Response> {
  const { signal, fetch = globalThis.fetch } = options;
  return roundTrip(request, {
    ...options,
    // The caller's signal aborts the body, too.
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        ...signal && { signal: AbortSignal.any([init.signal!, signal]) },
      }),
  }, (response) => {
    if (!response?.headers) throw new TypeError("fetch returned no Response");
    return response;
  });
}

function roundTrip<T>(
  request: WireRequest,
  options: ExchangeOptions,
  read: (response: Response, onStop: OnStop) => T | Promise<T>,
): Promise<T> {
  return withDeadline(
    () => `response to ${describe(request, options.redactor)}`,
    request.repetition,
    options,
    async (signal, onStop) => {
      try {
        const response = await send(request, options.fetch, signal);
        if (!signal.aborted) return await read(response, onStop);
        cancel(response.body);
        throw signal.reason;
      } catch (error) {
        throw connectionError(error, request, options.redactor);
      }
    },
  );
}

/**
 * Runs a task until it settles, the timeout passes or the signal is aborted,
 * even if the task ignores its signal. `name` is the name of the result in
 * messages.
 *
 * @throws {TimeoutError} If the task takes longer than the timeout.
 */
export function withDeadline<T>(
  name: string | (() => string),
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
        new TimeoutError(
          `Cannot get a ${
            typeof name === "string" ? name : name()
          }: timeout of ${timeout} ms exceeded`,
          { retryable: repetition === "safe" },
        ),
      );
    const timer = timeout > 0 && timeout <= MAX_TIMEOUT
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

/** Checks a timeout or a limit. */
export function checkLimit(name: string, limit: number | undefined): void {
  if (limit === undefined) return;
  if (typeof limit !== "number" || !(limit >= 0)) {
    throw invalid(
      `Cannot use ${name} ${limit}: it must be a number, 0 or more`,
    );
  }
}

function send(
  { method, url, headers, body, init }: WireRequest,
  fetch: Fetch = globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  const sent: RequestInit & { duplex?: "half" } = {
    ...init,
    method,
    // Copied, because `fetch` may change them and redaction needs the original.
    headers: { ...headers },
    signal,
    redirect: "manual",
  };
  if (body !== undefined) sent.body = body;
  if (isStream(body)) sent.duplex = "half";
  return fetch(url.href, sent);
}

/** Names a request in messages, without its query. */
export function describe(request: WireRequest, redactor: Redactor): string {
  const { method, url: { origin, href } } = request;
  // Cut afterwards: half a secret would not be recognized.
  const rest = redactor.text(href.slice(origin.length), request);
  return `${method} ${origin}${rest.split(/[?#]/, 1)}`;
}

/** Wraps an error, whose own properties may contain the request. */
function connectionError(
  error: unknown,
  request: WireRequest,
  redactor: Redactor,
): ConnectionError {
  const redact = (text: string) => redactor.text(text, request);
  const cause = redactError(error, redact);
  const inner = cause.cause;
  const reasons = [cause.message, inner?.message].filter((text) => text);
  const hints = [...reasons, cause.code, inner?.code].join(" ");
  return new ConnectionError(
    `Cannot get a response to ${describe(request, redactor)}: ${
      reasons.join(": ")
    }`,
    {
      cause,
      retryable: (request.repetition === "safe" ||
        request.repetition === "if unsent" && UNSENT.test(hints)) &&
        !BAD_CERTIFICATE.test(hints) &&
        !(error instanceof TypeError && !NO_CONNECTION.test(error.message)),
    },
  );
}

/** Error with a system error code, e.g. `ECONNREFUSED`. */
type SystemError = Error & { cause?: SystemError; code?: string };

/** Copies name, message and code of an error and its causes, redacted. */
export function redactError(
  error: unknown,
  redact: (text: string) => string,
  depth = 0,
): SystemError {
  const { name = "Error", message = error, code, cause } = Object(error);
  const copy = new Error(redact(toText(message))) as SystemError;
  copy.name = redact(toText(name));
  if (typeof code === "string") copy.code = redact(code);
  if (cause && depth < MAX_CAUSES) {
    copy.cause = redactError(cause, redact, depth + 1);
  }
  return copy;
}

/** Converts a value to text without calling its methods. */
function toText(value: unknown): string {
  return Object(value) === value
    ? Object.prototype.toString.call(value)
    : String(value);
}
