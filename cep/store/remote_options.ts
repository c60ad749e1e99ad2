import type { ReleaseStoreOptions } from "./release_store.ts";
import { DAY_MS, requireRange } from "../release/require_range.ts";
import type { RemoteClient } from "./remote_server.ts";

/** Time limits of a store on a server, and its polls. */
export interface RemoteOptions extends ReleaseStoreOptions {
  /**
   * Time of a poll for a new release: on a timer, or before a read, for
   * runtimes that run nothing between requests.
   *
   * @default {"timer"}
   */
  readonly poll?: "timer" | "read";
  /**
   * With polls before a read, waits for a request that another call has made.
   * In `workerd`, such a wait ends only if the client of that call stays.
   *
   * @default {true}, except in `workerd`
   */
  readonly sharesRequests?: boolean;
  /**
   * Milliseconds between two polls, up to a day; 0 only with `poll: "read"`.
   *
   * @default {1000}
   */
  readonly pollMs?: number;
  /**
   * Milliseconds after which a read is given up; large ones, and requests of
   * an import, after six times as many. Up to an hour.
   *
   * @default {5000}
   */
  readonly timeoutMs?: number;
}

/** Options of {@linkcode openRemoteStore}: a URL, or a client. */
export interface OpenRemoteStoreOptions extends RemoteOptions {
  /**
   * URL of the server, with `libsql:` or `https:`, or with `http:` on this
   * machine.
   */
  readonly url?: string;
  /** Token of the server, which no log and no error shows. */
  readonly authToken?: string;
  /**
   * Client of the server instead of a URL, e.g. that of `@libsql/client/web`.
   * The store closes it.
   */
  readonly client?: RemoteClient;
  /**
   * Sends requests to the URL.
   *
   * @default {globalThis.fetch}
   */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Completes and checks times.
 *
 * @throws {RangeError} If one is out of its range.
 */
export function completeRemoteOptions(
  { poll = "timer", pollMs = 1000, timeoutMs = 5000 }: RemoteOptions,
): Required<Pick<RemoteOptions, "poll" | "pollMs" | "timeoutMs">> {
  // Timers hold 24 days, of which the longest pause is a part.
  requireRange("pollMs", pollMs, [poll === "timer" ? 1 : 0, DAY_MS]);
  requireRange("timeoutMs", timeoutMs, [1, DAY_MS / 24]);
  return { poll, pollMs, timeoutMs };
}
