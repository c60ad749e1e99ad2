/**
 * Instance that takes its releases from a folder: it polls the manifest,
 * downloads the file beside the current one and publishes it.
 */
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { readFileKind } from "../../release/file_header.ts";
import { isAnotherImport } from "../lock.ts";
import { pollUntilStopped } from "../poll_loop.ts";
import { Refusals } from "../../release/refusals.ts";
import type { ReleaseDirectory } from "../release_directory.ts";
import type { Freshness } from "../store.ts";
import { abortable } from "./abortable.ts";
import {
  ManifestError,
  parseManifest,
  type ReleaseManifest,
} from "./manifest.ts";
import { ProgressWatch } from "./progress_watch.ts";
import { sha256Of } from "./sha256_of.ts";
import { type ReleaseSource, SourceError } from "./source.ts";
import { freeBytes, takeRelease } from "./take_release.ts";
import { UnusableRelease } from "./unusable_release.ts";

/** Options of {@linkcode ReleaseFollower}. */
export interface ReleaseFollowerOptions {
  /** Folder of releases. */
  readonly source: ReleaseSource;
  /** Folder of the current release. */
  readonly directory: ReleaseDirectory;
  /** Name of this process, for an import that must wait. */
  readonly holder: string;
  /** Logger of new releases, and of failures. */
  readonly logger: Logger;
  /** Milliseconds between two polls, on average. */
  readonly pollMs: number;
  /**
   * Milliseconds within which the manifest or 1 MiB of a file must arrive.
   *
   * @default {30_000}
   */
  readonly stallMs?: number;
  /**
   * Returns a number from 0 to 1.
   *
   * @default {Math.random}
   */
  readonly random?: () => number;
  /**
   * Clock.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
  /**
   * Returns the bytes that are free in a folder, `undefined` if unknown.
   *
   * @default {statfs of node:fs/promises}
   */
  readonly freeBytes?: (path: string) => Promise<number | undefined>;
}

/** Failures that are logged until the next success, at most. */
const MAX_LOGGED = 20;

