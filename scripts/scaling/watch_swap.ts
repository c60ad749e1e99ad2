/** Change of a running server to another release. */
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds between a response and the next request. */
const PAUSE_MS = 2;

/** Milliseconds before a change is given up. */
const TIMEOUT_MS = 600_000;

/** Change, as a client sees it. */
export interface Watched {
  /** Seconds from the publication to the first response from the release. */
  readonly time: number;
  /** Longest response time until then in seconds. */
  readonly stall: number;
}

/**
 * Publishes a release, and requests a record until its `ETag`, which depends on
 * the release, is another one.
 *
 * @throws {Error} If a request fails, or the release does not change.
 */
export async function watchSwap(
  url: string,
  publish: () => Promise<unknown>,
): Promise<Watched> {
  const before = await readTag(url);
  let published: number | undefined;
  let failure: unknown;
  const publication = publish().then(
    () => published = performance.now(),
    (error) => failure = error,
  );
  const end = performance.now() + TIMEOUT_MS;
  let stall = 0;
  for (;;) {
    const sent = performance.now();
    const tag = await readTag(url);
    const now = performance.now();
    stall = Math.max(stall, now - sent);
    if (failure !== undefined) throw failure;
    if (tag !== before) {
      await publication;
      // A server may be faster than the end of the program that publishes.
      const time = Math.max(0, now - (published ?? now));
      return { time: time / 1000, stall: stall / 1000 };
    }
    if (now > end) {
      throw new Error(`Cannot watch ${url}: the release does not change`);
    }
    await delay(PAUSE_MS);
  }
}

async function readTag(url: string): Promise<string | null> {
  const response = await fetch(url);
  await response.body?.cancel();
  if (response.status >= 500) {
    throw new Error(`Cannot watch ${url}: its status is ${response.status}`);
  }
  return response.headers.get("etag");
}
