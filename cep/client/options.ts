/** Clock, replaceable in tests. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /**
   * Waits.
   *
   * @param signal Ends the wait early, without an error.
   */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Clock of the system. */
const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    });
  },
};

/** Function that sends requests, with a subset of the signature of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a connection. */
export interface ConnectionOptions {
  /**
   * Headers of every request.
   *
   * @default {{}}
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Timeout of one try in milliseconds, including the body; 0 for none.
   *
   * @default {10000}
   */
  readonly timeout?: number;
  /**
   * Number of tries after the first one, for status 429, 502, 503 and 504, lost
   * connections and timeouts.
   *
   * @default {2}
   */
  readonly retries?: number;
  /**
   * Maximum wait before a retry in milliseconds. If the server asks for a longer
   * one, the call fails immediately.
   *
   * @default {10000}
   */
  readonly maxRetryDelay?: number;
  /**
   * Number of responses to cache, the least recently used being evicted. A
   * response is used again until its `max-age` has passed, then checked by its
   * `ETag`.
   *
   * @default {0}
   */
  readonly cache?: number;
  /**
   * Function that sends requests.
   *
   * @default {globalThis.fetch}
   */
  readonly fetch?: Fetch;
  /**
   * Clock of timeouts, retries and the cache.
   *
   * @default {the clock of the system}
   */
  readonly clock?: Clock;
  /**
   * Random numbers from 0 to 1, which spread retries.
   *
   * @default {Math.random}
   */
  readonly random?: () => number;
}

/** Options of a client of a server. */
export interface ServerOptions extends ConnectionOptions {
  /**
   * URL of the server. It may have a path, before that of each endpoint, and a
   * query, which every request then has. In browsers it may be relative.
   */
  readonly baseUrl: string | URL;
  /** Not allowed with `baseUrl`. */
  readonly staticSite?: undefined;
}

/** Options of a client of a static site. */
export interface StaticSiteOptions extends ConnectionOptions {
  /** URL of the folder of a static export. In browsers it may be relative. */
  readonly staticSite: string | URL;
  /** Not allowed with `staticSite`. */
  readonly baseUrl?: undefined;
}

/** Options of `createCepClient`. */
export type CepClientOptions = ServerOptions | StaticSiteOptions;

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Connection with the defaults filled in. */
export type Connection = Required<ConnectionOptions>;

/**
 * Fills in the defaults.
 *
 * @throws {TypeError} If a number is negative or not a number.
 */
export function completeOptions(options: ConnectionOptions): Connection {
  const {
    headers = {},
    timeout = 10_000,
    retries = 2,
    maxRetryDelay = 10_000,
    cache = 0,
    // Called without a receiver, as browsers require.
    fetch = (url, init) => globalThis.fetch(url, init),
    clock = SYSTEM_CLOCK,
    random = Math.random,
  } = options;
  for (
    const [name, value] of Object.entries({
      timeout,
      retries,
      maxRetryDelay,
      cache,
    })
  ) {
    if (typeof value !== "number" || !(value >= 0)) {
      throw new TypeError(
        `Cannot use ${name} ${value}: it must be a number, 0 or more`,
      );
    }
  }
  return {
    headers,
    timeout,
    retries,
    maxRetryDelay,
    cache,
    fetch,
    clock,
    random,
  };
}
