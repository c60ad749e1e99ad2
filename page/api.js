/** Requests to the service of the page. */
import { fill, texts } from "./dom.js";

/** Requests without an answer in this time are given up. */
const TIMEOUT_MS = 15_000;

const MAX_CACHED = 100;
const cache = new Map();

/** Failure of a request: refused, limited, broken, or without a network. */
export class Failure extends Error {
  /** @param {{ status?: number, body?: object, seconds?: number }} answer */
  constructor({ status = 0, body = {}, seconds = 0 } = {}) {
    super(describe(status, seconds));
    this.status = status;
    this.body = body;
    this.seconds = seconds;
  }
}

/** Fetches JSON, or takes it from the last answers. */
export async function get(path, { signal } = {}) {
  const known = cache.get(path);
  if (known !== undefined) return known;
  // By this header, searches while someone types count together.
  const headers = { "carteiro-page": "1" };
  const response = await send(path, { signal, headers });
  const body = await response.json().catch(() => {
    throw new Failure({ status: 502 });
  });
  cache.set(path, body);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value);
  return body;
}

/** Sends a request, and throws a failure unless it succeeds. */
export async function send(path, { signal, ...init } = {}) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const either = signal && AbortSignal.any
    ? AbortSignal.any([signal, timeout])
    : signal ?? timeout;
  const response = await fetch(path, { ...init, signal: either })
    .catch((error) => {
      throw error.name === "AbortError" ? error : new Failure();
    });
  if (response.ok) return response;
  throw new Failure({
    status: response.status,
    body: await response.json().catch(() => ({})),
    seconds: Number(response.headers.get("retry-after") ?? 0),
  });
}

/** Time to wait, and the hour at which it ends. */
export function describeWait(seconds) {
  const until = new Date(Date.now() + seconds * 1000);
  return fill(texts.limitedUntil, {
    wait: seconds < 90
      ? fill(texts.seconds, { n: seconds })
      : fill(texts.minutes, { n: Math.ceil(seconds / 60) }),
    time: until.toLocaleTimeString(document.documentElement.lang),
  });
}

function describe(status, seconds) {
  if (status === 0) return navigator.onLine ? texts.unreachable : texts.offline;
  if (status === 429) return describeWait(seconds || 1);
  return status === 503 ? texts.unavailable : texts.broken;
}
