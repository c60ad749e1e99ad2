/** Response in the cache. */
interface Cached {
  /** Body. */
  readonly text: string;
  /** `ETag`, if the response has one. */
  readonly etag: string | null;
  /** Time until which it is fresh, in milliseconds since 1970. */
  readonly freshUntil: number;
}

/** Cache that evicts the least recently used response. */
export class ResponseCache {
  readonly #size: number;
  readonly #entries = new Map<string, Cached>();

  /** Creates a cache of a maximum number of responses. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Returns the response of a URL. */
  get(url: string): Cached | undefined {
    const found = this.#entries.get(url);
    if (found !== undefined) this.#put(url, found); // Now the last one.
    return found;
  }

  /** Stores a response, if its headers allow it. */
  set(url: string, text: string, headers: Headers, now: number): void {
    const etag = headers.get("etag");
    const seconds = secondsFresh(headers);
    if (seconds === undefined || (seconds <= 0 && etag === null)) {
      this.#entries.delete(url);
    } else {
      this.#put(url, { text, etag, freshUntil: now + seconds * 1000 });
    }
  }

  #put(url: string, entry: Cached): void {
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    if (this.#entries.size > this.#size) {
      this.#entries.delete(this.#entries.keys().next().value!);
    }
  }
}

/**
 * Returns the seconds for which a response is fresh, `undefined` if it must not
 * be stored (RFC 9111, 4.2 and 5.2.2).
 */
function secondsFresh(headers: Headers): number | undefined {
  const directives = (headers.get("cache-control") ?? "").toLowerCase()
    .split(",").map((it) => it.trim());
  if (directives.includes("no-store")) return undefined;
  if (directives.includes("no-cache")) return 0;
  const [, age] = directives.map((it) => /^max-age="?(\d+)"?$/.exec(it))
    .find((it) => it !== null) ?? [];
  const past = /^\d+$/.exec(headers.get("age") ?? "")?.[0];
  return Number(age ?? 0) - Number(past ?? 0);
}
