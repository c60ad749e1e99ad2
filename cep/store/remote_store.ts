import { failure } from "../release/connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { describeRelease } from "../release/release.ts";
import { ReleaseStore } from "./release_store.ts";
import { connectTables } from "./remote_connection.ts";
import { StatementError } from "./remote_error.ts";
import type { RemoteAddress } from "./remote_client.ts";
import { completeRemoteOptions, type RemoteOptions } from "./remote_options.ts";
import { type Pointer, readPointer, refuseVersion } from "./remote_pointer.ts";
import { RemoteServer } from "./remote_server.ts";
import { Refusals } from "../release/refusals.ts";
import { isWorkerd } from "../util/workerd.ts";
import { StatementQueue } from "./statement_queue.ts";
import { DatabaseError, type Freshness, type Staging } from "./store.ts";

/** Options of {@linkcode RemoteStore}. */
export interface RemoteStoreOptions extends RemoteOptions, RemoteAddress {
  /** Token of the server, which no message shows. */
  readonly authToken?: string;
}

/**
 * Time limit of a part of the snapshot, and of a request of an import, in time
 * limits of a read.
 */
export const BULK = 6;

/** Longest pause between polls while the server is away, in intervals. */
const MAX_BACKOFF = 5;

/**
 * Store that reads a release from tables of its own on a libSQL server. What
 * imports is in a class of its own, which an edge worker does not load.
 */
