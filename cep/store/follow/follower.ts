/**
 * A folder that follows an origin: the current release of the origin is taken
 * into the folder, where stores find it.
 */
import { Refusals } from "../../release/refusals.ts";
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { isAnotherImport } from "../lock.ts";
import { startPolling } from "../poll_loop.ts";
import type { ReleaseDirectory } from "../release_directory.ts";
import type { Freshness } from "../store.ts";

/** Place of releases: a server, or a folder of files behind an address. */
export interface Origin {
  /** Setting and its value, for the log. */
  readonly setting: Readonly<Record<string, string>>;
  /** True if a file that no import would replace is renamed. */
  readonly setsAside: boolean;
  /**
   * Finds the current release.
   *
   * @throws {Error} If there is none, or the origin cannot be read.
   */
  current(signal: AbortSignal): Promise<OriginRelease>;
  /**
   * Returns the key of the release in a file, `undefined` if the file is
   * damaged or no release.
   */
  identify(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Ends its requests. */
  close?(): Promise<void>;
}

/** Release of an {@linkcode Origin}. */
export interface OriginRelease {
  /** Text that no other release has. */
  readonly key: string;
  /** Properties for the log. */
  readonly facts: Readonly<Record<string, unknown>>;
  /**
   * Publishes the release in a folder, whose lock the caller holds.
   *
   * @throws {UnusableRelease} If it should not be tried again at each poll.
   */
  take(directory: ReleaseDirectory, signal: AbortSignal): Promise<void>;
}

/** Failure to take a release that the next poll would probably repeat. */
export class UnusableRelease extends Error {
  /** Always `UnusableRelease`. */
  override readonly name = "UnusableRelease";
}

/** Options of {@linkcode Follower}. */
export interface FollowerOptions {
  readonly origin: Origin;
  /** Folder of the current release. */
  readonly directory: ReleaseDirectory;
  /** Name of this process, for an import that must wait. */
  readonly holder: string;
  /** Logger of new releases, and of failures. */
  readonly logger: Logger;
  /** Milliseconds between two polls, on average. */
  readonly pollMs: number;
  /**
   * Called when a poll has found or made the folder up to date, with the time
   * at which it began.
   */
  readonly onCurrent?: (time: number) => Promise<void>;
  /**
   * Clock.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/** Failures that are logged until the next success, at most. */
const MAX_LOGGED = 20;

/** Takes the releases of an origin into a folder. */
export class Follower {
  readonly #options: Required<FollowerOptions>;
  readonly #stop = new AbortController();
  #endPolls = () => {};
  #polling: Promise<void> | undefined;
  /** Current file that was identified last. */
  #identified: { readonly mark: string; readonly key: string | undefined } = {
    mark: "",
    key: undefined,
  };
  readonly #refusals = new Refusals();
  /** Key of the last release of which the log says that it is being taken. */
  #announced: string | undefined;
  #problem: string | undefined;
  /** Failures since the last success, each of which is logged once. */
  readonly #logged = new Set<string>();
  #syncedAt: string | null = null;

  constructor(options: FollowerOptions) {
    this.#options = {
      onCurrent: () => Promise.resolve(),
      now: Date.now,
      ...options,
    };
  }

  /** Polls until it is stopped, for the first time immediately. */
  start(): void {
    this.poll();
    this.#endPolls = startPolling(
      () => this.poll(),
      () => this.#options.pollMs,
    );
  }

  /** Ends the polls, and the one in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#endPolls();
    await this.#options.origin.close?.();
    await this.#polling;
  }

  /** Returns the age of the data. */
  freshness(): Freshness {
    return {
      syncedAt: this.#syncedAt,
      ...(this.#problem === undefined ? {} : { error: this.#problem }),
    };
  }

  /** Continues from the last success of another process, ISO 8601. */
  resume(syncedAt: string | null): void {
    this.#syncedAt = syncedAt;
  }

  /**
   * Takes the current release of the origin, unless the folder has it. A
   * failure is logged and kept for {@linkcode freshness}.
   */
  poll(): Promise<void> {
    return this.#polling ??= this.#poll()
      .finally(() => this.#polling = undefined);
  }

  async #poll(): Promise<void> {
    try {
      const time = await this.#follow();
      if (time === undefined) return;
      await this.#options.onCurrent(time);
      this.#succeed(time);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(reasonOf(error));
    }
  }

  #succeed(time: number): void {
    const { logger, origin } = this.#options;
    this.#syncedAt = new Date(time).toISOString();
    this.#refusals.clear();
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#logged.clear();
    logger.info("Releases are followed again", origin.setting);
  }

  #fail(error: string): void {
    const { logger, origin } = this.#options;
    this.#problem = error;
    if (this.#logged.has(error) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(error);
    logger.error("Cannot take the release, the last one stays in use", {
      ...origin.setting,
      error,
    });
  }

  /**
   * Returns a time at which the release in the folder was the current one of
   * the origin, `undefined` if another process is importing, or a release that
   * was unusable is not tried again yet.
   */
  async #follow(): Promise<number | undefined> {
    const { origin, directory, holder, now } = this.#options;
    const time = now();
    const release = await origin.current(this.#stop.signal);
    if (await this.#has(release)) return time;
    if (this.#refusals.skips(release.key)) return undefined;
    if (origin.setsAside) await this.#setAside();
    let unlock: () => Promise<void>;
    try {
      unlock = await directory.lock(holder);
    } catch (error) {
      // Probably another instance with the same folder.
      if (isAnotherImport(error)) return undefined;
      throw error;
    }
    try {
      // The other instance may have taken it in the meantime.
      if (!await this.#has(release)) await this.#take(release);
      return time;
    } catch (error) {
      if (error instanceof UnusableRelease) this.#refusals.add(release.key);
      throw error;
    } finally {
      await unlock();
    }
  }

  /** Returns true if the current file is an undamaged copy of a release. */
  async #has({ key }: OriginRelease): Promise<boolean> {
    const { directory, origin } = this.#options;
    const file = await directory.current();
    if (file === undefined) return false;
    const { mark, path } = file;
    if (mark !== this.#identified.mark) {
      const found = await origin.identify(path, this.#stop.signal);
      this.#identified = { mark, key: found };
    }
    return this.#identified.key === key;
  }

  async #setAside(): Promise<void> {
    const { directory, logger } = this.#options;
    const file = await directory.setAside();
    if (file === undefined) return;
    logger.warn("Renamed a file that is no release of this program", { file });
  }

  async #take(release: OriginRelease): Promise<void> {
    const { directory, logger, now } = this.#options;
    const start = now();
    this.#announce(release);
    await release.take(directory, this.#stop.signal);
    logger.info("Took a new release", {
      ...release.facts,
      milliseconds: now() - start,
    });
  }

  /** Logs once that a release is being taken: imports are refused meanwhile. */
  #announce({ key, facts }: OriginRelease): void {
    if (this.#announced === key) return;
    this.#announced = key;
    const { logger, origin, holder } = this.#options;
    logger.info("Taking a new release, and refusing imports meanwhile", {
      ...origin.setting,
      ...facts,
      lock_holder: holder,
    });
  }
}