/** Instance that takes its releases from a folder. */
export class ReleaseFollower {
  readonly #options: Required<ReleaseFollowerOptions>;
  readonly #stop = new AbortController();
  readonly #etags = new Map<string, string | undefined>();
  #running: Promise<void> = Promise.resolve();
  /** Last manifest, and its validator. */
  #manifest: ReleaseManifest | undefined;
  #manifestEtag: string | undefined;
  /** Current file that was read last, and its SHA-256 if it is a release. */
  #present: { readonly mark: string; readonly sha256: string | undefined } = {
    mark: "",
    sha256: undefined,
  };
  readonly #refusals = new Refusals();
  #problem: string | undefined;
  /** Failures since the last success, each of which is logged once. */
  readonly #logged = new Set<string>();
  /** SHA-256 of the last release whose download has been logged. */
  #announced: string | undefined;
  #syncedAt: string | null = null;

  constructor(options: ReleaseFollowerOptions) {
    this.#options = {
      stallMs: 30_000,
      random: Math.random,
      now: Date.now,
      freeBytes,
      ...options,
    };
  }

  /** Polls until it is stopped, for the first time immediately. */
  start(): void {
    const { signal } = this.#stop;
    this.#running = pollUntilStopped(() => this.poll(), {
      ...this.#options,
      signal,
    });
  }

  /** Ends the polls. An unfinished download is continued by the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Returns the age of the data. */
  freshness(): Freshness {
    return {
      syncedAt: this.#syncedAt,
      ...(this.#problem === undefined ? {} : { error: this.#problem }),
    };
  }

  /** Takes the release of the manifest, unless it is the current one. */
  async poll(): Promise<void> {
    try {
      if (await this.#follow()) this.#succeed();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(error);
    }
  }

  #succeed(): void {
    const { now, logger, source } = this.#options;
    this.#syncedAt = new Date(now()).toISOString();
    this.#refusals.clear();
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#logged.clear();
    logger.info("Releases are followed again", { RELEASE_URL: source.shown });
  }

  #fail(error: unknown): void {
    const { logger, source } = this.#options;
    const problem = reasonOf(error);
    this.#problem = problem;
    if (this.#logged.has(problem) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(problem);
    logger.error("Cannot take the release, the last one stays in use", {
      RELEASE_URL: source.shown,
      error: problem,
    });
  }

  /** Returns true if the release of the manifest is the current one. */
  async #follow(): Promise<boolean> {
    const manifest = await this.#readManifest();
    if (await this.#isPresent(manifest)) return true;
    if (this.#refusals.skips(manifest.sha256)) return false;
    try {
      return await this.#take(manifest);
    } catch (error) {
      if (error instanceof UnusableRelease) {
        this.#refusals.add(manifest.sha256);
      }
      throw describeFailure(error, manifest);
    }
  }

  async #readManifest(): Promise<ReleaseManifest> {
    const { source, stallMs } = this.#options;
    const watch = new ProgressWatch(stallMs, this.#stop.signal);
    try {
      const found = await abortable(
        source.readManifest(this.#manifestEtag, watch.signal),
        watch.signal,
      );
      if (found === "unchanged" && this.#manifest) return this.#manifest;
      const { text, etag } = found as Exclude<typeof found, string>;
      this.#manifest = parseManifest(text);
      this.#manifestEtag = etag;
      return this.#manifest;
    } catch (cause) {
      const isKnown = cause instanceof SourceError ||
        cause instanceof ManifestError;
      if (!isKnown) throw cause;
      throw new Error(`Cannot read the manifest: ${cause.message}`, { cause });
    } finally {
      watch.stop();
    }
  }

  /** Returns true if the current file is that of a manifest, undamaged. */
  async #isPresent(manifest: ReleaseManifest): Promise<boolean> {
    const file = await this.#options.directory.present();
    if (file === undefined) return false;
    const { mark, path } = file;
    if (mark !== this.#present.mark) {
      const isRelease = await readFileKind(path) === "release";
      const sha256 = isRelease
        ? await sha256Of(path, this.#stop.signal)
        : undefined;
      this.#present = { mark, sha256 };
    }
    return this.#present.sha256 === manifest.sha256;
  }

  /** Logs a download once, because imports are refused while it lasts. */
  #announce({ release, sha256, bytes }: ReleaseManifest): void {
    if (this.#announced === sha256) return;
    this.#announced = sha256;
    const { logger, source, holder } = this.#options;
    logger.info("Taking a new release, and refusing imports meanwhile", {
      RELEASE_URL: source.shown,
      release,
      bytes,
      lock_holder: holder,
    });
  }

  /** Returns false if another process is importing. */
  async #take(manifest: ReleaseManifest): Promise<boolean> {
    const { directory, holder, logger, now } = this.#options;
    let unlock: () => Promise<void>;
    try {
      unlock = await directory.lock(holder);
    } catch (error) {
      // Probably another instance with the same folder.
      if (isAnotherImport(error)) return false;
      throw error;
    }
    try {
      if (await this.#isPresent(manifest)) return true;
      const start = now();
      this.#announce(manifest);
      await takeRelease({
        ...this.#options,
        manifest,
        signal: this.#stop.signal,
        etags: this.#etags,
      });
      logger.info("Took a new release", {
        release: manifest.release,
        dne_version: manifest.dne_version,
        seeded_at: manifest.seeded_at,
        total_ceps: manifest.total_ceps,
        bytes: manifest.bytes,
        milliseconds: now() - start,
      });
      return true;
    } finally {
      await unlock();
    }
  }
}

function describeFailure(error: unknown, { file }: ReleaseManifest): unknown {
  if (error instanceof UnusableRelease) {
    return new Error(`Cannot use ${file}: ${error.message}`, { cause: error });
  }
  if (error instanceof SourceError) {
    return new Error(`Cannot read ${file}: ${error.message}`, { cause: error });
  }
  return error;
}