export class RemoteStore extends ReleaseStore {
  readonly #options: RemoteStoreOptions;
  readonly #pollMs: number;
  /** Milliseconds after which a read is given up. */
  protected readonly timeoutMs: number;
  readonly #server: RemoteServer;
  readonly #bulk: RemoteServer;
  readonly #queue: StatementQueue | undefined;
  /** Suffix of the tables in use. */
  #suffix: string | undefined;
  /** True if a call may wait for the request of another call. */
  readonly #sharesRequests: boolean;
  /** Polls so far. */
  #polls = 0;
  /** Number of the newest poll that has ended. */
  #newestPoll = 0;
  /** Poll or publication in progress. */
  #looking: Promise<void> | undefined;
  /** Time of the last poll. */
  #lookedAt = -Infinity;
  /** Failed polls since the last success. */
  #failures = 0;
  readonly #refusals = new Refusals();
  #freshness: Freshness = { syncedAt: null };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RemoteStoreOptions) {
    super(options);
    const { connect, name, authToken: token } = options;
    const { poll, pollMs, timeoutMs } = completeRemoteOptions(options);
    this.#options = options;
    this.#pollMs = pollMs;
    this.timeoutMs = timeoutMs;
    this.#server = new RemoteServer({
      client: connect(timeoutMs),
      name,
      token,
      timeoutMs,
      retries: 1,
      retryMs: timeoutMs / 2,
      failsFast: true,
    });
    this.#bulk = new RemoteServer({
      client: connect(BULK * timeoutMs),
      name,
      token,
      timeoutMs: BULK * timeoutMs,
      retries: 1,
      retryMs: BULK * timeoutMs,
    });
    this.#sharesRequests = poll === "timer" ||
      (options.sharesRequests ?? !isWorkerd());
    if (this.#sharesRequests) this.#queue = new StatementQueue(this.#server);
  }

  /** Opens the current release, and polls for a new one. */
  async start(): Promise<void> {
    if (this.#options.poll === "read") return;
    await this.#look(false);
    this.#schedule();
  }

  /** Plans the next poll: later and later while the server is away. */
  #schedule(): void {
    if (this.closed) return;
    const backoff = Math.min(2 ** this.#failures, MAX_BACKOFF);
    // Instances that start together do not poll together.
    const jitter = 0.9 + 0.2 * Math.random();
    this.#timer = setTimeout(
      () => this.#look(true).finally(() => this.#schedule()),
      this.#pollMs * backoff * jitter,
    );
    // It must not keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  protected override prepareRead(): Promise<void> | undefined {
    if (this.#options.poll !== "read") return undefined;
    const age = performance.now() - this.#lookedAt;
    if (this.current !== undefined && age < this.#pollMs) return undefined;
    this.#lookedAt = performance.now();
    return this.#sharesRequests ? this.#look(true) : this.#openCurrent(true);
  }

  /** An error of the server, or of a proxy before it, says nothing of a part. */
  protected override isDamage(error: unknown): boolean {
    return !(error instanceof DatabaseError);
  }

  /** A missing table is that of a replaced release. */
  protected override async recover(error: unknown): Promise<void> {
    const reason = error instanceof DatabaseError ? error.cause : error;
    if (!(reason instanceof StatementError && reason.isTableMissing)) return;
    if (!this.#sharesRequests) await this.#openCurrent(true);
    else await this.lookAgain(true);
  }

  freshness(): Freshness {
    return this.#freshness;
  }

  /**
   * Polls for a new release after the poll in progress, which may have begun
   * before the release was replaced.
   */
  protected async lookAgain(isLogged: boolean): Promise<void> {
    await this.#looking;
    await this.#look(isLogged);
  }

  /** Polls for a new release, or waits for the poll in progress. */
  #look(isLogged: boolean): Promise<void> {
    return this.#looking ??= this.#openCurrent(isLogged)
      .catch(() => {}) // The logger may throw.
      .finally(() => this.#looking = undefined);
  }

  async #openCurrent(isLogged: boolean): Promise<void> {
    if (this.closed) return;
    const poll = ++this.#polls;
    // A poll may end after one that has begun later.
    const admit = () => {
      if (poll < this.#newestPoll) return false;
      this.#newestPoll = poll;
      return true;
    };
    let pointer: Pointer | undefined;
    try {
      pointer = await readPointer(this.#server);
      if (pointer === undefined && this.current !== undefined) {
        throw new Error(
          "the server has lost its release; import the DNE or the CNEFE with MODE=seed",
        );
      }
      if (pointer !== undefined && pointer.suffix !== this.#suffix) {
        if (this.#refusals.skips(pointer.suffix)) return;
        await this.#open(pointer, isLogged, admit);
      }
      if (!admit()) return;
      this.#refusals.clear();
      this.#failures = 0;
      this.#freshness = { syncedAt: new Date().toISOString() };
      if (this.setProblem(undefined) && isLogged) {
        this.logger.info("Reached the database server again", {
          server: this.#options.name,
        });
      }
    } catch (cause) {
      if (!admit()) return;
      this.#failures++;
      // Megabytes that are damaged are not read again at each poll.
      const reason = cause instanceof DatabaseError ? cause.cause : cause;
      if (pointer !== undefined && reason !== undefined) {
        this.#refusals.add(pointer.suffix);
      }
      const problem = failure("Cannot read the database", cause);
      this.#freshness = { ...this.#freshness, error: problem.message };
      if (!this.setProblem(problem) || this.closed || !isLogged) return;
      this.logger.error(
        "Cannot use the database, what is in memory stays in use",
        { error: problem.message },
      );
    }
  }

  async #open(
    pointer: Pointer,
    isLogged: boolean,
    admit: () => boolean,
  ): Promise<void> {
    const release = await this.#openTables(pointer);
    await this.adopt(release, {
      keepsSearch: true,
      admit: () => {
        // Another poll may have opened the same release.
        if (!admit() || pointer.suffix === this.#suffix) return false;
        this.#suffix = pointer.suffix;
        return true;
      },
    });
    if (isLogged && this.current === release) {
      this.logger.info("Opened a new release", describeRelease(release.facts));
    }
  }

  #openTables(pointer: Pointer): Promise<OpenRelease> {
    refuseVersion(pointer);
    const { suffix } = pointer;
    return OpenRelease.open({
      ...connectTables(this.#server, suffix, this.#queue),
      bulk: connectTables(this.#bulk, suffix),
    });
  }

  /** Refuses an import: a program that only reads bundles nothing that writes. */
  stage(_holder: string): Promise<Staging> {
    return Promise.reject(
      new DatabaseError(
        "Cannot import into a database that openRemoteStore has opened: open " +
          "it with openStore of @carteiro/cep/store",
      ),
    );
  }

  /**
   * Checks that records can be read: from memory, or from the server.
   *
   * @throws {DatabaseError} If they cannot.
   */
  async check(): Promise<void> {
    if (this.current?.isInMemory) return;
    await this.list("", 1);
  }

  override async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.beginClose();
    this.#server.close();
    this.#bulk.close();
    await this.#looking;
    await super.close();
  }
}
